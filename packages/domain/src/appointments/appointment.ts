import type { EpochSeconds } from '../clinic-time.ts';

/** An appointment as the appointment rules see it. */
export interface Appointment {
  readonly start: EpochSeconds;
  /** 'other' stands for every status that the specification does not name. */
  readonly status: 'booked' | 'registered' | 'cancelled' | 'other';
  /** Null when the appointment has none: it then shows without buttons. */
  readonly bookingId: string | null;
  /** Anything but false lets the patient cancel. */
  readonly isCancellable: boolean | null;
  readonly isReschedulable: boolean;
  readonly paidCents: number;
}

/**
 * Whether the appointment still lies ahead and stands: booked or registered, start after now. See
 *
 */
export function isEditable(
  appointment: Pick<Appointment, 'status' | 'start'>,
  now: EpochSeconds,
): boolean {
  const stands = appointment.status === 'booked' || appointment.status === 'registered';
  return stands && appointment.start > now;
}
