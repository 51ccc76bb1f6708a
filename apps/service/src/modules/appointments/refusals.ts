import type { HiddenReason, LimitRefusal } from '@clinic/domain';

import type { FieldProblem } from '../../server/refusal.ts';

/** Every reason for which a booking call says no, by the code whose words the patient reads. */
export type BookingRefusalCode =
  | 'bookingBlocked'
  | 'typeNotOffered'
  | 'slotTaken'
  | 'slotNotOffered'
  | 'slotTooSoon'
  | 'slotTooLate'
  | 'doctorNotAvailable'
  | 'doctorFamilyOnly'
  | 'doctorNoPcp'
  | 'primaryDoctorUnknown'
  | 'holdGone'
  | 'paymentRequired'
  | 'paymentUnderWay'
  | 'nothingToPay'
  | 'documentsMissing'
  | 'medicalProfileMissing'
  | 'oneEachDay'
  | 'twoUpcoming'
  | 'notFound'
  | 'notReschedulable'
  | 'rescheduleUnclear'
  | 'notCancellable'
  | 'requestReused'
  | 'clinicConfirming'
  | 'tooManyRequests'
  | 'invalidInput';

export interface BookingRefusal {
  readonly kind: 'refused';
  readonly code: BookingRefusalCode;
  /** Fields that cannot be accepted, with the words to show beside them. */
  readonly errors?: readonly FieldProblem[];
  /** Seconds, of `tooManyRequests`. */
  readonly retryAfter?: number;
}

export function refused(
  code: BookingRefusalCode,
  errors?: readonly FieldProblem[],
): BookingRefusal {
  return errors ? { kind: 'refused', code, errors } : { kind: 'refused', code };
}

/** Why a slot is hidden, in the words of the booking calls. */
export function refusalOfHidden(reason: HiddenReason): BookingRefusalCode {
  switch (reason) {
    case 'familyOnly':
      return 'doctorFamilyOnly';
    case 'noPcpConflict':
      return 'doctorNoPcp';
    case 'primaryDoctorUnknown':
      return 'primaryDoctorUnknown';
    case 'inactive':
    case 'hidden':
    case 'disabled':
    case 'blocked':
      return 'doctorNotAvailable';
    case 'notGiven':
    case 'otherType':
      return 'slotNotOffered';
    case 'booked':
      return 'slotTaken';
    case 'tooSoon':
      return 'slotTooSoon';
    case 'tooLate':
      return 'slotTooLate';
  }
}

export function refusalOfLimit(limit: LimitRefusal): BookingRefusalCode {
  return limit === 'onePerDay' ? 'oneEachDay' : 'twoUpcoming';
}
