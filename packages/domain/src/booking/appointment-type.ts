/** 1 to 4 letters and digits that the clinic chooses. Never 'A': in schedules it means 'any'. */
export type AppointmentTypeCode = string;

/** Whether the text may name an appointment type. */
export const isAppointmentTypeCode = (text: string): text is AppointmentTypeCode =>
  /^[A-Z][A-Z0-9]{0,3}$/.test(text) && text !== 'A';

/** A text of the clinic in languages other than English, by language. */
export type Translations = Readonly<Record<string, string>>;

/** How a patient is seen. */
export const APPOINTMENT_MODES = ['inPerson', 'phone', 'video'] as const;
export type AppointmentMode = (typeof APPOINTMENT_MODES)[number];

/** Which questions a form asks. A refill is handed to the medication site and has no slots. */
export const APPOINTMENT_FORMS = [
  'standard',
  'injuryClaim',
  'driverMedical',
  'immigration',
  'refill',
] as const;
export type AppointmentForm = (typeof APPOINTMENT_FORMS)[number];

/** The instruction that may be shown beside a type's name.. */
export const INSTRUCTIONS = ['comeToClinic', 'providerWillCall'] as const;
export type Instruction = (typeof INSTRUCTIONS)[number];

/** Colours of the sign by which staff know a type, in the order in which types are given them. */
export const TYPE_HUES = [
  'blue',
  'orange',
  'violet',
  'green',
  'pink',
  'teal',
  'red',
  'olive',
] as const;
export type TypeHue = (typeof TYPE_HUES)[number];

/** Shapes of that sign, in the order in which types are given them. */
export const TYPE_SHAPES = [
  'circle',
  'square',
  'triangle',
  'diamond',
  'ring',
  'star',
  'plus',
  'wedge',
] as const;
export type TypeShape = (typeof TYPE_SHAPES)[number];

/** The sign of a type: what the clinic has set, or else what its place among the types gives it. */
export const typeSign = (
  { hue, shape }: { readonly hue: TypeHue | null; readonly shape: TypeShape | null },
  place: number,
): { readonly hue: TypeHue; readonly shape: TypeShape } => ({
  hue: hue ?? ofRound(TYPE_HUES, place),
  // After the colours have gone round once, each meets another shape.
  shape: shape ?? ofRound(TYPE_SHAPES, place + Math.floor(place / TYPE_HUES.length)),
});

const ofRound = <Of>(all: readonly [Of, ...Of[]], at: number): Of => all[at % all.length] ?? all[0];

/** An appointment type as the clinic has it, the same for all patients. */
export interface TypeRules {
  readonly code: AppointmentTypeCode;
  readonly description: string;
  /** The description in languages other than English, by language; null or absent for none.. */
  readonly translations?: Translations | null;
  /** The length unless the provider or the slot code sets another; a multiple of 5.. */
  readonly minutes: number;
  readonly mode: AppointmentMode;
  readonly form: AppointmentForm;
  readonly instruction: Instruction | null;
  /** Family-only doctors see only patients with an active primary doctor here. */
  readonly enforceMrp: boolean;
  /** No-PCP doctors see only patients without a family doctor. */
  readonly enforceNoPcp: boolean;
  readonly requiresDocuments: boolean;
  /** Private patients cannot cancel it.. */
  readonly isPrivate: boolean;
  /** Nurse practitioners give it.. */
  readonly byNursePractitioners: boolean;
  /** Choosing this type clears the choice of doctor for a patient with a family doctor.. */
  readonly resetsDoctor: boolean;
}

/** An appointment type as one patient is offered it. */
export interface AppointmentType extends TypeRules {
  /** Whether the patient may choose it. */
  readonly enabled: boolean;
  /** The fee for this patient, in cents of a Canadian dollar. */
  readonly chargeCents: number;
}

/**
 * How the patient of an appointment is seen. In an injury claim the patient decides; it is 'either' until
 * they have..
 */
export function appointmentMode(
  { mode, form }: Pick<TypeRules, 'mode' | 'form'>,
  preference: ContactPreference | null,
): AppointmentMode | 'either' {
  if (form !== 'injuryClaim') return mode;
  if (preference === null) return 'either';
  return preference === 'PHONE' ? 'phone' : 'inPerson';
}

/** How the patient wants to be seen. */
export const CONTACT_PREFERENCES = ['IN-PERSON', 'PHONE'] as const;
export type ContactPreference = (typeof CONTACT_PREFERENCES)[number];
