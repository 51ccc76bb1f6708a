import { type Privilege, mayAny } from '@clinic/domain';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from './api.ts';

/** What the signed-in person may do, so that buttons which the service would refuse are not shown. */
export function useMay(): (privilege: Privilege) => boolean {
  const roles = useQuery(sessionQuery).data?.roles ?? [];
  return (privilege) => mayAny(roles, privilege);
}
