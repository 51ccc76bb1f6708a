import type { ApiUser } from '@clinic/contract';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { navigate, useHistoryState } from 'wouter/use-browser-location';
import { hasComeBack, partOf } from '../../shared/navigation.ts';
import { onSessionEnd, useUser } from '../../shared/session/session.ts';
import { createStore, useStore, type Store } from '@clinic/app/store';
import { patientPages } from '@clinic/domain';
import { dropUnsettled, readUnsettled } from '../../shared/unsettled-request.ts';
import { keepDraftAndHold } from './hold/keep-draft-and-hold.ts';
import type { Entry } from './journey-entry.ts';
import { entryOf, eventOf, isSame, placeOf, position, stateOf } from './journey-entry.ts';
import type { Journey, JourneyEvent, OpenJourney, Step } from './journey.ts';
import { NEW_JOURNEY, nextJourney } from './journey.ts';

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
 * The journey of the open page. Each step is an entry of the browser's history: Back steps back in
 * the journey, and the choices come back with it.
 */
export function useJourney(): OpenJourney {
  const queryClient = useQueryClient();
  const { id, appointmentType } = useUser();
  const entry = entryOf(useHistoryState(), id);
  const at = entry && eventOf(entry, appointmentType);
  const { journey, send } = journeyOf(queryClient, id, at);
  const typesNow = useEffectEvent(() => appointmentType);
  // The browser's history stands outside of React.
  useEffect(() => followHistory({ journey, send, patient: id, typesNow }), [journey, send, id]);
  return { journey: useStore(journey), send };
}

/** True while the browser goes back: until it arrives, it shows the entry that it leaves. */
const leaving = createStore(false);

function goBack(entries: number): void {
  leaving.set(true);
  addEventListener('popstate', () => leaving.set(false), { once: true });
  window.history.go(-entries);
}

/** The journey that a page shows, and its patient. */
interface Followed extends Pick<Kept, 'journey' | 'send'> {
  readonly patient: string;
  readonly typesNow: () => ApiUser['appointmentType'];
}

// The router (wouter) dispatches the last two.
const MOVES = ['popstate', 'pushState', 'replaceState'];

/**
 * Keeps the browser's history and the journey in step, until the returned function is called. After
 * each change of either, the present entry says where the journey is.
 */
function followHistory({ journey, send, patient, typesNow }: Followed): () => void {
  // The step of the entry beneath the present one.
  let under: Step | null = null;
  let writing = false;
  const isOurs = () =>
    window.location.pathname === patientPages.booking && !leaving.get() && !writing;
  const here = () => {
    const entry = entryOf(window.history.state, patient);
    if (entry !== null) under = entry.under;
    return entry;
  };
  /** The entry that says where the journey is, in place of the present one. */
  const ownEntry = (entry: Entry | null): Entry => {
    const place = placeOf(journey.get());
    const dialog = entry?.dialog === true && entry.step === place.step;
    return { ...place, patient, under, dialog, anew: false };
  };
  const put = (entry: Entry, replace: boolean) => {
    under = entry.under;
    writing = true;
    navigate(patientPages.booking, { replace, state: stateOf(entry) });
    writing = false;
  };

  /** Writes a change of the journey to the history. */
  const write = () => {
    if (!isOurs()) return;
    const entry = here();
    const own = ownEntry(entry);
    const way = entry === null ? 0 : position(own) - position(entry);
    if (entry !== null && way > 0 && own.step !== 'booked') {
      // Keep the pressed type in the entry, so that it is chosen when the patient comes back.
      if (entry.step === own.step)
        put({ ...own, search: { ...own.search, typeSettled: false } }, true);
      // A step that followed a dialog replaces the dialog's entry.
      put({ ...own, under: entry.step, dialog: false }, entry.dialog);
    } else if (entry !== null && way < 0 && entry.under === own.step) {
      // A step back out of a dialog leaves the dialog's entry as well.
      goBack(entry.dialog ? 2 : 1);
    } else if (entry === null || !isSame(entry, own)) put(own, true);
    // The patient now sees the outcome, so it is no longer marked as unsettled in the browser.
    const heardOf = own.step === 'booked' ? readUnsettled(patient) : null;
    if (heardOf !== null) dropUnsettled(patient, heardOf);
  };

  /** Leads the journey to the entry at which the browser has arrived. */
  const follow = (move?: Event) => {
    if (!isOurs()) return;
    const entry = here();
    // A link to this page, pressed on this page, has no entry; the entry beneath stays the same.
    if (entry === null && move?.type !== 'replaceState') under = null;
    const isBooked = journey.get().draft.step === 'booked';
    if (entry !== null && (entry.anew || hasComeBack()) && !isSame(entry, ownEntry(entry)))
      send(eventOf(entry, typesNow()));
    // The patient comes back after seeing the booked page: begin a new journey.
    else if (entry === null && isBooked && readUnsettled(patient) === null) send({ type: 'reset' });
    write();
  };

  for (const move of MOVES) addEventListener(move, follow);
  const stops = [journey.subscribe(write), leaving.subscribe(write)];
  follow();
  return () => {
    for (const move of MOVES) removeEventListener(move, follow);
    for (const stop of stops) stop();
    leaving.set(false);
  };
}

/**
 * Makes an open dialog an entry of the browser's history, so that Back closes the dialog and stays
 * on the step. `close` is null while the dialog must stay.
 */
export function useBackCloses(open: boolean, close: (() => void) | null): void {
  const closeNow = useEffectEvent(() => close?.());
  // The browser's history stands outside of React.
  useEffect(() => (open ? whileDialogStands(closeNow) : undefined), [open]);
}

const isAtDialog = () => partOf(window.history.state, 'dialog') === true;

/** Calls `onBack` on Back. On closing removes the dialog's entry, unless a step has led on. */
function whileDialogStands(onBack: () => void): () => void {
  const enter = () => {
    // The browser may still be leaving the entry of the dialog before.
    if (leaving.get() || isAtDialog()) return;
    // Going back would scroll away from what the patient is to read after the dialog.
    window.history.scrollRestoration = 'manual';
    const state: unknown = window.history.state;
    navigate(patientPages.booking, {
      state: { ...(typeof state === 'object' ? state : null), dialog: true },
    });
  };
  const hear = () => {
    if (!leaving.get() && !isAtDialog()) onBack();
  };
  const stopEntering = leaving.subscribe(enter);
  enter();
  addEventListener('popstate', hear);
  return () => {
    stopEntering();
    removeEventListener('popstate', hear);
    if (isAtDialog() && !leaving.get()) goBack(1);
  };
}
