import type { AppointmentTypeCode } from '../booking/appointment-type.ts';
import type { EpochSeconds } from '../clinic-time.ts';
import { HIGH_FEE_CENTS } from '../fees/fees.ts';

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
  /** The clinic moved it to where it is, and its patient had not asked for that. */
  readonly movedByClinic: boolean;
}

/** A span of one provider's time. */
export interface Span {
  readonly providerId: string;
  readonly start: EpochSeconds;
  /** Exclusive. */
  readonly end: EpochSeconds;
}

/** A slot that a patient asks for; of its end the clinic decides. */
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
  /** Since when the EMR is to cancel it, which it has not confirmed yet. */
  readonly cancelAskedAt: EpochSeconds | null;
  readonly rescheduledFrom: string | null;
  /** Names the request that made it. */
  readonly requestKey: string | null;
  readonly isCancellable: boolean;
  /** Who of the staff booked it, holds it or moved it here; null where its patient did. */
  readonly bookedBy: string | null;
}

/** staff hold it for the patient, who is to pay by a link. */
export function isLinked({
  state,
  confirming,
  bookedBy,
}: Pick<OwnAppointment, 'state' | 'confirming' | 'bookedBy'>): boolean {
  return state === 'held' && !confirming && bookedBy !== null;
}

/** Whether a hold still keeps its slot from others. */
export function standsHeld(own: OwnAppointment, now: EpochSeconds): boolean {
  return own.state === 'held' && (own.confirming || own.paying || now < (own.holdExpiresAt ?? 0));
}

/** So long the clinic is confirming what its EMR has not answered yet, and never beyond its start. */
export const CONFIRMING_SECONDS = 30 * 60;

/** When an appointment that the clinic is confirming ends as not booked.. */
export function confirmingUntil(held: {
  readonly start: EpochSeconds;
  /** Since when it is confirmed. */
  readonly changedAt: EpochSeconds;
}): EpochSeconds {
  return Math.min(held.start, held.changedAt + CONFIRMING_SECONDS);
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

/** Whether both begin at one instant with one provider; how long they last may differ. */
export function sameStart(
  a: Pick<Span, 'providerId' | 'start'>,
  b: Pick<Span, 'providerId' | 'start'>,
): boolean {
  return a.providerId === b.providerId && a.start === b.start;
}

/** An appointment is cancelled more than this many seconds ahead. */
export const CANCEL_NOTICE_SECONDS = 6 * 3600;
/** An appointment is moved more than this many seconds ahead. */
export const RESCHEDULE_NOTICE_SECONDS = 24 * 3600;

/** 'noBooking' and 'notEditable' show no button at all; the others show it struck through. */
export type CancelRefusal = 'noBooking' | 'notEditable' | 'notCancellable' | 'paid' | 'tooLate';
export type RescheduleRefusal = 'noBooking' | 'notEditable' | 'notReschedulable' | 'tooLate';

/**
 * Why the patient cannot cancel, or null: paid 140 or more, or 6 hours ahead or less.. Whom
 * the clinic moved may until the start..
 */
export function whyCannotCancel(appointment: Appointment, now: EpochSeconds): CancelRefusal | null {
  if (!isEditable(appointment, now)) return 'notEditable';
  if (appointment.bookingNumber === null) return 'noBooking';
  // Whom staff have seen come, they keep.
  if (appointment.movedByClinic) return appointment.state === 'registered' ? 'tooLate' : null;
  if (appointment.isCancellable === false) return 'notCancellable';
  if (appointment.paidCents >= HIGH_FEE_CENTS) return 'paid';
  return appointment.start - now > CANCEL_NOTICE_SECONDS ? null : 'tooLate';
}

/**
 * Why the patient cannot reschedule, or null: not reschedulable, or 24 hours ahead or less. See
 *
 */
export function whyCannotReschedule(
  appointment: Appointment,
  now: EpochSeconds,
): RescheduleRefusal | null {
  if (!isEditable(appointment, now)) return 'notEditable';
  if (appointment.bookingNumber === null) return 'noBooking';
  if (!appointment.isReschedulable) return 'notReschedulable';
  return appointment.start - now > RESCHEDULE_NOTICE_SECONDS ? null : 'tooLate';
}

/** A change that is allowed until an instant, or why it is not. */
export type AllowedChange<Refusal> =
  | {
      readonly allowed: true;
      /** From this instant on it is refused; null while it is open when the appointment starts. */
      readonly before: EpochSeconds | null;
    }
  | { readonly allowed: false; readonly why: Refusal };

/** What an appointment still allows its patient at an instant, and what that costs. */
export interface AllowedChanges {
  readonly cancel: AllowedChange<CancelRefusal>;
  readonly reschedule: AllowedChange<RescheduleRefusal>;
  /** What a patient who cancels does not get back, and what they do, in cents. */
  readonly feeKeptCents: number;
  readonly feeBackCents: number;
  /** It starts so soon that it cannot be cancelled and a No Show fee applies. */
  readonly noShowNote: boolean;
}

/** An appointment, or one that is about to be booked, of which only the start is open. */
export type Changeable = Omit<Appointment, 'start'> & { readonly start: EpochSeconds | null };

/**
 * What may still be done about an appointment: the one source of every sentence about
 * cancelling and rescheduling. The service decides with the same two functions..
 */
export function allowedChanges(appointment: Changeable, now: EpochSeconds): AllowedChanges {
  const { start, paidCents, movedByClinic } = appointment;
  // Where the start is open, nothing is too late yet.
  const known = { ...appointment, start: start ?? Number.POSITIVE_INFINITY };
  const change = <Refusal>(why: Refusal | null, notice: number): AllowedChange<Refusal> =>
    why === null
      ? { allowed: true, before: start === null ? null : start - notice }
      : { allowed: false, why };
  return {
    cancel: change(whyCannotCancel(known, now), movedByClinic ? 0 : CANCEL_NOTICE_SECONDS),
    reschedule: change(whyCannotReschedule(known, now), RESCHEDULE_NOTICE_SECONDS),
    feeKeptCents: movedByClinic ? 0 : paidCents,
    feeBackCents: movedByClinic ? paidCents : 0,
    noShowNote: !movedByClinic && showsNoShowNote(known.start, now),
  };
}

/**
 * Whether Appointment Details says that the appointment cannot be cancelled: 6 hours ahead or less.
 *
 */
export function showsNoShowNote(start: EpochSeconds, now: EpochSeconds): boolean {
  return start - now <= CANCEL_NOTICE_SECONDS;
}
