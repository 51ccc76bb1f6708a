import type { CallResult } from './client.ts';
import type { ApiRefusal } from './index.ts';
import type { CallId } from './routes.ts';

/** A call without the answer that was asked for. */
export type Failed = Exclude<CallResult<CallId>, { kind: 'answer' }>;
export type Refused = Extract<Failed, { kind: 'refusal' }>;
export type Code = ApiRefusal['extras']['code'];

/** With these codes the call broke off, perhaps after its work was done. */
const BROKE_OFF: readonly Code[] = ['bug', 'serviceBusy'];
/** These are refused before the service checks what an earlier sending of the call may have done. */
const BEFORE_HANDLER: readonly number[] = [401, 403, 408, 425, 429];
/** From a proxy, these do not say whether it has passed the request on. */
const UNCLEAR_OF_PROXY: readonly number[] = [408, 425];

/**
 * Whether a call broke off, perhaps after its work was done. `askedBefore` says that an earlier sending of
 * it has: a refusal before the handler then leaves that as open as it was.
 */
export function brokeOff(result: Failed, askedBefore: boolean): boolean {
  if (result.kind === 'unreachable') return true;
  const { status, refusal } = result;
  if (askedBefore && BEFORE_HANDLER.includes(status)) return true;
  // Not our error envelope: a proxy answered, which cannot know what an earlier sending did.
  if (refusal === null) return status >= 500 || askedBefore || UNCLEAR_OF_PROXY.includes(status);
  return BROKE_OFF.includes(refusal.extras.code);
}
