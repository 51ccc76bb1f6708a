export * from './alphabets.ts';
export * from './errors.ts';
export {
  type Appointment,
  type AppointmentDraft,
  type Changes,
  type Days,
  firstWritten,
  keysIn,
} from './appointments.ts';
export type { BookAnswer } from './booking.ts';
export type { KeyName } from './link.ts';
export { type Connecting, type Credential, beginConnecting, finishConnecting } from './oauth.ts';
export { type Calls, type Oscar, type OscarOptions, createOscar } from './oscar.ts';
export {
  type Born,
  type Card,
  type NewPatient,
  type Patient,
  type PatientSearch,
  isSameNumber,
} from './patients.ts';
export { type Provider, pseudoProviders } from './providers.ts';
export type { DayTemplate, TemplateCodeInfo } from './schedule.ts';
export type { DocumentDraft, TicklerDraft } from './ticklers.ts';
export { type WallSpan, overlap } from './wall-clock.ts';
