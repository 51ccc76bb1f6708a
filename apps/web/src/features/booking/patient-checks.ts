import type { QueryClient } from '@tanstack/react-query';
import type { AppointmentType } from '@clinic/domain';
import type { WireUser } from '@clinic/contract';
import type { PatientChecks } from './from-the-wire.ts';
import { noPcpQuery, primaryDoctorQuery } from './slot-queries.ts';

/** Next reads 'Checking...' for ten seconds at most. */
export const CHECKING_LIMIT_MS = 10_000;

/**
 * Waits until the checks that the type depends on have an answer, asking those again that failed;
 * after ten seconds the journey goes on without.
 */
export async function settleChecks(
  queryClient: QueryClient,
  user: WireUser,
  type: Pick<AppointmentType, 'enforceMrp' | 'enforceNoPcp'>,
): Promise<void> {
  const open: Promise<unknown>[] = [];
  const ask = (query: Promise<unknown>) => open.push(query.catch(() => {}));
  if (type.enforceNoPcp) ask(queryClient.fetchQuery(noPcpQuery));
  if (type.enforceMrp) ask(queryClient.fetchQuery(primaryDoctorQuery(user)));
  let limit: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<void>((resolve) => {
    limit = setTimeout(resolve, CHECKING_LIMIT_MS);
  });
  await Promise.race([Promise.all(open), tooLong]);
  clearTimeout(limit);
}

/** What the checks have said so far. */
export function knownChecks(queryClient: QueryClient, user: WireUser): PatientChecks {
  return {
    noPcp: queryClient.getQueryData(noPcpQuery.queryKey) ?? 'unknown',
    hasActivePrimaryDoctor:
      queryClient.getQueryData(primaryDoctorQuery(user).queryKey) ?? 'unknown',
  };
}
