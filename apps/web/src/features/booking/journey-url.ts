import { isAppointmentTypeCode, type AppointmentTypeCode } from '@clinic/domain';
import { useEffect, useRef } from 'react';
import { navigate, useHistoryState } from 'wouter/use-browser-location';
import { useCameBack } from '../../shared/navigation.ts';
import { useUser } from '../../shared/session/session.ts';
import { readUnsettled } from '../../shared/unsettled-request.ts';
import {
  nextJourney,
  searchOf,
  STEPS,
  type Journey,
  type JourneyEvent,
  type OpenJourney,
  type Place,
  type Step,
} from './journey.ts';

/**
 * What an entry of the browser's history says of the journey. Back, Forward and a reload
 * bring it back; the address says nothing of it, and nothing of it is an answer or a slot.
 */
export interface Entry extends Place {
  /** Whose journey it is: another patient at the same screen sees nothing of it. */
  readonly patient: string;
  /** The step of the entry beneath, when this journey made it. */
  readonly under: Step | null;
  /** The entry of a dialog that stands open over its step. */
  readonly dialog: boolean;
  /** Another page leads here to begin anew. */
  readonly anew: boolean;
}

/** The entry of a state of the history; null where there is none for this patient. */
export function entryOf(state: unknown, patient: string): Entry | null {
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

/** An entry as the history keeps it. */
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

/** Where a journey stands, as far as the history keeps it. */
function placeOf({ draft, rescheduleOf }: Journey): Place {
  const search = searchOf(draft) ?? NO_SEARCH;
  const date = draft.step === 'displaySchedule' ? draft.shown : search.date;
  return { step: draft.step, search: { ...search, date }, rescheduleOf };
}

const isSame = (one: Entry, other: Entry) =>
  JSON.stringify(stateOf(one)) === JSON.stringify(stateOf(other));

/** What an entry that the patient came to asks of the journey. */
export function eventOf(entry: Entry, types: readonly AppointmentTypeCode[]): JourneyEvent {
  const { step, search, rescheduleOf, anew } = entry;
  const isOpen = rescheduleOf !== null || types.some((code) => code === search.type);
  const place: Place = isOpen
    ? { step, search, rescheduleOf }
    : { step: 'schedule', search: { ...search, type: null, typeSettled: false }, rescheduleOf };
  return { type: anew ? 'start' : 'return', at: place };
}

/** On a phone the second question of step 1 is a place of its own. */
const position = ({ step, search }: Pick<Place, 'step' | 'search'>) =>
  STEPS.indexOf(step) + (step === 'schedule' && search.typeSettled === true ? 0.5 : 0);

/**
 * Each step is an entry of the browser's history: its Back steps back in the journey, and what was
 * chosen comes back with it.
 */
export function useJourneyHistory({ journey, send }: OpenJourney): void {
  // Each entry of the history has a state of its own, also when it says the same as another.
  const state = useHistoryState<unknown>();
  const { id, appointmentType } = useUser();
  const cameBack = useCameBack();
  const before = useRef<{ readonly place: Place; readonly state: unknown } | null>(null);
  /** The journey went back by itself, and the history follows. */
  const follows = useRef(false);

  // The browser's history and the journey each tell the other where it went.
  useEffect(() => {
    const was = before.current;
    // The history is still on its way back: what the journey does meanwhile is told it afterwards.
    if (follows.current && was?.state === state) return;
    const place = placeOf(journey);
    const { step } = place;
    before.current = { place, state };
    const entry = entryOf(state, id);
    const own: Entry = {
      ...place,
      patient: id,
      under: entry?.under ?? null,
      dialog: entry?.dialog === true && entry.step === step,
      anew: false,
    };
    const replace = (next: Entry) => navigate('/', { replace: true, state: stateOf(next) });

    if (was === null || (was.state !== state && !follows.current)) {
      if (entry !== null && (entry.anew || cameBack) && !isSame(entry, own)) {
        const event = eventOf(entry, openTypes(appointmentType));
        const led = nextJourney(journey, event);
        if (led === journey) replace(own);
        else {
          // The history led here, and is not told so.
          before.current = { place: placeOf(led), state };
          send(event);
        }
      } else if (entry === null && step === 'booked' && readUnsettled(id) === null)
        // Who comes back after a booking starts a new one, once what was booked was shown.
        send({ type: 'reset' });
      else if (entry === null || !isSame(entry, own)) replace(own);
      return;
    }
    follows.current = false;
    const way = position(place) - position(was.place);
    if (entry !== null && way > 0 && step !== 'booked') {
      // The type that was pressed is chosen when the patient comes back to it.
      if (was.place.step === step)
        replace({ ...own, search: { ...own.search, typeSettled: false } });
      // What led on from a dialog takes the place of its entry.
      navigate('/', {
        replace: entry.dialog,
        state: stateOf({ ...own, under: entry.step, dialog: false }),
      });
    } else if (entry !== null && way < 0 && entry.under === step) {
      follows.current = true;
      // What led back leaves the entry of its dialog as well.
      window.history.go(entry.dialog ? -2 : -1);
    } else if (entry === null || !isSame(entry, own)) replace(own);
  }, [journey, state, id, appointmentType, cameBack, send]);
}

/** The types that a patient may choose. */
export function openTypes(
  types: readonly { readonly code: AppointmentTypeCode; readonly status: string }[],
): AppointmentTypeCode[] {
  return types.flatMap(({ code, status }) => (status === 'enabled' ? [code] : []));
}

/**
 * An open dialog is an entry of the browser's history, so that its Back closes the dialog and does
 * not leave the step beneath it. `close` is null while the dialog must stay.
 */
export function useBackCloses(open: boolean, close: (() => void) | null): void {
  const state = useHistoryState<unknown>();
  const entry = typeof state === 'object' ? state : null;
  const onDialog = entry !== null && 'dialog' in entry && entry.dialog === true;
  const before = useRef({ open: false, onDialog: false });

  // The browser's history and the dialog each tell the other that it closed.
  useEffect(() => {
    const was = before.current;
    before.current = { open, onDialog };
    if (open && !was.open && !onDialog) {
      // What a closed dialog leaves to be read is in view; going back would scroll away from it.
      window.history.scrollRestoration = 'manual';
      navigate('/', { state: { ...entry, dialog: true } });
    } else if (!open && was.open && onDialog) window.history.back();
    else if (open && was.onDialog && !onDialog) close?.();
  });
}
