export { apiAppointment } from './api-appointment.ts';
export {
  type AppointmentRequest,
  type BookedAppointment,
  answersContext,
} from './appointment-details.ts';
export { appointments } from './appointments.store.ts';
export { cancelByClinic, releaseByClinic } from './cancel-by-clinic.ts';
export { type DayAppointment, appointmentsOnDay } from './day-appointments.store.ts';
export { expireHolds, settleUnknown } from './expire-holds.ts';
export { type BeginPayment, type PayableHold, holdForPayment } from './hold-for-payment.ts';
export { registerAppointments } from './list-routes.ts';
export { type ListedAppointment, listedAppointmentsOf } from './listed-appointments.store.ts';
export { type BookingFacts, bookingFacts } from './obstacles.store.ts';
export {
  type StoredAppointment,
  appointmentFactOf,
  bookInEmr,
  confirmAppointment,
  lockPaidAppointment,
  prolongForBank,
  releasePaidAppointment,
  stopPaying,
} from './paid-appointment.ts';
export type { BookingPorts, CountedPorts, HeldPayments } from './ports.ts';
export type { BookingRefusal } from './refusals.ts';
export { releaseHoldIn } from './release-hold.ts';
export { requestKey } from './request-key.ts';
export { registerBooking } from './routes.ts';
