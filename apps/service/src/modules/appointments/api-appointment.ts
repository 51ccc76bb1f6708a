import type { ApiAppointment } from '@clinic/contract';
import { dollarsOf, isEditable } from '@clinic/domain';
import type { Doctor, EpochSeconds } from '@clinic/domain';

import type { StoredAppointment, AppointmentState } from './appointment.ts';
import { asAppointment } from './reschedule-target.ts';

/** A moved appointment shows as the cancelled one that it is to the patient (§4 Reschedule, R-52). */
function statusOf(state: AppointmentState): ApiAppointment['status'] {
  switch (state) {
    case 'rescheduled':
      return 'cancelled';
    case 'held':
    case 'released':
      throw new Error(`An appointment that is ${state} is not listed`);
    default:
      return state;
  }
}

/**
 * An appointment as the list call shows it (§3 Appointment). `isCancellable` and `isReschedulable` say what
 * policy and clinic allow; price and time come on top, in the browser's words.
 */
export function apiAppointment(
  appointment: StoredAppointment,
  description: string,
  doctor: Pick<Doctor, 'firstName' | 'lastName'> | null,
  now: EpochSeconds,
): ApiAppointment {
  const status = statusOf(appointment.state);
  return {
    id: appointment.id,
    doctor: appointment.providerId,
    startTime: appointment.start,
    endTime: appointment.end,
    isEditable: isEditable(asAppointment(appointment), now),
    isCancellable: appointment.isCancellable,
    checkin: appointment.checkin,
    description,
    paidAmount: dollarsOf(appointment.paidCents),
    bookingId: appointment.bookingNumber,
    code: appointment.type,
    isReschedulable: appointment.isReschedulable,
    ticklers: [...appointment.ticklers],
    stripePaymentToken: null,
    status,
    ...(status === 'cancelled' ? { providerId: appointment.providerId } : {}),
    displayInfo: doctor && { doctorFirstName: doctor.firstName, doctorLastName: doctor.lastName },
    ...(status === 'booked' ? { bookedAt: appointment.changedAt } : {}),
    contactPreference: appointment.contactPreference,
    sequence: appointment.sequence,
  };
}
