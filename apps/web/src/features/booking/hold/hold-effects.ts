import type { ApiAnswers, ApiHold } from '@clinic/contract';
import { keyOfHold } from '@clinic/domain';
import { apiAnswers } from '../confirm/answers.ts';
import { sameSlot, type Draft, type Journey } from '../journey.ts';

/** What the browser knows of the patient's hold; undefined before the service has answered. */
type KnownHold = ApiHold | null | undefined;

type HoldEffect =
  | { readonly type: 'saveDraft'; readonly answers: ApiAnswers }
  /** A hold that the clinic placed stays until it is paid or the patient expressly gives it back. */
  | { readonly type: 'askForHold' }
  /** No slot is held any longer. `release` is the key of the hold to give back; null once booked. */
  | { readonly type: 'letGo'; readonly release: string | null };

/**
 * What a change of the journey means for the hold: the draft is saved while a slot is in hand, and a
 * slot that is no longer in hand is released, unless it became an appointment.
 */
export function holdEffect(was: Journey, now: Journey, hold: KnownHold): HoldEffect | null {
  const [before, after] = [inHand(was), inHand(now)];
  if (after !== null) {
    if (before !== null && was.answers === now.answers) return null;
    return { type: 'saveDraft', answers: apiAnswers(now.answers, after.form) };
  }
  if (before === null) return null;
  if (now.draft.step === 'booked') return { type: 'letGo', release: null };
  if (hold?.byClinic) return { type: 'askForHold' };
  return { type: 'letGo', release: keyOf(before, hold) };
}

type InHand = Extract<Draft, { step: 'confirm' | 'payment' }>;

function inHand({ draft }: Journey): InHand | null {
  return draft.step === 'confirm' || draft.step === 'payment' ? draft : null;
}

/** Key of the hold on the slot in hand; null where none is. */
export function keyInHand(journey: Journey, hold: KnownHold): string | null {
  const draft = inHand(journey);
  return draft && keyOf(draft, hold);
}

/** A hold renewed after a lapse has another key than the request. */
function keyOf({ slot, requestKey }: InHand, hold: KnownHold): string {
  return hold && sameSlot(hold, slot) ? keyOfHold(hold.id) : requestKey;
}
