export * from './alphabets.ts';
export * from './errors.ts';
export { type Appointment, type AppointmentDraft, firstWritten, keysIn } from './appointments.ts';
export type { BookAnswer } from './booking.ts';
export {
  type Connecting,
  type Credential,
  beginConnecting,
  finishConnecting,
  seenAs,
} from './oauth.ts';
export { type Calls, type Oscar, type OscarOptions, createOscar } from './oscar.ts';
export { type Patient, type PatientSearch, isSameNumber } from './patients.ts';
export {
  type DayTemplate,
  type Program,
  type Provider,
  type SecurityObject,
  type TemplateCodeInfo,
  pseudoProviders,
} from './clinic.ts';
export { overlap } from './wall-clock.ts';
export { columns, fits } from './writing.ts';
