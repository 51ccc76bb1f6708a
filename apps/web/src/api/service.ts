import type { CallAnswer, CallId, CallInput } from '@clinic/contract';
import { createClient, type AskOptions, type CallResult } from '@clinic/contract/client';
import { accessToken } from './access-token.ts';
import { ApiError } from './api-error.ts';
import { noteCharge } from './charges-under-way.ts';
import { locale } from '../messages/t.ts';
import { correctClock } from './clock.ts';

type SessionListener = (message: string | null) => void;
// A browser tab has one session, and one keeper of it.
let onTokenNotValid: SessionListener = () => {};

/** The session hears here that the token is good for nothing any more. */
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

/** Asks the service; what comes back is a value: an answer, a refusal, or nothing at all. */
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
 * Tells the session when an answer says that the token of its call is known no more, or that it lets
 * nobody in.
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

/** The same for queries: the answer, or an `ApiError` thrown. */
export async function request<Id extends CallId>(
  id: Id,
  input: CallInput<Id>,
  options: AskOptions = {},
): Promise<CallAnswer<Id>> {
  const result = await callService(id, input, options);
  if (result.kind === 'answer') return result.answer;
  throw new ApiError(result);
}
