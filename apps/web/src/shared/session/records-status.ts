import type { EpochSeconds } from '@clinic/domain';
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { callService } from '../../api/service.ts';

/** Whether patients can book now, and what the clinic adds to the maintenance message if not. */
interface RecordsStatus {
  readonly online: boolean;
  readonly message: string | null;
  /** Patients look around, nothing can be booked, and the times are as of then. */
  readonly asOf: EpochSeconds | null;
}

const ONLINE: RecordsStatus = { online: true, message: null, asOf: null };
const LOOK_AGAIN_MS = 15_000;
const queryKey = ['config', 'records'];

/**
 * Whether the clinic's records can be reached: a refusal means no. No answer at all, or one that
 * says only that too many asked, changes nothing: at a first look it says more about the patient's
 * own connection, and while the message stands it is no sign of better times.
 */
export const recordsQuery = queryOptions({
  queryKey,
  queryFn: async ({ signal, client }): Promise<RecordsStatus> => {
    const result = await callService('recordsStatus', {}, { signal, background: true });
    if (result.kind === 'answer') {
      const { status, extras } = result.answer;
      return { online: status, message: extras?.message ?? null, asOf: extras?.asOf ?? null };
    }
    const saysNothing = result.kind === 'unreachable' || result.status === 429;
    if (saysNothing) return client.getQueryData(queryKey) ?? ONLINE;
    return { ...ONLINE, online: false };
  },
  staleTime: Infinity,
  refetchInterval: ({ state: { data } }) =>
    data && (!data.online || data.asOf !== null) ? LOOK_AGAIN_MS : false,
});

/** What the socket said, without asking first. */
export function takeStatus(queryClient: QueryClient, online: boolean): void {
  void queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData<RecordsStatus>(queryKey, { ...ONLINE, online });
}

/** Asks anew; an answer that is on its way already is not waited for. */
export function askStatus(queryClient: QueryClient): void {
  void queryClient.refetchQueries({ queryKey });
}
