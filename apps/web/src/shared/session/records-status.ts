import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { callService } from '../../api/service.ts';

/** Whether patients can book now, and what the clinic adds to the maintenance message if not. */
interface RecordsStatus {
  readonly online: boolean;
  readonly message: string | null;
}

const ONLINE: RecordsStatus = { online: true, message: null };
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
      return { online: status, message: extras?.message ?? null };
    }
    const saysNothing = result.kind === 'unreachable' || result.status === 429;
    if (saysNothing) return client.getQueryData(queryKey) ?? ONLINE;
    return { online: false, message: null };
  },
  staleTime: Infinity,
  refetchInterval: ({ state }) => (state.data?.online === false ? LOOK_AGAIN_MS : false),
});

/** What the socket said, without asking first. */
export function takeStatus(queryClient: QueryClient, online: boolean): void {
  void queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData<RecordsStatus>(queryKey, online ? ONLINE : { online, message: null });
}

/** Asks anew; an answer that is on its way already is not waited for. */
export function askStatus(queryClient: QueryClient): void {
  void queryClient.refetchQueries({ queryKey });
}
