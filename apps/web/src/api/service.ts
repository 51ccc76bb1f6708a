import { createService } from '@clinic/app/service';
import type { CallId } from '@clinic/contract';
import type { Failed } from '@clinic/contract/broke-off';
import { routes } from '@clinic/contract/routes';
import { locale } from '../messages/t.ts';
import { accessToken } from './access-token.ts';
import { noteCharge } from './charges-under-way.ts';

type SessionListener = (message: string | null) => void;
// Module state, as a browser tab has one session and one listener for its end.
let onTokenNotValid: SessionListener = () => {};

/** Registers the listener for a token that is no longer valid. */
export function whenTokenNotValid(listener: SessionListener): void {
  onTokenNotValid = listener;
}

export const service = createService<CallId>({
  routes,
  headers: (): Record<string, string> => {
    const token = accessToken.get();
    return {
      'accept-language': locale(),
      ...(token === null ? {} : { 'x-access-token': token }),
    };
  },
  async around(id, send) {
    const token = accessToken.get();
    const asked = send();
    const result = await (id === 'charge' ? noteCharge(asked) : asked);
    noticeEndedSession(id, result, token);
    return result;
  },
});

export const { call: callService, request } = service;

/**
 * For reads that live events repeat: they do not extend the session, which the browser renews while
 * the patient is active.
 */
export const BACKGROUND = { background: true } as const;

/**
 * Tells the session when the answer to a call says that its token is unknown, or when `getMe` is
 * refused with it.
 */
function noticeEndedSession(
  id: CallId,
  result: Failed | { readonly kind: 'answer' },
  token: string | null,
): void {
  if (result.kind !== 'refusal' || token === null || token !== accessToken.get()) return;
  const { status, refusal } = result;
  const isUnknown = status === 401 && refusal?.type === 'tokenNotValid';
  const isTurnedAway = id === 'getMe' && (status === 401 || status === 403);
  if (isUnknown || isTurnedAway) onTokenNotValid(refusal?.extras.message || null);
}
