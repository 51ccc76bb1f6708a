export { previewEmails } from './emails/emails.ts';
export {
  bookingStatusOf,
  expireHolds,
  lockAppointmentOfPayment,
  releaseHold,
  releaseHoldIn,
  type PaymentEffect,
  applyPaymentStep,
} from './holds.ts';
export { answersContext, openedAnswers } from './answers.ts';
export { type BookingFacts, bookingFacts } from './booking-context.store.ts';
export { bookForPatient, holdForPayment } from './reserve.ts';
export { bookingRequest, registerBooking, shownAppointment } from './routes.ts';
export { changeFees, noteFee } from './by-staff/fees.ts';
export { endPaymentLink } from './by-staff/staff-booking.ts';
export { noteAttendanceAtDesk, takeBackNoShow } from './by-staff/attendance.ts';
export { spentStaffActs, undoableAct } from './by-staff/staff-acts.store.ts';
export { undoAct } from './by-staff/undo.ts';
export {
  type MayCancel,
  cancelByClinic,
  cancelForPatient,
  mayCancelIn,
  releaseByClinic,
} from './cancel.ts';
export {
  APPOINTMENTS,
  BUSY_SPANS,
  FEE_DUE,
  DESK_APPOINTMENTS,
  LAST_APPOINTMENT,
  type StandingOnDay,
  cancelledSince,
  eraseAppointments,
  eraseAppointmentsOfRecord,
  firstMade,
  holdFigures,
  moveToRecord,
  nextProviderOf,
  ownAppointments,
  requestedBy,
  returnToRecord,
  sealedAnswers,
  standingOf,
  standingOnDays,
  takeOverAppointments,
  takenTime,
} from './listed.store.ts';
export {
  type TicklerFacts,
  aheadInEmr,
  isBeingBooked,
  recordOfAppointment,
  ticklerFacts,
  unconfirmedInEmr,
} from './in-emr/facts.store.ts';
export type {
  AskEmr,
  EmrBook,
  BookingPorts,
  CancelSent,
  Cancelled,
  EmrBookingResult,
  CancelOptions,
  HeldPayments,
} from './ports.ts';
export {
  type BookedAppointment,
  type BookingRefusal,
  type BookingRequest,
  type HoldResult,
  type StoredAppointment,
  type Owner,
  holdIdOfStoredKey,
  isAccount,
  refusalDetails,
  refusal,
  requestKey,
  ownerOf,
} from './appointment.ts';
export {
  APPOINTMENT_EMAIL,
  CANCEL_IN_EMR,
  TICKLER_TO_EMR,
  enqueueEmail,
  recordBooked,
  recordCancelled,
  recordNotBooked,
  transact,
} from './changes.ts';
export {
  type BusySpan,
  type OverlappedAppointment,
  addBusySpan,
  daysOfEntries,
  deleteBusySpans,
  replaceBusySpans,
  notePlaceLeft,
  overlappedAppointments,
  assignFreedTimeSteps,
} from './in-emr/busy.store.ts';
export { appointments, unsentUntil } from './store.ts';
export {
  type ComparedWithEmr,
  type OwnInEmr,
  clearPaidCents,
  isFeeMoving,
  moveByStaff,
  noteAttendance,
  ownInEmr,
} from './by-staff/staff-changes.store.ts';
export {
  type ToCancel,
  askToCancel,
  freeMoved,
  isEndedInEmr,
  noteEndedInEmr,
  stopCancelling,
  toBeCancelled,
} from './in-emr/cancelling.store.ts';
