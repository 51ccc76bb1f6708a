import type { ApiAnswers, ApiAppointment } from '@clinic/contract';
import type {
  AppointmentForm,
  AppointmentTypeCode,
  ClinicDate,
  EpochSeconds,
} from '@clinic/domain';
import {
  type CrashAnswers,
  NO_ANSWERS,
  withKept,
  withReason,
  apiAnswers,
  type AppointmentAnswers,
} from './confirm/answers.ts';

/** The doctor that a patient wishes on step 1. */
type DoctorWish = 'earliest' | { readonly id: string };

/** Choices of step 1. While `date` is null, the first day that can be booked counts. */
export interface Search {
  readonly type: AppointmentTypeCode | null;
  readonly doctor: DoctorWish | null;
  readonly date: ClinicDate | null;
  /** Phones ask one question at a time: true once the type is settled and day and doctor are asked. */
  readonly typeSettled?: boolean;
}

/** A search complete enough for step 2. */
export interface ReadySearch extends Search {
  readonly type: AppointmentTypeCode;
  readonly doctor: DoctorWish;
  readonly date: ClinicDate;
}

export interface PickedSlot {
  readonly doctor: string;
  readonly start: EpochSeconds;
  readonly end: EpochSeconds;
}

/** A slot in hand. The request key names this one booking, however often it is sent. */
interface Picked {
  readonly search: ReadySearch;
  /** The first day on the grid, so that Back returns to the same days. */
  readonly shown: ClinicDate;
  readonly slot: PickedSlot;
  /** Which questions the type asks. */
  readonly form: AppointmentForm;
  readonly requestKey: string;
}

/** How a journey ended; the title of the last page depends on it. */
export interface BookedAppointment {
  /** Identifies the appointment in calendar files, as in its emails. */
  readonly bookingNumber: string;
  /** The appointment as the service has it; null where the answer did not contain it. */
  readonly appointment: ApiAppointment | null;
  readonly type: AppointmentTypeCode;
  readonly slot: PickedSlot;
  readonly outcome: 'booked' | 'rescheduled' | 'paid';
  /** The amount just paid, and the reference for questions about it (null when there is none). */
  readonly receipt?: { readonly cents: number; readonly reference: string | null };
  /** True when the old appointment still stands although the new one is booked. */
  readonly oldAppointmentStands: boolean;
}

/** The journey so far: each step holds exactly what the earlier steps have settled. */
export type Draft =
  | { readonly step: 'schedule'; readonly search: Search }
  | { readonly step: 'displaySchedule'; readonly search: ReadySearch; readonly shown: ClinicDate }
  | ({ readonly step: 'confirm' } & Picked)
  | ({ readonly step: 'payment'; readonly chargeCents: number } & Picked)
  | { readonly step: 'booked'; readonly booked: BookedAppointment };

export type Step = Draft['step'];

/** The steps, in their order. */
export const STEPS: readonly Step[] = [
  'schedule',
  'displaySchedule',
  'confirm',
  'payment',
  'booked',
];

/** The appointment that this journey moves; its type is preset and locked. */
export interface RescheduleOf {
  readonly appointmentId: string;
  readonly type: AppointmentTypeCode;
}

/** Position of a journey, without the slot and the answers, which only the service keeps. */
export interface Place {
  readonly step: Step;
  readonly search: Search;
  readonly rescheduleOf: RescheduleOf | null;
}

function isReady(search: Search): search is ReadySearch {
  return search.type !== null && search.doctor !== null && search.date !== null;
}

export function sameSlot(one: PickedSlot, other: PickedSlot): boolean {
  return one.doctor === other.doctor && one.start === other.start && one.end === other.end;
}

export interface Journey {
  readonly draft: Draft;
  /** The answers survive every detour; they end with the booking or a reset. */
  readonly answers: AppointmentAnswers;
  readonly rescheduleOf: RescheduleOf | null;
  /** True when the patient accepted the fee of the chosen type in the warning. */
  readonly feeAccepted: boolean;
  /** Message on the step that the patient was brought back to, or null. */
  readonly notice: string | null;
}

