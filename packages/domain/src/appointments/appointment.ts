import type { AppointmentTypeCode } from '../booking/appointment-type.ts';
import type { EpochSeconds } from '../clinic-time.ts';
import { isUnderWay, mayLapse } from './appointment-state.ts';
import type { AppointmentState } from './appointment-state.ts';

/** An appointment as the rules about changing it see it. */
export interface Appointment {
  readonly start: EpochSeconds;
  readonly state: AppointmentState;
  /** Stays the same when the appointment moves. Null when it has none: it is then shown without buttons. */
  readonly bookingNumber: string | null;
  /** The patient may cancel unless this is false. */
  readonly isCancellable: boolean | null;
  readonly isReschedulable: boolean;
  /** What is paid for it now, in cents. */
  readonly paidNow: number;
  /** True when the clinic moved the appointment here and the patient had not asked for that. */
  readonly movedByClinic: boolean;
}

/** A span of one provider's time. */
export interface Span {
  readonly providerId: string;
  readonly start: EpochSeconds;
  /** Exclusive. */
  readonly end: EpochSeconds;
}

/** A slot that a patient asks for. The clinic decides its end. */
export interface SlotRequest extends Span {
  readonly type: AppointmentTypeCode;
}

/** What the rules read of a patient's own appointments: holds, bookings, and ended ones. */
export interface OwnAppointment extends SlotRequest, Appointment {
  readonly id: string;
  readonly holdPlacedAt: EpochSeconds | null;
  /** Until when a hold that may lapse lasts. */
  readonly holdExpiresAt: EpochSeconds | null;
  /** When the EMR was first asked to cancel it, which the EMR has not confirmed yet. */
  readonly cancelAskedAt: EpochSeconds | null;
  readonly rescheduledFrom: string | null;
  /** The key of the request that made it. */
  readonly requestKey: string | null;
  readonly isCancellable: boolean;
  /** The staff member who booked, holds or moved it; null when the patient did. */
  readonly bookedBy: string | null;
}

/** Whether a hold still keeps its slot from other patients. */
export const isActiveHold = (own: OwnAppointment, now: EpochSeconds): boolean =>
  isUnderWay(own) || (mayLapse(own) && now < (own.holdExpiresAt ?? 0));

/** How long the clinic waits at most for the EMR to confirm a booking. The wait also ends at the start. */
export const CONFIRMING_SECONDS = 30 * 60;

/** When a booking that the EMR does not confirm ends as not booked.. */
export function confirmingUntil(held: {
  readonly start: EpochSeconds;
  /** When the confirming began. */
  readonly changedAt: EpochSeconds;
}): EpochSeconds {
  return Math.min(held.start, held.changedAt + CONFIRMING_SECONDS);
}

/** Whether both start at the same instant with the same provider; their lengths may differ. */
type Place = Pick<Span, 'providerId' | 'start'>;
export const sameStart = (a: Place, b: Place): boolean =>
  a.providerId === b.providerId && a.start === b.start;

export const overlaps = (a: Span, b: Span): boolean =>
  a.providerId === b.providerId && a.start < b.end && b.start < a.end;
