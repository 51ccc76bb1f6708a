export { expireHolds, settleUnknown } from './expire-holds.ts';
export { holdForPayment } from './hold-for-payment.ts';
export type { BeginPayment, PayableHold } from './hold-for-payment.ts';
export {
  bookInRecords,
  claimFactOf,
  confirmClaim,
  lockPaidClaim,
  prolongForBank,
  releasePaidClaim,
  stopPaying,
} from './paid-claim.ts';
export type { Claim } from './paid-claim.ts';
export { cancelByClinic, releaseByClinic } from './cancel-by-clinic.ts';
export { claimsOnDay } from './day-claims.store.ts';
export type { DayClaim } from './day-claims.store.ts';
export { requestKey } from './request-key.ts';
export { claims } from './claims.store.ts';
export type { BookingPorts, CountedPorts, HeldPayments } from './ports.ts';
export type { BookingRefusal } from './refusals.ts';
export { answersContext } from './visit.ts';
export type { Visit, VisitRequest } from './visit.ts';
export { releaseHoldIn } from './release-hold.ts';
export { registerBooking } from './routes.ts';
export { visitsOf } from './visits.store.ts';
export type { ListedVisit } from './visits.store.ts';
export { wireAppointment } from './wire-appointment.ts';