export type JourneyEvent =
  | { readonly type: 'choose'; readonly search: Search }
  /** `notice` is a message for the patient above the times. */
  | { readonly type: 'search'; readonly firstDay: ClinicDate; readonly notice?: string }
  | { readonly type: 'show'; readonly day: ClinicDate }
  | {
      readonly type: 'pick';
      readonly slot: PickedSlot;
      readonly form: AppointmentForm;
      readonly requestKey: string;
      /** The answers given for the appointment that is being moved. */
      readonly answered?: ApiAnswers | null;
    }
  | { readonly type: 'answer'; readonly reason: string }
  | { readonly type: 'tellOfCrash'; readonly crash: Partial<CrashAnswers> }
  /** `requestKey` names the lost slot; without it, the slot in hand is meant. */
  | { readonly type: 'slotLost'; readonly message: string; readonly requestKey?: string }
  | { readonly type: 'acceptFee' }
  | { readonly type: 'pay'; readonly chargeCents: number }
  | { readonly type: 'priced'; readonly chargeCents: number }
  | { readonly type: 'booked'; readonly booked: BookedAppointment }
  | { readonly type: 'back' }
  | { readonly type: 'resume'; readonly held: HeldDraft }
  /** From another page: begins a new journey, for a type or to move an appointment. */
  | { readonly type: 'start'; readonly at: Place }
  /** Returns to a place where this journey, or the one before a reload, has been. */
  | { readonly type: 'return'; readonly at: Place }
  | { readonly type: 'reset' };

/** A hold read back from the service, with the answers that its draft kept. */
export interface HeldDraft {
  readonly search: ReadySearch;
  readonly slot: PickedSlot;
  readonly form: AppointmentForm;
  readonly requestKey: string;
  readonly answers: ApiAnswers | null;
  readonly rescheduleOf: RescheduleOf | null;
}

export const NEW_JOURNEY: Journey = {
  draft: { step: 'schedule', search: { type: null, doctor: 'earliest', date: null } },
  answers: NO_ANSWERS,
  rescheduleOf: null,
  feeAccepted: false,
  notice: null,
};

/** A journey, and the function that reports events to it. */
export interface OpenJourney {
  readonly journey: Journey;
  readonly send: (event: JourneyEvent) => void;
}

/** The journey's search; null once the journey is booked. */
export function searchOf(draft: Draft): Search | null {
  return draft.step === 'booked' ? null : draft.search;
}

/** The slot in hand or just booked; null before confirm. */
export function slotOf(draft: Draft): PickedSlot | null {
  if (draft.step === 'booked') return draft.booked.slot;
  return draft.step === 'confirm' || draft.step === 'payment' ? draft.slot : null;
}

type At<OneStep extends Step> = Extract<Draft, { step: OneStep }>;

/**
 * The reducer of the journey (§4 Booking flow), with the specification's five states and no other.
 * A step's draft holds what earlier steps settled, so that no screen meets a half-filled booking. A
 * step ignores events that it does not know. There is no I/O here: the screens call the service and
 * report the outcome.
 */
export function nextJourney(journey: Journey, event: JourneyEvent): Journey {
  const { draft } = journey;
  if (event.type === 'reset') return NEW_JOURNEY;
  if (event.type === 'start') return started(event.at);
  if (event.type === 'return') return returned(journey, event.at);
  // A booking is shown wherever the patient went while the answer was on its way.
  if (event.type === 'booked')
    return { ...NEW_JOURNEY, draft: { step: 'booked', booked: event.booked } };
  switch (draft.step) {
    case 'schedule':
      return choosing(journey, draft, event);
    case 'displaySchedule':
      return looking(journey, draft, event);
    case 'confirm':
      return confirming(journey, draft, event);
    case 'payment':
      return paying(journey, draft, event);
    case 'booked':
      return journey;
  }
}

/** A new journey on step 1, with the type chosen, and locked when an appointment is moved. */
function started({ search: { type }, rescheduleOf }: Place): Journey {
  const search = { type, doctor: 'earliest', date: null } as const;
  return { ...NEW_JOURNEY, draft: { step: 'schedule', search }, rescheduleOf };
}

/**
 * Returns to a place, keeping what the journey knows beyond it: the days that were shown and the
 * slot in hand. A place further on that needs a slot cannot be restored.
 */
function returned(journey: Journey, { step, search, rescheduleOf }: Place): Journey {
  const { draft } = journey;
  if (draft.step === 'booked') return NEW_JOURNEY;
  const isSame =
    journey.rescheduleOf?.appointmentId === rescheduleOf?.appointmentId &&
    draft.search.type === search.type &&
    wishOf(draft.search) === wishOf(search);
  if (isSame && STEPS.indexOf(step) < STEPS.indexOf(draft.step)) return backTo(journey, step);
  const kept = { ...journey, rescheduleOf, notice: null };
  const feeAccepted = journey.feeAccepted && draft.search.type === search.type;
  if (step === 'displaySchedule' && isReady(search) && search.type !== 'F')
    return { ...kept, feeAccepted, draft: { step, search, shown: search.date } };
  const isSearched = draft.step !== 'schedule';
  if (step === 'booked' || (step !== 'schedule' && isSearched)) return journey;
  return { ...kept, feeAccepted, draft: { step: 'schedule', search } };
}

