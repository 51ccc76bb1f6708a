import { type Privilege, mayAny } from '@clinic/domain';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from './api.ts';

/** What whoever is signed in may do: a button that the service would refuse is not shown. */
export function useMay(): (privilege: Privilege) => boolean {
  const roles = useQuery(sessionQuery).data?.roles ?? [];
  return (privilege) => mayAny(roles, privilege);
}
