export { registerBooking } from './routes.ts';
export { visitsOf } from './visits.store.ts';
export type { ListedVisit } from './visits.store.ts';
export { wireAppointment } from './wire-appointment.ts';
