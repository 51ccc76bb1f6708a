import type { CallResult } from './client.ts';
import type { CallId } from './routes.ts';
import type { CallAnswer, RepeatableId, ApiRefusal } from './index.ts';

/** How long an outcome that is not known is asked for, in milliseconds. */
export const ASKING_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;
/** How long one of these calls may go unanswered, in milliseconds. */
const PATIENCE_MS = 20_000;
const LEAST_PATIENCE_MS = 5_000;

type Refused = Extract<CallResult<CallId>, { kind: 'refusal' }>;
type Code = ApiRefusal['extras']['code'];

/** What may be told after an answer, or after none. */
export type Outcome<Id extends CallId> =
  | { readonly kind: 'done'; readonly answer: CallAnswer<Id> }
  /** Known: it was not done. */
  | { readonly kind: 'refused'; readonly refused: Refused }
  /** Not known: the same call is sent again under the same key, after `pauseMs`. */
  | { readonly kind: 'askAgain'; readonly pauseMs: number }
  /** Not known, and nobody asks any more. `message` is the service's own words, when it had some. */
  | { readonly kind: 'unknown'; readonly message: string | null };

/** The service itself says that it does not know (yet). */
const UNDER_WAY: readonly Code[] = ['paymentUnknown', 'paymentUnderWay', 'clinicConfirming'];
/** It broke down or off on the way, perhaps after the deed. */
const BROKE_OFF: readonly Code[] = ['bug', 'serviceBusy'];
/** Said at the door, before anybody looked for what the same call may have done before. */
const AT_THE_DOOR: readonly number[] = [401, 403, 408, 425, 429];
/** Whoever answers so has not passed the request on, or does not say. */
const OF_A_PROXY_UNCLEAR: readonly number[] = [408, 425];

/**
 * What may be told of a call that books, pays or cancels: no answer, and an answer that says
 * nothing of what was done, is never told as a fact. `unknown` of the same calls ended without
 * knowledge before, the first of them `askingMs` ago.
 */
export function outcomeOf<Id extends CallId>(
  heard: CallResult<Id>,
  { unknown, askingMs }: { readonly unknown: number; readonly askingMs: number },
): Outcome<Id> {
  if (heard.kind === 'answer') return { kind: 'done', answer: heard.answer };
  if (heard.kind === 'refusal' && saysNotDone(heard, unknown > 0))
    return { kind: 'refused', refused: heard };
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** unknown, LONGEST_PAUSE_MS);
  const signedOut = heard.kind === 'refusal' && heard.status === 401;
  if (!signedOut && askingMs + pauseMs <= ASKING_MS) return { kind: 'askAgain', pauseMs };
  return { kind: 'unknown', message: wordsOf(heard) };
}

/** Whether a refusal is knowledge that nothing was done, by this call or by the same one before. */
function saysNotDone({ status, refusal }: Refused, askedBefore: boolean): boolean {
  if (askedBefore && AT_THE_DOOR.includes(status)) return false;
  // Not the service's envelope: somebody on the way, who knows nothing of what was done before.
  if (refusal === null) return status < 500 && !askedBefore && !OF_A_PROXY_UNCLEAR.includes(status);
  const { code } = refusal.extras;
  return !UNDER_WAY.includes(code) && !BROKE_OFF.includes(code);
}

/** Only what the service says of the matter itself. */
function wordsOf(heard: CallResult<CallId>): string | null {
  if (heard.kind !== 'refusal' || heard.refusal === null) return null;
  const { code, message } = heard.refusal.extras;
  return UNDER_WAY.includes(code) ? message : null;
}

/** What is known in the end; 'unknown' when it is still not. */
export type Known<Id extends CallId> = Exclude<Outcome<Id>, { kind: 'askAgain' }>;

/** Time as this device counts it. */
export interface Waiting {
  /** Milliseconds of a clock that nobody sets. */
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
}

/**
 * Sends one call until its outcome is known, for a minute at most. `send` sends the same call
 * with the same key each time, and gives it up after so many milliseconds. `onChecking` hears once
 * that the outcome is not known.
 */
export async function askUntilKnown<Id extends RepeatableId>(
  send: (patienceMs: number) => Promise<CallResult<Id>>,
  { now, pause }: Waiting,
  onChecking: () => void,
): Promise<Known<Id>> {
  let since: number | null = null;
  for (let unknown = 0; ; unknown += 1) {
    const left = since === null ? PATIENCE_MS : ASKING_MS - (now() - since);
    const heard = await send(Math.max(LEAST_PATIENCE_MS, Math.min(PATIENCE_MS, left)));
    const askingMs = since === null ? 0 : now() - since;
    const outcome = outcomeOf(heard, { unknown, askingMs });
    if (outcome.kind !== 'askAgain') return outcome;
    if (since === null) {
      since = now();
      onChecking();
    }
    await pause(outcome.pauseMs);
  }
}
