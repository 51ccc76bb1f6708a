import { keyOfHold } from '@clinic/domain';
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { ApiAnswers } from '@clinic/contract';
import { useEffect, useState } from 'react';
import { useHistoryState } from 'wouter/use-browser-location';
import { accessToken } from '../../api/access-token.ts';
import { onSessionEnd, useUser } from '../../shared/session/session.ts';
import { createStore, useStore, type Store } from '../../shared/store.ts';
import { dropUnsettled, readUnsettled } from '../../shared/unsettled-request.ts';
import {
  releaseHold,
  saveDraft,
  tellOtherTabs,
  whatBecameOf,
  whenToldOfHold,
} from './hold/hold-calls.ts';
import {
  NEW_JOURNEY,
  nextJourney,
  sameSlot,
  slotOf,
  type Journey,
  type JourneyEvent,
  type OpenJourney,
} from './journey.ts';
import { entryOf, eventOf, openTypes } from './journey-url.ts';
import { forgetDays, holdQuery } from './booking-data.ts';
import { apiAnswers } from './confirm/answers.ts';

interface Kept {
  readonly userId: string;
  readonly journey: Store<Journey>;
  readonly send: (event: JourneyEvent) => void;
  readonly forget: () => void;
}

// See `journeyOf`.
const kept = new WeakMap<QueryClient, Kept>();

/**
 * The patient's journey. It outlives the page, so that a look at My Appointments or an expired
 * session loses nothing, and what it knows of health stands in no history: so it is kept
 * here. A logout, or another patient at the same screen, ends it; a reload begins it `at` the entry
 * of the history.
 */
function journeyOf(queryClient: QueryClient, userId: string, at: JourneyEvent | null): Kept {
  const known = kept.get(queryClient);
  if (known?.userId === userId) return known;
  known?.forget();
  const journey = createStore(at === null ? NEW_JOURNEY : nextJourney(NEW_JOURNEY, at));
  const send = (event: JourneyEvent) => journey.set(nextJourney(journey.get(), event));
  const stopKeeping = keepDraftAndHold(queryClient, journey);
  const forget = () => {
    kept.delete(queryClient);
    stopKeeping();
    stopEnds();
  };
  const stopEnds = onSessionEnd((end) => {
    if (end.why === 'loggedOut') forget();
  });
  const one = { userId, journey, send, forget };
  kept.set(queryClient, one);
  return one;
}

/**
 * The service keeps the draft while a slot is in hand; a slot that is no longer in hand goes back
 * to the clinic, unless it became an appointment.
 */
function keepDraftAndHold(queryClient: QueryClient, journey: Store<Journey>): () => void {
  const askForHold = () => void queryClient.invalidateQueries({ queryKey: holdQuery.queryKey });
  const stopHearing = whenToldOfHold(askForHold);
  const saver = createDraftSaver(async (answers) => {
    const key = keyInHand(queryClient, journey.get());
    if (accessToken.get() === null || key === null) return false;
    const result = await saveDraft(answers, key);
    // Another tab holds another time by now.
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
    queryClient.setQueryData(holdQuery.queryKey, null);
    if (now.draft.step === 'booked') tellOtherTabs(null);
    void forgetDays(queryClient);
    if (key !== null && now.draft.step !== 'booked' && accessToken.get() !== null)
      void releaseHold(key);
  });
  return () => {
    saver.cancel();
    stopHearing();
    stopWatching();
    document.removeEventListener('visibilitychange', flushWhenHidden);
  };
}

/**
 * Of the hold on the slot in hand: held again after it lapsed, it is another than the request's.
 */
function keyInHand(queryClient: QueryClient, { draft }: Journey): string | null {
  if (!('requestKey' in draft)) return null;
  const hold = queryClient.getQueryData(holdQuery.queryKey);
  return hold && sameSlot(hold, draft.slot) ? keyOfHold(hold.id) : draft.requestKey;
}

function holdsSlot({ draft }: Journey): boolean {
  return draft.step !== 'booked' && slotOf(draft) !== null;
}

export function useJourney(): OpenJourney {
  const queryClient = useQueryClient();
  const { id, appointmentType } = useUser();
  const entry = entryOf(useHistoryState(), id);
  const at = entry && eventOf(entry, openTypes(appointmentType));
  const { journey, send } = journeyOf(queryClient, id, at);
  return { journey: useStore(journey), send };
}

interface FirstLook {
  /** Until it is known, nothing else is offered. */
  readonly over: boolean;
  /** What the patient reads after a minute without an answer. */
  readonly unknown: string | null;
  readonly again: () => void;
}

/**
 * Who comes to home, by a reload, a new sign-in or from another page, while it is not known what
 * became of the last request, hears that first.
 */
export function useLookFirst({ journey, send }: OpenJourney): FirstLook {
  const { id } = useUser();
  const [key] = useState(() => (journey.draft.step === 'booked' ? null : readUnsettled(id)));
  const look = useQuery({
    queryKey: ['unsettled', key],
    queryFn: async ({ client }) => {
      const { became, hold } = await whatBecameOf(id, key ?? '');
      client.setQueryData(holdQuery.queryKey, hold);
      if (became.kind === 'booked') send({ type: 'booked', booked: became.booked });
      return became;
    },
    enabled: key !== null,
    // Another language, which asks all else anew, leads nobody back to what was booked.
    staleTime: 'static',
    gcTime: 0,
    retry: false,
  });
  const isBooked = journey.draft.step === 'booked';
  // The patient sees what became of it: the browser's storage need not ask any more.
  useEffect(() => {
    const heardOf = isBooked ? readUnsettled(id) : null;
    if (heardOf !== null) dropUnsettled(id, heardOf);
  }, [isBooked, id]);

  return {
    over: key === null || look.isSuccess || isBooked,
    unknown: look.isFetching ? null : (look.error?.message ?? null),
    again: () => void look.refetch(),
  };
}

/** How long after the last key the draft is kept by the service, in milliseconds. */
export const DRAFT_DELAY_MS = 700;
/** The same after the service asked for patience. */
export const DRAFT_AGAIN_MS = 5_000;

interface DraftSaver {
  readonly later: (answers: ApiAnswers) => void;
  /** At once, as when the phone hides the page. */
  readonly flush: () => void;
  readonly cancel: () => void;
}

/**
 * Keeps the latest answers, some time after the patient stopped typing. `save` answers whether the
 * service was asked too often: then they are kept later, unless newer ones come first.
 */
export function createDraftSaver(save: (answers: ApiAnswers) => Promise<boolean>): DraftSaver {
  let waiting: {
    readonly answers: ApiAnswers;
    readonly timer: ReturnType<typeof setTimeout>;
  } | null = null;
  let latest: ApiAnswers | null = null;
  const flush = () => {
    if (!waiting) return;
    const { answers, timer } = waiting;
    clearTimeout(timer);
    waiting = null;
    void save(answers).then((tooOften) => {
      if (tooOften && latest === answers) wait(answers, DRAFT_AGAIN_MS);
    });
  };
  const wait = (answers: ApiAnswers, ms: number) => {
    if (waiting) clearTimeout(waiting.timer);
    latest = answers;
    waiting = { answers, timer: setTimeout(flush, ms) };
  };
  const later = (answers: ApiAnswers) => wait(answers, DRAFT_DELAY_MS);
  const cancel = () => {
    if (waiting) clearTimeout(waiting.timer);
    waiting = null;
    latest = null;
  };
  return { later, flush, cancel };
}
