import type { ContactPreference } from './questions.ts';

/** The appointment types of §1. F hands off to the medication site and has no slots. */
export const APPOINTMENT_TYPE_CODES = ['O', 'P', 'PP', 'V', 'I', 'D', 'M', 'G', 'F'] as const;
export type AppointmentTypeCode = (typeof APPOINTMENT_TYPE_CODES)[number];

/** What a schedule may say of a slot: a type that is booked by slot, or A, which serves several. */
export const SLOT_CODES = ['O', 'P', 'PP', 'V', 'I', 'D', 'M', 'G', 'A'] as const;
export type SlotCode = (typeof SLOT_CODES)[number];

export interface AppointmentType {
  readonly code: AppointmentTypeCode;
  readonly description: string;
  /** Whether the patient may choose it. */
  readonly enabled: boolean;
  /** Family-only doctors see only patients with an active primary doctor here. */
  readonly enforceMrp: boolean;
  /** No-PCP doctors see only patients without a family doctor. */
  readonly enforceNoPcp: boolean;
  /** The fee for this patient, in cents of a Canadian dollar. */
  readonly chargeCents: number;
  readonly requiresDocuments: boolean;
}

const SERVED_BY_ANY_SLOT: readonly AppointmentTypeCode[] = ['I', 'V', 'D', 'M', 'G', 'PP'];

/** Whether a slot of that code may be booked for the type.. */
export function slotServes(slotCode: SlotCode, type: AppointmentTypeCode): boolean {
  return slotCode === type || (slotCode === 'A' && SERVED_BY_ANY_SLOT.includes(type));
}

/** Which instruction stands beside the type's name, or null where there is none.. */
export function instructionKeyFor(
  type: AppointmentTypeCode,
): 'comeToClinic' | 'providerWillCall' | null {
  switch (type) {
    case 'V':
    case 'D':
    case 'O':
      return 'comeToClinic';
    case 'P':
    case 'PP':
      return 'providerWillCall';
    default:
      return null;
  }
}

/**
 * Whether the patient comes to the clinic or is called. Type I
 * leaves it to the patient, and is 'either' until they have said so..
 */
export function appointmentMode(
  type: AppointmentTypeCode,
  preference: ContactPreference | null,
): 'clinic' | 'phone' | 'either' {
  if (type === 'I')
    return preference === null ? 'either' : preference === 'PHONE' ? 'phone' : 'clinic';
  return instructionKeyFor(type) === 'providerWillCall' ? 'phone' : 'clinic';
}

/** Whether a type asks for the immigration exam form before booking or payment.. */
export function hasImmigrationForm(type: AppointmentTypeCode): boolean {
  return type === 'M' || type === 'G';
}

/** Whether the text is one of the type codes. */
export function isAppointmentTypeCode(text: string): text is AppointmentTypeCode {
  return (APPOINTMENT_TYPE_CODES as readonly string[]).includes(text);
}

/** Whether the text is one of the slot codes. */
export function isSlotCode(text: string): text is SlotCode {
  return (SLOT_CODES as readonly string[]).includes(text);
}
