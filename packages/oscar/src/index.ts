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
export type { BookAnswer, CancelAnswer } from './booking.ts';
export { type Connecting, type Credential, beginConnecting, finishConnecting } from './oauth.ts';
export {
  type Calls,
  type Capabilities,
  type Oscar,
  type OscarOptions,
  createOscar,
} from './oscar.ts';
export type { Card, NewPatient, Patient } from './patients.ts';
export { type Provider, pseudoProviders } from './providers.ts';
export type { AppointmentTypeInfo, DayTemplate, TemplateCodeInfo } from './schedule.ts';
export type { DocumentDraft, TicklerDraft } from './ticklers.ts';
export { type WallSpan, overlap } from './wall-clock.ts';
