import type { ApiAppointment } from '@clinic/contract';
import type { AppointmentTypeCode, ClinicDate, EpochSeconds } from '@clinic/domain';

/** Which doctor a patient asks for on step 1. */
type DoctorWish = 'earliest' | { readonly id: string };

/**
 * What step 1 asks. `date` is null until the patient picks a day; the first open day then counts.
 */
export interface Search {
  readonly type: AppointmentTypeCode | null;
  readonly doctor: DoctorWish | null;
  readonly date: ClinicDate | null;
}

/** A search that step 2 can run. */
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

/** A slot in hand. The request key names this one booking however often it is sent. */
interface Picked {
  readonly search: ReadySearch;
  /** The first day on the grid, so that Back returns to the same place. */
  readonly shown: ClinicDate;
  readonly slot: PickedSlot;
  readonly requestKey: string;
}

/** How a journey ended; the title of its last page depends on it. */
export interface BookedAppointment {
  /** Names the appointment in calendars, as its emails do. */
  readonly bookingNumber: string;
  /** As the service has it now; null where the answer did not show it. */
  readonly appointment: ApiAppointment | null;
  readonly type: AppointmentTypeCode;
  readonly slot: PickedSlot;
  readonly outcome: 'booked' | 'rescheduled' | 'paid';
  /** What was paid now, and what the patient quotes about it. */
  readonly receipt?: { readonly cents: number; readonly reference: string | null };
  /** The old appointment still stands although the new one is booked. */
  readonly oldAppointmentStands: boolean;
}

/** The journey so far: each step has exactly what the steps before it have settled. */
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

/** The appointment that this journey moves: the type is preset and locked. */
export interface RescheduleOf {
  readonly appointmentId: string;
  readonly type: AppointmentTypeCode;
  readonly description: string;
}

export function isReady(search: Search): search is ReadySearch {
  return search.type !== null && search.doctor !== null && search.date !== null;
}

export function sameSlot(one: PickedSlot, other: PickedSlot): boolean {
  return one.doctor === other.doctor && one.start === other.start && one.end === other.end;
}
