import type { AppointmentTypeCode } from '../booking/appointment-type.ts';
import type { EpochSeconds } from '../clinic-time.ts';

export type AppointmentState =
  | 'held'
  | 'booked'
  | 'registered'
  | 'released'
  | 'cancelled'
  | 'rescheduled'
  | 'no-show'
  | 'completed';

/** An appointment as the rules about changing it see it. */
export interface Appointment {
  readonly start: EpochSeconds;
  readonly state: AppointmentState;
  /** Kept when it moves. Null when the appointment has none: it then shows without buttons. */
  readonly bookingNumber: string | null;
  /** Anything but false lets the patient cancel. */
  readonly isCancellable: boolean | null;
  readonly isReschedulable: boolean;
  readonly paidCents: number;
}

/** A span of one provider's time. */
export interface Span {
  readonly providerId: string;
  readonly start: EpochSeconds;
  /** Exclusive. */
  readonly end: EpochSeconds;
}

/** A slot that a patient asks for. */
export interface SlotRequest extends Span {
  readonly type: AppointmentTypeCode;
}

/** What the rules read of a patient's own appointments: a hold, a booking, or what became of one. */
export interface OwnAppointment extends SlotRequest, Appointment {
  readonly id: string;
  readonly holdPlacedAt: EpochSeconds | null;
  /** Null once the hold was given up; one that lapsed keeps its end. */
  readonly holdExpiresAt: EpochSeconds | null;
  /** The EMR was asked to book it and has not answered yet: it does not lapse. */
  readonly confirming: boolean;
  /** A payment is under way: only the payment books it or lets it go. */
  readonly paying: boolean;
  readonly rescheduledFrom: string | null;
  /** Names the request that made it. */
  readonly requestKey: string | null;
  readonly isCancellable: boolean;
}

/** Whether a hold still keeps its slot from others. */
export function standsHeld(own: OwnAppointment, now: EpochSeconds): boolean {
  return own.state === 'held' && (own.confirming || own.paying || now < (own.holdExpiresAt ?? 0));
}

/** Whether it is booked and was neither ended nor attended. */
export function standsBooked({ state }: Pick<Appointment, 'state'>): boolean {
  return state === 'booked' || state === 'registered';
}

/** Whether it stands and still lies ahead.. */
export function isEditable(
  appointment: Pick<Appointment, 'state' | 'start'>,
  now: EpochSeconds,
): boolean {
  return standsBooked(appointment) && appointment.start > now;
}

export function sameSpan(a: Span, b: Span): boolean {
  return a.providerId === b.providerId && a.start === b.start && a.end === b.end;
}
