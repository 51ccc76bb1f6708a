import { whyCannotReschedule } from '@clinic/domain';
import type { Appointment, EpochSeconds } from '@clinic/domain';

import { standsBooked } from './appointment.ts';
import type { StoredAppointment, SlotRequest } from './appointment.ts';
import { refused } from './refusals.ts';
import type { BookingRefusal } from './refusals.ts';

/** An appointment as the rules about changing an appointment see it. */
export function asAppointment(appointment: StoredAppointment): Appointment {
  return {
    start: appointment.start,
    status:
      appointment.state === 'booked' || appointment.state === 'registered'
        ? appointment.state
        : 'other',
    bookingId: appointment.bookingNumber,
    isCancellable: appointment.isCancellable,
    isReschedulable: appointment.isReschedulable,
    paidCents: appointment.paidCents,
  };
}

/**
 * The appointment that a reschedule moves: the one named, else the one of the hold, else the only
 * reschedulable upcoming appointment of the type. Own, standing, same type and more than 24 hours ahead –
 * unless the hold that stands was made for this appointment: then the 24 hours were decided there.
 * `own` are the patient's standing appointments and the one named; an appointment that is not among them is not
 * the patient's.
 */
export function rescheduleTarget(
  own: readonly StoredAppointment[],
  slot: SlotRequest,
  named: string | null,
  hold: StoredAppointment | null,
  now: EpochSeconds,
): StoredAppointment | BookingRefusal {
  const appointments = own.filter(standsBooked);
  const id = named ?? hold?.rescheduledFrom ?? null;
  if (id === null) {
    const candidates = appointments.filter(
      (appointment) =>
        appointment.type === slot.type &&
        whyCannotReschedule(asAppointment(appointment), now) === null,
    );
    const [only] = candidates;
    return only && candidates.length === 1 ? only : refused('rescheduleUnclear');
  }
  const appointment = own.find((each) => each.id === id && each.state !== 'held');
  if (!appointment) return refused('notFound');
  if (appointment.type !== slot.type || !standsBooked(appointment))
    return refused('notReschedulable');
  const decidedAt =
    hold !== null && hold.rescheduledFrom === appointment.id ? (hold.holdPlacedAt ?? now) : now;
  return whyCannotReschedule(asAppointment(appointment), decidedAt) === null
    ? appointment
    : refused('notReschedulable');
}
