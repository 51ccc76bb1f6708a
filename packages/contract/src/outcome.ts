import { type Code, type Refused, brokeOff } from './broke-off.ts';
import type { CallResult } from './client.ts';
import type { CallId } from './routes.ts';
import type { CallAnswer, RepeatableId } from './index.ts';

/** How long to ask for an unknown outcome, in milliseconds. */
export const ASKING_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;
/** How long one of these calls may take to answer, in milliseconds. */
const PATIENCE_MS = 20_000;
const LEAST_PATIENCE_MS = 5_000;

/** What the page may say after an answer, or after none. */
export type Outcome<Id extends CallId> =
  | { readonly kind: 'done'; readonly answer: CallAnswer<Id> }
  /** Certain: nothing was done. */
  | { readonly kind: 'refused'; readonly refused: Refused }
  /** Uncertain: the same call is to be sent again under the same key, after `pauseMs`. */
  | { readonly kind: 'askAgain'; readonly pauseMs: number }
  /** Uncertain, and no longer asked. `message` is the service's own text, if it sent one. */
  | { readonly kind: 'unknown'; readonly message: string | null };

/** With these codes the service itself says that it does not know yet. */
const UNDER_WAY: readonly Code[] = ['paymentUnknown', 'paymentUnderWay', 'clinicConfirming'];
/**
 * What the page may say of a call that books, pays or cancels. No answer, and an answer that leaves the
 * outcome open, must never be shown as a fact. `unknown` counts the earlier sendings whose outcome stayed
 * open; the first was `askingMs` ago.
 */
export function outcomeOf<Id extends CallId>(
  result: CallResult<Id>,
  { unknown, askingMs }: { readonly unknown: number; readonly askingMs: number },
): Outcome<Id> {
  if (result.kind === 'answer') return { kind: 'done', answer: result.answer };
  if (result.kind === 'refusal' && saysNotDone(result, unknown > 0))
    return { kind: 'refused', refused: result };
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** unknown, LONGEST_PAUSE_MS);
  const signedOut = result.kind === 'refusal' && result.status === 401;
  if (!signedOut && askingMs + pauseMs <= ASKING_MS) return { kind: 'askAgain', pauseMs };
  return { kind: 'unknown', message: wordsOf(result) };
}

/** Whether a refusal proves that nothing was done, by this call or an earlier sending of it. */
function saysNotDone(result: Refused, askedBefore: boolean): boolean {
  const code = result.refusal?.extras.code;
  return !brokeOff(result, askedBefore) && !(code !== undefined && UNDER_WAY.includes(code));
}

/** The service's message, only when it is about the outcome itself. */
function wordsOf(result: CallResult<CallId>): string | null {
  if (result.kind !== 'refusal' || result.refusal === null) return null;
  const { code, message } = result.refusal.extras;
  return UNDER_WAY.includes(code) ? message : null;
}

/** The final outcome; 'unknown' when it stayed open. */
export type Known<Id extends CallId> = Exclude<Outcome<Id>, { kind: 'askAgain' }>;

/** Time as this device measures it. */
export interface Waiting {
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
}

/**
 * Sends one call until its outcome is known, for a minute at most. `send` must repeat the same call with the
 * same key, and give up after the given milliseconds. `onChecking` is called once, when the outcome is first
 * unknown.
 */
export async function askUntilKnown<Id extends RepeatableId>(
  send: (patienceMs: number) => Promise<CallResult<Id>>,
  { now, pause }: Waiting,
  onChecking: () => void,
): Promise<Known<Id>> {
  let since: number | null = null;
  for (let unknown = 0; ; unknown += 1) {
    const left = since === null ? PATIENCE_MS : ASKING_MS - (now() - since);
    const result = await send(Math.max(LEAST_PATIENCE_MS, Math.min(PATIENCE_MS, left)));
    const askingMs = since === null ? 0 : now() - since;
    const outcome = outcomeOf(result, { unknown, askingMs });
    if (outcome.kind !== 'askAgain') return outcome;
    if (since === null) {
      since = now();
      onChecking();
    }
    await pause(outcome.pauseMs);
  }
}
