import { isAppointmentTypeCode, keyOfHold, type AppointmentTypeCode } from '@clinic/domain';
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { navigate, useHistoryState } from 'wouter/use-browser-location';
import { accessToken } from '../../api/access-token.ts';
import { takeAnswer } from '../../api/query-client.ts';
import { hasComeBack } from '../../shared/navigation.ts';
import { onSessionEnd, useUser } from '../../shared/session/session.ts';
import { createStore, useStore, type Store } from '../../shared/store.ts';
import { dropUnsettled, readUnsettled } from '../../shared/unsettled-request.ts';
import { forgetDays, holdQuery } from './booking-data.ts';
import { apiAnswers } from './confirm/answers.ts';
import { createDraftSaver } from './hold/draft-saving.ts';
import { releaseHold, saveDraft, whatBecameOf } from './hold/hold-calls.ts';
import {
  NEW_JOURNEY,
  nextJourney,
  sameSlot,
  searchOf,
  slotOf,
  STEPS,
  type Journey,
  type JourneyEvent,
  type OpenJourney,
  type Place,
  type Step,
} from './journey.ts';

interface Kept {
  readonly userId: string;
  readonly journey: Store<Journey>;
  readonly send: (event: JourneyEvent) => void;
  readonly forget: () => void;
}

// The journey of each query client; see `journeyOf`.
const kept = new WeakMap<QueryClient, Kept>();

/**
 * The patient's journey. It lives here, outside the page, so that it survives a look at My
 * Appointments or an expired session, and since its health facts may not stand in the history
 * . A logout or another patient ends it; after a reload a new one starts from event `at`.
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
 * Saves the draft while a slot is in hand, and releases a slot that is no longer in hand, unless it
 * became an appointment. Returns a function that stops both.
 */
