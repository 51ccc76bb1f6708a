/**
 * OSCAR has three alphabets of short codes that mean unrelated things, and all three contain a `C`: a
 * template code says what a piece of a provider's day is for, a status what became of an appointment, and a
 * type is the name of an appointment type. A program that writes a template code as a status books every
 * patient as cancelled. So each is a type of its own here, as is each kind of number.
 */

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** The message leaves the text out: it may be a patient's. */
const codeIn =
  <Name extends string>(name: Name, form: RegExp) =>
  (text: string): Branded<Name> => {
    if (!form.test(text)) throw new TypeError(`${name} does not match ${form.source}`);
    return text as Branded<Name>;
  };

/** One character of a day template (`scheduletemplatecode.code`), case-sensitive. */
export type TemplateCode = ReturnType<typeof templateCode>;
export const templateCode = codeIn('TemplateCode', /^[^_\s]$/u);
/** `appointment.status`: a letter, case-sensitive, and perhaps `S` (signed) or `V` (verified). */
export type AppointmentStatus = ReturnType<typeof appointmentStatus>;
export const appointmentStatus = codeIn('AppointmentStatus', /^[A-Za-z][SV]?$/);
/** `appointment.type`: the name of an appointment type, free text. */
export type AppointmentType = ReturnType<typeof appointmentType>;
export const appointmentType = codeIn('AppointmentType', /^.{0,50}$/u);

/** `provider_no`: up to six characters, not a number. */
export type ProviderNo = ReturnType<typeof providerNo>;
export const providerNo = codeIn('ProviderNo', /^[-\w]{1,6}$/);
export type DemographicNo = ReturnType<typeof demographicNo>;
export const demographicNo = codeIn('DemographicNo', /^[1-9]\d{0,9}$/);
export type AppointmentNo = ReturnType<typeof appointmentNo>;
export const appointmentNo = codeIn('AppointmentNo', /^[1-9]\d{0,9}$/);

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
