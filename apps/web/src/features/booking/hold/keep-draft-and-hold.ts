import type { QueryClient } from '@tanstack/react-query';
import { accessToken } from '../../../api/access-token.ts';
import type { Store } from '../../../shared/store.ts';
import { forgetDays, holdQuery } from '../booking-data.ts';
import type { Journey } from '../journey.ts';
import { createDraftSaver } from './draft-saving.ts';
import { releaseHold, saveDraft } from './hold-calls.ts';
import { holdEffect, keyInHand } from './hold-effects.ts';

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
