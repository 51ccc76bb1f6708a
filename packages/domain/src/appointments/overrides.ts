import type { ReservationRefusal } from './reservation.ts';

/**
 * what keeps a patient from an appointment, and whether staff may book it all the same and say
 * why. Never a time that is taken, the end of the booking window, or what is under way already.
 */
const MAY_OVERRIDE: Readonly<Record<ReservationRefusal, boolean>> = {
  oneEachDay: true,
  twoUpcoming: true,
  doctorFamilyOnly: true,
  doctorNoPcp: true,
  primaryDoctorUnknown: true,
  doctorNotAvailable: true,
  slotTooSoon: true,
  notReschedulable: true,
  bookingBlocked: true,
  typeNotOffered: true,
  slotNotOffered: true,
  documentsMissing: true,
  linkStands: false,
  linkTooSoon: false,
  slotTaken: false,
  slotTooLate: false,
  medicalProfileMissing: false,
  paymentRequired: false,
  paymentUnderWay: false,
  nothingToPay: false,
  clinicConfirming: false,
  holdGone: false,
  notFound: false,
  rescheduleUnclear: false,
  requestReused: false,
  tooManyRequests: false,
};

/** Whether staff may book all the same, with a reason. */
export const mayOverride = (code: string | null): boolean =>
  code !== null && code in MAY_OVERRIDE && MAY_OVERRIDE[code as ReservationRefusal];

/** Why staff book what a patient could not; the trail keeps it. */
export const OVERRIDE_REASONS = [
  'walkIn',
  'urgent',
  'clinician',
  'documentsSeen',
  'other',
] as const;
export type OverrideReason = (typeof OVERRIDE_REASONS)[number];