function keepDraftAndHold(queryClient: QueryClient, journey: Store<Journey>): () => void {
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

/** Codes of the types that the patient may choose. */
function openTypes(
  types: readonly { readonly code: AppointmentTypeCode; readonly status: string }[],
): AppointmentTypeCode[] {
  return types.flatMap(({ code, status }) => (status === 'enabled' ? [code] : []));
}

/**
 * The journey of the open page. Each step is an entry of the browser's history: Back steps back in
 * the journey, and the choices come back with it.
 */
export function useJourney(): OpenJourney {
  const queryClient = useQueryClient();
  const { id, appointmentType } = useUser();
  const entry = entryOf(useHistoryState(), id);
  const at = entry && eventOf(entry, openTypes(appointmentType));
  const { journey, send } = journeyOf(queryClient, id, at);
  const typesNow = useEffectEvent(() => openTypes(appointmentType));
  useEffect(() => followHistory({ journey, send, patient: id, typesNow }), [journey, send, id]);
  return { journey: useStore(journey), send };
}

interface FirstLook {
  /** True once the outcome is known or none was open; until then nothing else is offered. */
  readonly over: boolean;
  /** What the patient reads after a minute without an answer; null before. */
  readonly unknown: string | null;
  readonly again: () => void;
}

/**
 * On arrival at home with a request of unknown outcome (after a reload, a sign-in or from another
 * page), finds out what became of the request before anything else is offered.
 */
export function useLookFirst({ journey, send }: OpenJourney): FirstLook {
  const { id } = useUser();
  const [key] = useState(() => (journey.draft.step === 'booked' ? null : readUnsettled(id)));
  const look = useQuery({
    queryKey: ['unsettled', key],
    queryFn: async ({ client }) => {
      const { became, hold } = await whatBecameOf(id, key ?? '');
      takeAnswer(client, holdQuery, hold);
      if (became.kind === 'booked') send({ type: 'booked', booked: became.booked });
      return became;
    },
    enabled: key !== null,
    // Not refetched on a change of language, which could lead the patient back to the booked page.
    staleTime: 'static',
    gcTime: 0,
    retry: false,
  });
  const isBooked = journey.draft.step === 'booked';
  return {
    over: key === null || look.isSuccess || isBooked,
    unknown: look.isFetching ? null : (look.error?.message ?? null),
    again: () => void look.refetch(),
  };
}

/**
 * State of a browser history entry. Back, Forward and a reload restore it. The address
 * contains none of it, and it contains neither answers nor a slot.
 */
interface Entry extends Place {
  /** The patient whose journey it is; another patient at the same screen sees nothing of it. */
  readonly patient: string;
  /** The step of the entry beneath, if this journey made that entry; null otherwise. */
  readonly under: Step | null;
  /** True for the entry of a dialog that is open over its step. */
  readonly dialog: boolean;
  /** Another page links here to begin a new journey. */
  readonly anew: boolean;
}

/** Reads an entry from a history state; null when the state holds none for this patient. */
function entryOf(state: unknown, patient: string): Entry | null {
  if (typeof state !== 'object' || state === null) return null;
  const said = new Map<string, unknown>(Object.entries(state));
  const text = (name: string) => {
    const value = said.get(name);
    return typeof value === 'string' ? value : null;
  };
  const stepNamed = (name: string) => STEPS.find((step) => step === said.get(name)) ?? null;
  const anew = said.get('anew') === true;
  const step = stepNamed('step');
  if (step === null || (!anew && text('patient') !== patient)) return null;
  const [code, doctor, moved] = [text('type'), text('doctor'), text('moved')];
  const type = code !== null && isAppointmentTypeCode(code) ? code : null;
  return {
    step,
    search: {
      type,
      doctor: doctor === null || doctor === 'earliest' ? doctor : { id: doctor },
      date: text('day'),
      typeSettled: said.get('typeSettled') === true,
    },
    rescheduleOf: moved !== null && type !== null ? { appointmentId: moved, type } : null,
    patient,
    under: stepNamed('under'),
    dialog: said.get('dialog') === true,
    anew,
  };
}

/** The history state of an entry. */
function stateOf({ search, rescheduleOf, ...entry }: Entry) {
  const { type, doctor, date, typeSettled = false } = search;
  return {
    ...entry,
    type,
    doctor: doctor === null || doctor === 'earliest' ? doctor : doctor.id,
    day: date,
    typeSettled,
    moved: rescheduleOf?.appointmentId ?? null,
  };
}

const NO_SEARCH = { type: null, doctor: null, date: null };

/** The part of a journey that the history keeps. */
function placeOf({ draft, rescheduleOf }: Journey): Place {
  const search = searchOf(draft) ?? NO_SEARCH;
  const date = draft.step === 'displaySchedule' ? draft.shown : search.date;
  return { step: draft.step, search: { ...search, date }, rescheduleOf };
}

const isSame = (one: Entry, other: Entry) =>
  JSON.stringify(stateOf(one)) === JSON.stringify(stateOf(other));

/** The event that leads the journey to an entry. */
function eventOf(entry: Entry, types: readonly AppointmentTypeCode[]): JourneyEvent {
  const { step, search, rescheduleOf, anew } = entry;
  const isOpen = rescheduleOf !== null || types.some((code) => code === search.type);
  const place: Place = isOpen
    ? { step, search, rescheduleOf }
    : { step: 'schedule', search: { ...search, type: null, typeSettled: false }, rescheduleOf };
  return { type: anew ? 'start' : 'return', at: place };
}

/** Order of places; on a phone the second question of step 1 is a place of its own. */
const position = ({ step, search }: Pick<Place, 'step' | 'search'>) =>
  STEPS.indexOf(step) + (step === 'schedule' && search.typeSettled === true ? 0.5 : 0);

/** The journey that a page shows, and its patient. */
interface Followed extends Pick<Kept, 'journey' | 'send'> {
  readonly patient: string;
  readonly typesNow: () => readonly AppointmentTypeCode[];
}

// The router (wouter) dispatches the last two.
const MOVES = ['popstate', 'pushState', 'replaceState'];

// Set while a way back is pending: the browser still shows the entry that it leaves.
let wayBack: symbol | null = null;

function goBack(entries: number): void {
  const way = (wayBack = Symbol('way back'));
  const arrive = () => {
    if (wayBack === way) wayBack = null;
  };
  addEventListener('popstate', arrive, { once: true });
  window.history.go(-entries);
}

/** Keeps the browser's history and the journey in step, until the returned function is called. */
function followHistory({ journey, send, patient, typesNow }: Followed): () => void {
  let before: { readonly place: Place; readonly state: unknown } | null = null;
  let under: Step | null = null;
  let moving = false;
  const move = (entry: Entry, replace: boolean) => {
    under = entry.under;
    moving = true;
    navigate('/', { replace, state: stateOf(entry) });
    moving = false;
  };

  const look = (event?: Event) => {
    // Compare states by identity: each entry has a state object of its own, even with equal content.
    const state: unknown = window.history.state;
    if (moving || window.location.pathname !== '/') return;
    const was = before;
    // Changes of the journey while the browser goes back are written once it has arrived.
    if (wayBack !== null && was?.state === state) return;
    const now = journey.get();
    const place = placeOf(now);
    const { step } = place;
    before = { place, state };
    const entry = entryOf(state, patient);
    // A link to this page, pressed on this page, has no entry; the entry beneath stays the same.
    if (entry !== null || event?.type !== 'replaceState') under = entry?.under ?? null;
    const own: Entry = {
      ...place,
      patient,
      under,
      dialog: entry?.dialog === true && entry.step === step,
      anew: false,
    };

    if (was === null || (was.state !== state && wayBack === null)) {
      if (entry !== null && (entry.anew || hasComeBack()) && !isSame(entry, own)) {
        const event = eventOf(entry, typesNow());
        const led = nextJourney(now, event);
        if (led === now) move(own, true);
        else {
          // The history caused this change, so it is not written back to the history.
          before = { place: placeOf(led), state };
          send(event);
          return;
        }
      } else if (entry === null && step === 'booked' && readUnsettled(patient) === null) {
        // The patient comes back after seeing the booked page: begin a new journey.
        send({ type: 'reset' });
        return;
      } else if (entry === null || !isSame(entry, own)) move(own, true);
    } else {
      wayBack = null;
      const way = position(place) - position(was.place);
      if (entry !== null && way > 0 && step !== 'booked') {
        // Keep the pressed type in the entry, so that it is chosen when the patient comes back.
        if (was.place.step === step)
          move({ ...own, search: { ...own.search, typeSettled: false } }, true);
        // A step that followed a dialog replaces the dialog's entry.
        move({ ...own, under: entry.step, dialog: false }, entry.dialog);
      } else if (entry !== null && way < 0 && entry.under === step) {
        // A step back out of a dialog leaves the dialog's entry as well.
        goBack(entry.dialog ? 2 : 1);
      } else if (entry === null || !isSame(entry, own)) move(own, true);
    }
    before = { place, state: window.history.state };
    // The patient now sees the outcome, so it is no longer marked as unsettled in the browser.
    const heardOf = step === 'booked' ? readUnsettled(patient) : null;
    if (heardOf !== null) dropUnsettled(patient, heardOf);
  };

  for (const move of MOVES) addEventListener(move, look);
  const stopWatching = journey.subscribe(() => look());
  look();
  return () => {
    for (const move of MOVES) removeEventListener(move, look);
    stopWatching();
    wayBack = null;
  };
}

/**
 * Makes an open dialog an entry of the browser's history, so that Back closes the dialog and stays
 * on the step. `close` is null while the dialog must stay.
 */
export function useBackCloses(open: boolean, close: (() => void) | null): void {
  const closeNow = useEffectEvent(() => close?.());
  useEffect(() => (open ? whileDialogStands(closeNow) : undefined), [open]);
}

function isAtDialog(): boolean {
  const state: unknown = window.history.state;
  return typeof state === 'object' && state !== null && 'dialog' in state && state.dialog === true;
}

/** Calls `onBack` on Back. On closing removes the dialog's entry, unless a step has led on. */
function whileDialogStands(onBack: () => void): () => void {
  const enter = () => {
    if (isAtDialog()) return;
    // Going back would scroll away from what the patient is to read after the dialog.
    window.history.scrollRestoration = 'manual';
    const state: unknown = window.history.state;
    navigate('/', { state: { ...(typeof state === 'object' ? state : null), dialog: true } });
  };
  // The browser may still be leaving the entry of the dialog before, which is no Back from this one.
  let isComing = wayBack !== null;
  if (!isComing) enter();
  const hear = () => {
    if (isComing) enter();
    else if (!isAtDialog()) onBack();
    isComing = false;
  };
  addEventListener('popstate', hear);
  return () => {
    removeEventListener('popstate', hear);
    if (isAtDialog() && wayBack === null) goBack(1);
  };
}
