/**
 * OSCAR has three alphabets of short codes that mean unrelated things, and all three contain a `C`: a
 * template code says what a piece of a provider's day is for, a status what became of an appointment, and a
 * type is the name of an appointment type. A program that writes a template code as a status books every
 * patient as cancelled. So each is a type of its own here, as is each kind of number.
 */

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** One character of a day template (`scheduletemplatecode.code`), case-sensitive. */
export type TemplateCode = Branded<'TemplateCode'>;
/** `appointment.status`: a letter, case-sensitive, and perhaps `S` (signed) or `V` (verified). */
export type AppointmentStatus = Branded<'AppointmentStatus'>;
/** `appointment.type`: the name of an appointment type, free text. */
export type AppointmentType = Branded<'AppointmentType'>;

/** `provider_no`: up to six characters, not a number. */
export type ProviderNo = Branded<'ProviderNo'>;
export type DemographicNo = Branded<'DemographicNo'>;
export type AppointmentNo = Branded<'AppointmentNo'>;

export const templateCode = (character: string) =>
  matching(character, /^[^_\s]$/u, 'A template code is one character') as TemplateCode;
export const appointmentStatus = (letters: string) =>
  matching(letters, /^[A-Za-z][SV]?$/, 'A status is a letter, then S or V') as AppointmentStatus;
export const appointmentType = (name: string) =>
  matching(name, /^.{0,50}$/u, 'A type has 50 characters at most') as AppointmentType;
const providerNos = /^[-\w]{1,6}$/;
export const isProviderNo = (text: string) => providerNos.test(text);
export const providerNo = (text: string) =>
  matching(text, providerNos, 'A provider number has six characters at most') as ProviderNo;
export const demographicNo = (text: string) =>
  matching(text, /^[1-9]\d{0,9}$/, 'A demographic number is a whole number') as DemographicNo;
export const appointmentNo = (text: string) =>
  matching(text, /^[1-9]\d{0,9}$/, 'An appointment number is a whole number') as AppointmentNo;

/** The message leaves the value out: it may be a patient's. */
function matching(text: string, pattern: RegExp, rule: string): string {
  if (!pattern.test(text)) throw new TypeError(rule);
  return text;
}

/** Statuses that every OSCAR has from the start, and that this client may write. */
export const statuses = {
  toDo: 't' as AppointmentStatus,
  cancelled: 'C' as AppointmentStatus,
} as const;

export type AppointmentState = 'booked' | 'arrived' | 'noShow' | 'cancelled';

/** Here, picked and empty room, and billed; deleted is as cancelled. */
const states = {
  H: 'arrived',
  P: 'arrived',
  E: 'arrived',
  B: 'arrived',
  N: 'noShow',
  C: 'cancelled',
  D: 'cancelled',
} as const;

/** Read from the first letter; the second says who signed. A clinic defines the letters a to f itself: booked. */
export const stateOf = (status: AppointmentStatus): AppointmentState =>
  states[status.slice(0, 1) as keyof typeof states] ?? 'booked';

/** Whether an appointment with this status occupies its time. */
export const isLive = (status: AppointmentStatus) => stateOf(status) !== 'cancelled';
