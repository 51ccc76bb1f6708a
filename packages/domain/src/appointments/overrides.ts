/**
 * for each reason that keeps a patient from an appointment, whether staff may book despite it if they
 * say why. They never may for a time that is taken, past the booking window, or while something is under way.
 */
const MAY_OVERRIDE = {
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
  linkNotOffered: false,
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
export type ReservationRefusal = keyof typeof MAY_OVERRIDE;

/** Whether staff may book despite this refusal, with a reason. */
export const mayOverride = (code: string | null): boolean =>
  code !== null && code in MAY_OVERRIDE && MAY_OVERRIDE[code as ReservationRefusal];

/** Why staff book what the patient could not; kept in the audit trail. */
export const OVERRIDE_REASONS = [
  'walkIn',
  'urgent',
  'clinician',
  'documentsSeen',
  'clinicMoved',
  'other',
] as const;
export type OverrideReason = (typeof OVERRIDE_REASONS)[number];

/** Why staff cancel for a patient who could not cancel. */
export const CANCEL_REASONS = ['urgent', 'clinician', 'other'] as const satisfies OverrideReason[];
