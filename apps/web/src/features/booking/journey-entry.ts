import type { ApiUser } from '@clinic/contract';
import { isAppointmentTypeCode } from '@clinic/domain';
import { partOf } from '../../shared/navigation.ts';
import {
  searchOf,
  STEPS,
  type Journey,
  type JourneyEvent,
  type Place,
  type Step,
} from './journey.ts';

/**
 * State of a browser history entry. Back, Forward and a reload restore it. The address
 * contains none of it, and it contains neither answers nor a slot.
 */
export interface Entry extends Place {
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
export function entryOf(state: unknown, patient: string): Entry | null {
  const text = (name: string) => {
    const value = partOf(state, name);
    return typeof value === 'string' ? value : null;
  };
  const stepNamed = (name: string) => STEPS.find((step) => step === partOf(state, name)) ?? null;
  const anew = partOf(state, 'anew') === true;
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
      typeSettled: partOf(state, 'typeSettled') === true,
    },
    rescheduleOf: moved !== null && type !== null ? { appointmentId: moved, type } : null,
    patient,
    under: stepNamed('under'),
    dialog: partOf(state, 'dialog') === true,
    anew,
  };
}

/** The history state of an entry. */
export function stateOf({ search, rescheduleOf, ...entry }: Entry) {
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
export function placeOf({ draft, rescheduleOf }: Journey): Place {
  const search = searchOf(draft) ?? NO_SEARCH;
  const date = draft.step === 'displaySchedule' ? draft.shown : search.date;
  return { step: draft.step, search: { ...search, date }, rescheduleOf };
}

export const isSame = (one: Entry, other: Entry) =>
  JSON.stringify(stateOf(one)) === JSON.stringify(stateOf(other));

/** The event that leads the journey to an entry, of a type only where it is open to the patient. */
export function eventOf(entry: Entry, types: ApiUser['appointmentType']): JourneyEvent {
  const { step, search, rescheduleOf, anew } = entry;
  const isEnabled = types.some(({ code, status }) => code === search.type && status === 'enabled');
  const isOpen = rescheduleOf !== null || isEnabled;
  const place: Place = isOpen
    ? { step, search, rescheduleOf }
    : { step: 'schedule', search: { ...search, type: null, typeSettled: false }, rescheduleOf };
  return { type: anew ? 'start' : 'return', at: place };
}

/** Order of places; on a phone the second question of step 1 is a place of its own. */
export const position = ({ step, search }: Pick<Place, 'step' | 'search'>) =>
  STEPS.indexOf(step) + (step === 'schedule' && search.typeSettled === true ? 0.5 : 0);