function backTo(journey: Journey, step: Step): Journey {
  const before = nextJourney(journey, { type: 'back' });
  return before === journey || before.draft.step === step ? before : backTo(before, step);
}

const wishOf = ({ doctor }: Search) =>
  doctor === null || doctor === 'earliest' ? doctor : doctor.id;

function choosing(journey: Journey, draft: At<'schedule'>, event: JourneyEvent): Journey {
  const { answers, rescheduleOf, feeAccepted } = journey;
  switch (event.type) {
    case 'choose': {
      const { search } = event;
      if (rescheduleOf !== null && search.type !== rescheduleOf.type) return journey;
      return {
        ...journey,
        draft: { step: 'schedule', search },
        feeAccepted: feeAccepted && search.type === draft.search.type,
        notice: null,
      };
    }
    case 'search': {
      const search = { ...draft.search, date: draft.search.date ?? event.firstDay };
      if (!isReady(search) || search.type === 'F') return journey;
      const days: Draft = { step: 'displaySchedule', search, shown: search.date };
      return { ...journey, draft: days, notice: event.notice ?? null };
    }
    case 'resume': {
      const { search, slot, form, requestKey } = event.held;
      return {
        draft: { step: 'confirm', search, shown: search.date, slot, form, requestKey },
        answers: withKept(answers, form, event.held.answers),
        rescheduleOf: event.held.rescheduleOf,
        feeAccepted: false,
        notice: null,
      };
    }
    default:
      return journey;
  }
}

function looking(journey: Journey, draft: At<'displaySchedule'>, event: JourneyEvent): Journey {
  const { search, shown } = draft;
  switch (event.type) {
    case 'show':
      return { ...journey, draft: { ...draft, shown: event.day }, notice: null };
    case 'pick': {
      const { slot, form, requestKey, answered = null } = event;
      const inHand: Draft = { step: 'confirm', search, shown, slot, form, requestKey };
      // Words that the patient has written since take precedence over the old answers.
      const { reason } = apiAnswers(journey.answers, form);
      const answers = reason === '' ? withKept(journey.answers, form, answered) : journey.answers;
      return { ...journey, draft: inHand, answers, notice: null };
    }
    case 'back':
      return { ...journey, draft: { step: 'schedule', search }, notice: null };
    default:
      return journey;
  }
}

function confirming(journey: Journey, draft: At<'confirm'>, event: JourneyEvent): Journey {
  const { answers } = journey;
  switch (event.type) {
    case 'answer':
      return { ...journey, answers: withReason(answers, draft.form, event.reason) };
    case 'tellOfCrash':
      return { ...journey, answers: { ...answers, crash: { ...answers.crash, ...event.crash } } };
    case 'acceptFee':
      return { ...journey, feeAccepted: true };
    case 'pay': {
      const { chargeCents } = event;
      return { ...journey, draft: { ...draft, step: 'payment', chargeCents } };
    }
    case 'slotLost':
      return isInHand(draft, event.requestKey) ? toSlots(journey, draft, event.message) : journey;
    case 'back':
      return toSlots(journey, draft, null);
    default:
      return journey;
  }
}

function paying(journey: Journey, draft: At<'payment'>, event: JourneyEvent): Journey {
  switch (event.type) {
    case 'acceptFee':
      return { ...journey, feeAccepted: true };
    // The price changed since it was shown: an earlier acceptance no longer counts.
    case 'priced': {
      const { chargeCents } = event;
      return { ...journey, draft: { ...draft, chargeCents }, feeAccepted: false };
    }
    case 'slotLost':
      return isInHand(draft, event.requestKey) ? toSlots(journey, draft, event.message) : journey;
    case 'back': {
      const { search, shown, slot, form, requestKey } = draft;
      return { ...journey, draft: { step: 'confirm', search, shown, slot, form, requestKey } };
    }
    default:
      return journey;
  }
}

function isInHand(draft: At<'confirm' | 'payment'>, requestKey: string | undefined): boolean {
  return requestKey === undefined || draft.requestKey === requestKey;
}

/** Goes back to the slots; the slot is no longer in hand. */
function toSlots(journey: Journey, draft: At<'confirm' | 'payment'>, notice: string | null) {
  const { search, shown } = draft;
  return { ...journey, draft: { step: 'displaySchedule', search, shown } as const, notice };
}
