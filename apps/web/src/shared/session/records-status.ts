import type { EpochSeconds } from '@clinic/domain';
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { accessToken } from '../../api/access-token.ts';
import { callService } from '../../api/service.ts';

/** Whether the clinic's records are online, with the clinic's addition to the maintenance message. */
interface RecordsStatus {
  readonly online: boolean;
  readonly message: string | null;
  /** Set while booking is paused: patients can look around, and the times are as of this moment. */
  readonly asOf: EpochSeconds | null;
  /** Booking is paused because the records do not let the service in, not because they are silent. */
  readonly refused: boolean;
}

const ONLINE: RecordsStatus = { online: true, message: null, asOf: null, refused: false };
const LOOK_AGAIN_MS = 15_000;
const queryKey = ['config', 'records'];

/**
 * Whether the clinic's records can be reached: a refusal means no. No answer, or a 429, changes
 * nothing: at first it says more about the patient's own connection, and while the maintenance
 * message is shown it does not mean that the records are back.
 */
export const recordsQuery = queryOptions({
  queryKey,
  queryFn: async ({ signal, client }): Promise<RecordsStatus> => {
    const result = await callService('recordsStatus', {}, { signal, background: true });
    if (result.kind === 'answer') {
      const { status, extras } = result.answer;
      return {
        online: status,
        message: extras?.message ?? null,
        asOf: extras?.asOf ?? null,
        refused: extras?.refused ?? false,
      };
    }
    const saysNothing = result.kind === 'unreachable' || result.status === 429;
    if (saysNothing) return client.getQueryData(queryKey) ?? ONLINE;
    return { ...ONLINE, online: false };
  },
  staleTime: Infinity,
  refetchInterval: ({ state: { data } }) =>
    data && (!data.online || data.asOf !== null || isVisitor()) ? LOOK_AGAIN_MS : false,
});

/** Patients are told by the live connection, which visitors do not have. */
const isVisitor = () => accessToken.get() === null;

/** Takes the status that the socket reported, without a call. */
export function takeStatus(queryClient: QueryClient, online: boolean): void {
  void queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData<RecordsStatus>(queryKey, { ...ONLINE, online });
}

/** Asks for the status anew; a call already under way is cancelled. */
export function askStatus(queryClient: QueryClient): void {
  void queryClient.refetchQueries({ queryKey });
}
