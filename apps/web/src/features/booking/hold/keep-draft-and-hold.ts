import type { ApiAnswers, ApiHold } from '@clinic/contract';
import { keyOfHold } from '@clinic/domain';
import type { QueryClient } from '@tanstack/react-query';
import { accessToken } from '../../../api/access-token.ts';
import type { Store } from '@clinic/app/store';
import { forgetDays, holdQuery } from '../booking-data.ts';
import { apiAnswers } from '../confirm/answers.ts';
import { sameSlot, type Draft, type Journey } from '../journey.ts';
import { createDraftSaver } from './draft-saving.ts';
import { releaseHold, saveDraft } from './hold-calls.ts';

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
function keyInHand(journey: Journey, hold: KnownHold): string | null {
  const draft = inHand(journey);
  return draft && keyOf(draft, hold);
}

/** A hold renewed after a lapse has another key than the request. */
function keyOf({ slot, requestKey }: InHand, hold: KnownHold): string {
  return hold && sameSlot(hold, slot) ? keyOfHold(hold.id) : requestKey;
}

/** Carries out what the changes of a journey mean for its hold; returns a function that stops it. */
export function keepDraftAndHold(queryClient: QueryClient, journey: Store<Journey>): () => void {
  const knownHold = () => queryClient.getQueryData(holdQuery.queryKey);
  const askForHold = () => void queryClient.invalidateQueries({ queryKey: holdQuery.queryKey });
  const isSignedIn = () => accessToken.get() !== null;
  const saver = createDraftSaver(async (answers) => {
    const key = keyInHand(journey.get(), knownHold());
    if (!isSignedIn() || key === null) return false;
    const result = await saveDraft(answers, key);
    // The patient holds another time by now, in another tab for example.
    if (result.kind === 'refusal' && result.status === 409) askForHold();
    return result.kind === 'refusal' && result.status === 429;
  });
  const flushWhenHidden = () => {
    if (document.visibilityState === 'hidden') saver.flush();
  };
  document.addEventListener('visibilitychange', flushWhenHidden);
  let before = journey.get();
  const stopWatching = journey.subscribe(() => {
    const was = before;
    before = journey.get();
    const effect = holdEffect(was, before, knownHold());
    if (effect?.type === 'saveDraft') saver.later(effect.answers);
    else if (effect !== null) saver.cancel();
    if (effect?.type === 'askForHold') askForHold();
    if (effect?.type !== 'letGo') return;
    // What is under way would say that it is still held.
    void queryClient.cancelQueries(holdQuery);
    queryClient.setQueryData(holdQuery.queryKey, null);
    void forgetDays(queryClient);
    if (effect.release !== null && isSignedIn()) void releaseHold(effect.release);
  });
  return () => {
    saver.cancel();
    stopWatching();
    document.removeEventListener('visibilitychange', flushWhenHidden);
  };
}
