import type { WireAppointment } from '@clinic/contract';
import { dollarsOf, isEditable } from '@clinic/domain';
import type { Doctor, EpochSeconds } from '@clinic/domain';

import type { Claim, ClaimState } from './claim.ts';
import { asAppointment } from './reschedule-target.ts';

/** A moved visit shows as the cancelled one that it is to the patient (§4 Reschedule, R-52). */
function statusOf(state: ClaimState): WireAppointment['status'] {
  switch (state) {
    case 'rescheduled':
      return 'cancelled';
    case 'held':
    case 'released':
      throw new Error(`A claim that is ${state} is no visit`);
    default:
      return state;
  }
}

/**
 * A visit as the list call shows it (§3 Appointment). `isCancellable` and `isReschedulable` say what
 * policy and clinic allow; price and time come on top, in the browser's words.
 */
export function wireAppointment(
  claim: Claim,
  description: string,
  doctor: Pick<Doctor, 'firstName' | 'lastName'> | null,
  now: EpochSeconds,
): WireAppointment {
  const status = statusOf(claim.state);
  return {
    id: claim.id,
    doctor: claim.providerId,
    startTime: claim.start,
    endTime: claim.end,
    isEditable: isEditable(asAppointment(claim), now),
    isCancellable: claim.isCancellable,
    checkin: claim.checkin,
    description,
    paidAmount: dollarsOf(claim.paidCents),
    bookingId: claim.bookingNumber,
    code: claim.type,
    isReschedulable: claim.isReschedulable,
    ticklers: [...claim.ticklers],
    stripePaymentToken: null,
    status,
    ...(status === 'cancelled' ? { providerId: claim.providerId } : {}),
    displayInfo: doctor && { doctorFirstName: doctor.firstName, doctorLastName: doctor.lastName },
    ...(status === 'booked' ? { bookedAt: claim.changedAt } : {}),
    contactPreference: claim.contactPreference,
    sequence: claim.sequence,
  };
}
