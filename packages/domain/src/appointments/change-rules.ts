import type { EpochSeconds } from '../clinic-time.ts';
import { HIGH_FEE_CENTS } from '../fees/fee.ts';
import { isEditable } from './appointment.ts';
import type { Appointment } from './appointment.ts';

/** A visit is cancelled more than this many seconds ahead (§5, R-53). */
export const CANCEL_NOTICE_SECONDS = 6 * 3600;
/** A visit is moved more than this many seconds ahead (§5, R-53). */
export const RESCHEDULE_NOTICE_SECONDS = 24 * 3600;

/** 'noBooking' and 'notEditable' show no button at all; the others show it struck through. */
export type CancelRefusal = 'noBooking' | 'notEditable' | 'notCancellable' | 'paid' | 'tooLate';
export type RescheduleRefusal = 'noBooking' | 'notEditable' | 'notReschedulable' | 'tooLate';

/** Why the patient cannot cancel, or null: paid 140 or more, or 6 hours ahead or less. */
export function whyCannotCancel(appointment: Appointment, now: EpochSeconds): CancelRefusal | null {
  if (!isEditable(appointment, now)) return 'notEditable';
  if (appointment.bookingId === null) return 'noBooking';
  if (appointment.isCancellable === false) return 'notCancellable';
  if (appointment.paidCents >= HIGH_FEE_CENTS) return 'paid';
  return appointment.start - now > CANCEL_NOTICE_SECONDS ? null : 'tooLate';
}

/** Why the patient cannot reschedule, or null: not reschedulable, or 24 hours ahead or less. */
export function whyCannotReschedule(
  appointment: Appointment,
  now: EpochSeconds,
): RescheduleRefusal | null {
  if (!isEditable(appointment, now)) return 'notEditable';
  if (appointment.bookingId === null) return 'noBooking';
  if (!appointment.isReschedulable) return 'notReschedulable';
  return appointment.start - now > RESCHEDULE_NOTICE_SECONDS ? null : 'tooLate';
}

/** Whether Appointment Details says that the visit cannot be cancelled: 6 hours ahead or less. */
export function showsNoShowNote(start: EpochSeconds, now: EpochSeconds): boolean {
  return start - now <= CANCEL_NOTICE_SECONDS;
}
