export {
  type BookedAppointment,
  type BookingRequest,
  type StoredAppointment,
  type BookingRefusal,
  type Whose,
  answersContext,
  holdNamedBy,
  isAccount,
  refusalDetails,
  requestKey,
  whoseOf,
} from './appointment.ts';
export { type OverlappedAppointment, overlappedAppointments } from './busy.store.ts';
export { type CancelPauses, cancelByClinic, cancelForPatient, finishCancelling } from './cancel.ts';
export {
  type ForeseenClosing,
  type JudgeClosing,
  closeTime,
  closeTimeIfAllowed,
  foreseeClosing,
  givenUpByClosing,
  lockDay,
  reopenTime,
  sayDay,
  singleDayOf,
  singleDaysFrom,
  workOnClosing,
} from './closing.ts';
export {
  CLOSING_ENTRIES,
  type Closing,
  type GivenUp,
  type InClosedTime,
  closedBy,
  closingById,
  givenUpIn,
  isClosingAsked,
  newestClosings,
} from './closing.store.ts';
export { followToChart } from './charts.ts';
export { decideGone } from './gone-from-emr.ts';
export { undecidedGone } from './gone-from-emr.store.ts';
export { foreseenEmails } from './emails.ts';
export { bookInEmr, freeUnsent, recordNamedBy, settleUnknown } from './emr.ts';
export { placeInEmr } from './emr-entry.ts';
export {
  appointmentFactOf,
  expireHolds,
  lockPaidAppointment,
  releaseHold,
  releaseHoldIn,
  settleAppointment,
} from './holds.ts';
export {
  APPOINTMENTS,
  BUSY_SPANS,
  DESK_APPOINTMENTS,
  type StandingOnDay,
  LAST_APPOINTMENT,
  aheadInEmr,
  eraseAppointments,
  eraseAppointmentsOfRecord,
  holdFigures,
  moveToRecord,
  nextProviderOf,
  ownAppointments,
  returnToRecord,
  standingOnDays,
  standingOf,
  takeOverAppointments,
  takenTime,
  unsettledInEmr,
} from './listed.store.ts';
export { type BookingFacts, bookingFacts } from './offer.store.ts';
export {
  type BookingPorts,
  type GivingUp,
  type HeldPayments,
  type Held,
  inReservation,
  reserveIn,
} from './reserve.ts';
export { bookingRequest, registerBooking, shownAppointment } from './routes.ts';
export { bookByStaff, endLink, giveFeeBackAtClinic, takeFeeAtClinic } from './staff-booking.ts';
export { noteAttendanceAtDesk, takeBackNoShow } from './staff-changes.ts';
export { feeGivenBack, isFeeMoving } from './staff-changes.store.ts';
export { appointments, endedPaidSince, requestedBy } from './store.ts';
export { addTicklerOnce } from './ticklers.ts';
export { type EmrHealth, type KeptKey, emrHealth, watchKeys } from './emr-health.ts';
export { differingInEmr } from './overlaps.ts';
export { appointmentsOutside, readScheduleNow } from './schedule-changes.ts';
export { syncFromEmr, syncWhenDue } from './sync.ts';
export {
  type EmrStanding,
  emrBesideService,
  emrReadAt,
  emrStanding,
  emrUnread,
} from './sync-turn.ts';
