import type { EpochSeconds } from '../clinic-time.ts';
import { HIGH_FEE_CENTS } from '../fees/fee-policies.ts';
import { isBooked } from './appointment-state.ts';
import type { Appointment } from './appointment.ts';

/** A patient may cancel only more than this many seconds before the start. */
export const CANCEL_NOTICE_SECONDS = 6 * 3600;
/** A patient may reschedule only more than this many seconds before the start. */
export const RESCHEDULE_NOTICE_SECONDS = 24 * 3600;

/** Whether the appointment stands and starts in the future.. */
export const isEditable = (
  appointment: Pick<Appointment, 'state' | 'start'>,
  now: EpochSeconds,
): boolean => isBooked(appointment) && appointment.start > now;

/** For 'noBooking' and 'notEditable' no button is shown; for the others it is shown struck through. */
export type CancelRefusal = 'noBooking' | 'notEditable' | 'notCancellable' | 'paid' | 'tooLate';
export type RescheduleRefusal = 'noBooking' | 'notEditable' | 'notReschedulable' | 'tooLate';

/**
 * Why the patient cannot cancel, or null: paid 140 or more, or 6 hours ahead or less.. A patient
 * whom the clinic moved may cancel until the start..
 */
export function whyCannotCancel(
  appointment: Omit<Appointment, 'isReschedulable'>,
  now: EpochSeconds,
): CancelRefusal | null {
  if (!isEditable(appointment, now)) return 'notEditable';
  if (appointment.bookingNumber === null) return 'noBooking';
  // Once the patient has arrived, the appointment cannot be cancelled.
  if (appointment.movedByClinic) return appointment.state === 'registered' ? 'tooLate' : null;
  if (appointment.isCancellable === false) return 'notCancellable';
  if (appointment.paidNow >= HIGH_FEE_CENTS) return 'paid';
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
      /** The change is refused from this instant on; null when the start is not chosen yet. */
      readonly before: EpochSeconds | null;
    }
  | { readonly allowed: false; readonly why: Refusal };

/** What an appointment still allows its patient at an instant, and what that costs. */
export interface AllowedChanges {
  readonly cancel: AllowedChange<CancelRefusal>;
  readonly reschedule: AllowedChange<RescheduleRefusal>;
  /** In cents: what the clinic keeps of the fee when the patient cancels, and what it pays back. */
  readonly feeKeptCents: number;
  readonly feeBackCents: number;
  /** True when it starts so soon that it cannot be cancelled and a No Show fee applies. */
  readonly noShowNote: boolean;
}

/** An appointment, or one about to be booked whose start is not chosen yet. */
export type Changeable = Omit<Appointment, 'start'> & { readonly start: EpochSeconds | null };

/**
 * What the patient may still do about an appointment. Every sentence about cancelling and rescheduling comes
 * from here, and the service decides with the same two functions..
 */
export function allowedChanges(appointment: Changeable, now: EpochSeconds): AllowedChanges {
  const { start, paidNow, movedByClinic } = appointment;
  // While the start is not chosen, no notice is too short.
  const known = { ...appointment, start: start ?? Number.POSITIVE_INFINITY };
  const change = <Refusal>(why: Refusal | null, notice: number): AllowedChange<Refusal> =>
    why === null
      ? { allowed: true, before: start === null ? null : start - notice }
      : { allowed: false, why };
  return {
    cancel: change(whyCannotCancel(known, now), movedByClinic ? 0 : CANCEL_NOTICE_SECONDS),
    reschedule: change(whyCannotReschedule(known, now), RESCHEDULE_NOTICE_SECONDS),
    feeKeptCents: movedByClinic ? 0 : paidNow,
    feeBackCents: movedByClinic ? paidNow : 0,
    noShowNote: !movedByClinic && showsNoShowNote(known.start, now),
  };
}

/**
 * Whether Appointment Details says that the appointment cannot be cancelled: 6 hours ahead or less.
 *
 */
export const showsNoShowNote = (start: EpochSeconds, now: EpochSeconds): boolean =>
  start - now <= CANCEL_NOTICE_SECONDS;
