export { registerAppointments } from './routes.ts';
