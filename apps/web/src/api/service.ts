import type { CallAnswer, CallId, CallInput } from '@clinic/contract';
import { createClient, type AskOptions, type CallResult } from '@clinic/contract/client';
import { accessToken } from './access-token.ts';
import { ApiError } from './api-error.ts';
import { noteCharge } from './charges-under-way.ts';
import { locale } from '../messages/t.ts';
import { correctClock } from './clock.ts';

type SessionListener = (message: string | null) => void;
// Module state, as a browser tab has one session and one listener for its end.
let onTokenNotValid: SessionListener = () => {};

/** Registers the listener for a token that is no longer valid. */
export function whenTokenNotValid(listener: SessionListener): void {
  onTokenNotValid = listener;
}

const client = createClient({
  base: '/api',
  fetch: (...request) => fetch(...request),
  headers: (): Record<string, string> => {
    const token = accessToken.get();
    return {
      'accept-language': locale(),
      ...(token === null ? {} : { 'x-access-token': token }),
    };
  },
  onAnswer: correctClock,
});

/**
 * For reads that live events repeat: they do not extend the session, which the browser renews while
 * the patient is active.
 */
export const BACKGROUND = { background: true } as const;

/** Calls the service. The result is a value: an answer, a refusal or 'unreachable'. */
export async function callService<Id extends CallId>(
  id: Id,
  input: CallInput<Id>,
  options: AskOptions = {},
): Promise<CallResult<Id>> {
  const token = accessToken.get();
  const asked = client(id, input, options);
  const result = await (id === 'charge' ? noteCharge(asked) : asked);
  noticeEndedSession(id, result, token);
  return result;
}

/**
 * Tells the session when the answer to a call says that its token is unknown, or when `getMe` is
 * refused with it.
 */
export function noticeEndedSession(
  id: CallId,
  result: CallResult<CallId>,
  token: string | null,
): void {
  if (result.kind !== 'refusal' || token === null || token !== accessToken.get()) return;
  const { status, refusal } = result;
  const isUnknown = status === 401 && refusal?.type === 'tokenNotValid';
  const isTurnedAway = id === 'getMe' && (status === 401 || status === 403);
  if (isUnknown || isTurnedAway) onTokenNotValid(refusal?.extras.message || null);
}

/** As `callService`, for queries: returns the answer, or throws an `ApiError`. */
export async function request<Id extends CallId>(
  id: Id,
  input: CallInput<Id>,
  options: AskOptions = {},
): Promise<CallAnswer<Id>> {
  const result = await callService(id, input, options);
  if (result.kind === 'answer') return result.answer;
  throw new ApiError(result);
}
