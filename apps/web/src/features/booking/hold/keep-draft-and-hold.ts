import type { ApiAnswers, ApiHold } from '@clinic/contract';
import { keyOfHold } from '@clinic/domain';
import type { QueryClient } from '@tanstack/react-query';
import { accessToken } from '../../../api/access-token.ts';
import type { Store } from '@clinic/app/store';
import { forgetDays, holdQuery } from '../booking-data.ts';
import { apiAnswers } from '../confirm/answers.ts';
import { sameSlot, type Draft, type Journey } from '../journey.ts';
import { releaseHold, saveDraft } from './hold-calls.ts';

/** How long after the last keystroke the draft is saved, in milliseconds. */
export const DRAFT_DELAY_MS = 700;
/** How long to wait with saving after the service answered 429, in milliseconds. */
export const DRAFT_AGAIN_MS = 5_000;

/** What the service keeps of a journey: the draft in it, and the hold on its slot. */
export interface KeptState {
  readonly journey: Journey;
  /** The latest answers, and in how many milliseconds they are saved; null once they are sent. */
  readonly draft: { readonly answers: ApiAnswers; readonly dueIn: number | null } | null;
}

/** What the browser knows of the patient's hold; undefined before the service has answered. */
type KnownHold = ApiHold | null | undefined;

export type KeptEvent =
  | { readonly type: 'moved'; readonly journey: Journey }
  /** The draft is due, or the phone hides the page. */
  | { readonly type: 'due' }
  /** The service refused answers for too many requests: they are saved later, unless newer ones come first. */
  | { readonly type: 'tooOften'; readonly answers: ApiAnswers };

type HoldCall =
  | { readonly type: 'saveDraft'; readonly answers: ApiAnswers; readonly key: string }
  /** A hold that the clinic placed stays until it is paid or the patient expressly gives it back. */
  | { readonly type: 'askForHold' }
  /** No slot is held any longer. `release` is the key of the hold to give back; null once booked. */
  | { readonly type: 'letGo'; readonly release: string | null };

interface KeptStep {
  readonly state: KeptState;
  /** The call to make now, if any. */
  readonly call?: HoldCall;
}

/** The reducer of what is kept of a journey. There is no I/O here: `keepDraftAndHold` makes the calls. */
export function nextKept(state: KeptState, event: KeptEvent, hold: KnownHold): KeptStep {
  const { journey, draft } = state;
  switch (event.type) {
    case 'moved':
      return moved(state, event.journey, hold);
    case 'due': {
      const slot = inHand(journey);
      if (draft === null || draft.dueIn === null) return { state };
      const { answers } = draft;
      const sent = { journey, draft: { answers, dueIn: null } };
      if (slot === null) return { state: sent };
      return { state: sent, call: { type: 'saveDraft', answers, key: keyOf(slot, hold) } };
    }
    case 'tooOften': {
      const { answers } = event;
      if (draft?.answers !== answers) return { state };
      return { state: { journey, draft: { answers, dueIn: DRAFT_AGAIN_MS } } };
    }
  }
}

/**
 * The draft is saved while a slot is in hand, and a slot that is no longer in hand is released,
 * unless it became an appointment.
 */
function moved({ journey: was, draft }: KeptState, journey: Journey, hold: KnownHold): KeptStep {
  const [before, after] = [inHand(was), inHand(journey)];
  if (after !== null) {
    if (before !== null && was.answers === journey.answers) return { state: { journey, draft } };
    const answers = apiAnswers(journey.answers, after.form);
    return { state: { journey, draft: { answers, dueIn: DRAFT_DELAY_MS } } };
  }
  if (before === null) return { state: { journey, draft } };
  const state = { journey, draft: null };
  if (journey.draft.step === 'booked') return { state, call: { type: 'letGo', release: null } };
  if (hold?.byClinic) return { state, call: { type: 'askForHold' } };
  return { state, call: { type: 'letGo', release: keyOf(before, hold) } };
}

type InHand = Extract<Draft, { step: 'confirm' | 'payment' }>;

function inHand({ draft }: Journey): InHand | null {
  return draft.step === 'confirm' || draft.step === 'payment' ? draft : null;
}

/** Key of the hold on the slot in hand. A hold renewed after a lapse has another key than the request. */
function keyOf({ slot, requestKey }: InHand, hold: KnownHold): string {
  return hold && sameSlot(hold, slot) ? keyOfHold(hold.id) : requestKey;
}

/** Carries out what the changes of a journey mean for its hold; returns a function that stops it. */
export function keepDraftAndHold(queryClient: QueryClient, journey: Store<Journey>): () => void {
  let state: KeptState = { journey: journey.get(), draft: null };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (event: KeptEvent) => {
    const next = nextKept(state, event, queryClient.getQueryData(holdQuery.queryKey));
    const { draft } = next.state;
    if (draft !== state.draft) clearTimeout(timer);
    if (draft !== state.draft && draft !== null && draft.dueIn !== null)
      timer = setTimeout(() => tell({ type: 'due' }), draft.dueIn);
    state = next.state;
    if (next.call) void make(next.call);
  };
  const askForHold = () => void queryClient.invalidateQueries({ queryKey: holdQuery.queryKey });
  const make = async (call: HoldCall) => {
    const isSignedIn = accessToken.get() !== null;
    switch (call.type) {
      case 'askForHold':
        return askForHold();
      case 'letGo':
        // What is under way would say that it is still held.
        void queryClient.cancelQueries(holdQuery);
        queryClient.setQueryData(holdQuery.queryKey, null);
        void forgetDays(queryClient);
        if (call.release !== null && isSignedIn) void releaseHold(call.release);
        return;
      case 'saveDraft': {
        if (!isSignedIn) return;
        const { answers } = call;
        const result = await saveDraft(answers, call.key);
        if (result.kind !== 'refusal') return;
        // The patient holds another time by now, in another tab for example.
        if (result.status === 409) askForHold();
        if (result.status === 429) tell({ type: 'tooOften', answers });
      }
    }
  };
  const saveWhenHidden = () => {
    if (document.visibilityState === 'hidden') tell({ type: 'due' });
  };
  document.addEventListener('visibilitychange', saveWhenHidden);
  const stopWatching = journey.subscribe(() => tell({ type: 'moved', journey: journey.get() }));
  return () => {
    clearTimeout(timer);
    state = { ...state, draft: null };
    stopWatching();
    document.removeEventListener('visibilitychange', saveWhenHidden);
  };
}
