import { keyOfHold } from '@clinic/domain';
import type { QueryClient } from '@tanstack/react-query';
import { accessToken } from '../../../api/access-token.ts';
import type { Store } from '../../../shared/store.ts';
import { forgetDays, holdQuery } from '../booking-data.ts';
import { apiAnswers } from '../confirm/answers.ts';
import { sameSlot, slotOf, type Journey } from '../journey.ts';
import { createDraftSaver } from './draft-saving.ts';
import { releaseHold, saveDraft } from './hold-calls.ts';

/**
 * Saves the draft while a slot is in hand, and releases a slot that is no longer in hand, unless it
 * became an appointment. Returns a function that stops both.
 */
export function keepDraftAndHold(queryClient: QueryClient, journey: Store<Journey>): () => void {
  const askForHold = () => void queryClient.invalidateQueries({ queryKey: holdQuery.queryKey });
  const saver = createDraftSaver(async (answers) => {
    const key = keyInHand(queryClient, journey.get());
    if (accessToken.get() === null || key === null) return false;
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
    const now = journey.get();
    const was = before;
    before = now;
    if (holdsSlot(now)) {
      if ('form' in now.draft && (!holdsSlot(was) || was.answers !== now.answers))
        saver.later(apiAnswers(now.answers, now.draft.form));
      return;
    }
    if (!holdsSlot(was)) return;
    const key = keyInHand(queryClient, was);
    saver.cancel();
    // A hold that the clinic placed stays until it is paid or the patient expressly gives it back.
    if (queryClient.getQueryData(holdQuery.queryKey)?.byClinic && now.draft.step !== 'booked') {
      askForHold();
      return;
    }
    // What is under way would say that it is still held.
    void queryClient.cancelQueries(holdQuery);
    queryClient.setQueryData(holdQuery.queryKey, null);
    void forgetDays(queryClient);
    if (key !== null && now.draft.step !== 'booked' && accessToken.get() !== null)
      void releaseHold(key);
  });
  return () => {
    saver.cancel();
    stopWatching();
    document.removeEventListener('visibilitychange', flushWhenHidden);
  };
}

/** Key of the hold on the slot in hand; a hold renewed after a lapse has another than the request. */
function keyInHand(queryClient: QueryClient, { draft }: Journey): string | null {
  if (!('requestKey' in draft)) return null;
  const hold = queryClient.getQueryData(holdQuery.queryKey);
  return hold && sameSlot(hold, draft.slot) ? keyOfHold(hold.id) : draft.requestKey;
}

function holdsSlot({ draft }: Journey): boolean {
  return draft.step !== 'booked' && slotOf(draft) !== null;
}
