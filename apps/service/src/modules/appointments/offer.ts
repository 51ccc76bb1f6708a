import {
  ELIGIBILITY_RULES,
  stepAt,
  codeOfAlias,
  dayRuler,
  hasFamilyDoctor,
  hasImmigrationForm,
  isOnSlotGrid,
  needsDocuments,
  toClinic,
  whyHidden,
  STEP_SECONDS,
} from '@clinic/domain';
import type {
  AppointmentTypeCode,
  DayTemplate,
  Doctor,
  DoctorStatus,
  Eligibility,
  EpochSeconds,
  PatientFacts,
  SlotCode,
} from '@clinic/domain';

import type { SlotRequest } from './appointment.ts';
import { refusalOfHidden } from './refusals.ts';
import type { BookingRefusalCode } from './refusals.ts';

/** What the booking rules read of the patient; read while the patient's row is locked. */
export interface BookingPatient {
  readonly recordId: string;
  readonly email: string;
  readonly eligibility: Eligibility;
  readonly familyDoctor: boolean;
  readonly bookingBlocked: boolean;
  readonly blockedProviders: readonly string[];
  readonly disabledTypes: readonly string[];
  readonly healthCardUploaded: boolean;
  readonly pictureIdUploaded: boolean;
  /** Whether the immigration exam form was ever kept. */
  readonly medicalProfileKept: boolean;
}

export interface OfferedType {
  readonly code: AppointmentTypeCode;
  readonly description: string;
  readonly enforceMrp: boolean;
  readonly enforceNoPcp: boolean;
  readonly requiresDocuments: boolean;
  /** The fee for this patient, in cents. */
  readonly chargeCents: number;
}

/** All that decides whether one patient may have one slot, apart from limits and rivals. */
export interface Offer {
  readonly patient: BookingPatient;
  readonly type: OfferedType | null;
  readonly doctor: (Doctor & { readonly status: DoctorStatus }) | null;
  /** The provider's template on the slot's day, or null without one. */
  readonly codes: DayTemplate | null;
}

/** Whom a refusal is about, for the audit trail: a provider, never just what was sent (S-14). */
export function askedProvider({ doctor }: Offer): string {
  return `provider:${doctor?.id ?? 'unknown'}`;
}

/** Whether the records must be asked for the patient's primary doctor. */
export function needsPrimaryDoctor({ type, doctor }: Offer): boolean {
  return type?.enforceMrp === true && doctor?.status.familyOnly === true;
}

/** The code of the slot that the schedule has at exactly this span, or null. */
export function scheduledCode(codes: DayTemplate | null, slot: SlotRequest): SlotCode | null {
  if (codes === null || !isOnSlotGrid(slot.start) || slot.end - slot.start !== STEP_SECONDS)
    return null;
  const step = stepAt(dayRuler(toClinic(slot.start).date), slot.start);
  return step === null ? null : codeOfAlias(codes[step] ?? '');
}

/**
 * Why the patient may not have the slot, or null; whether it is still free is the appointments' business.
 * `decidedAt` is when the 30 minutes were or are decided: once a hold stands, when it was made (R-12).
 */
export function whyNotOffered(
  offer: Offer,
  slot: SlotRequest,
  hasActivePrimaryDoctor: boolean | 'unknown',
  decidedAt: EpochSeconds,
): BookingRefusalCode | null {
  const { patient, type, doctor } = offer;
  if (patient.bookingBlocked) return 'bookingBlocked';
  if (type === null || type.code === 'F' || patient.disabledTypes.includes(type.code))
    return 'typeNotOffered';
  if (doctor === null) return 'doctorNotAvailable';
  const code = scheduledCode(offer.codes, slot);
  if (code === null) return 'slotNotOffered';
  const facts: PatientFacts = {
    eligibility: patient.eligibility,
    hasFamilyDoctor: hasFamilyDoctor('unknown', patient.familyDoctor),
    hasActivePrimaryDoctor,
    blockedProviders: patient.blockedProviders,
    isBlocked: patient.bookingBlocked,
  };
  const hidden = whyHidden(
    { code, start: slot.start, end: slot.end, doctor: doctor.id, booked: false },
    { type, doctor, status: doctor.status, patient: facts },
    decidedAt,
  );
  return hidden === null ? null : refusalOfHidden(hidden);
}

/** Why a free booking is refused although the slot is offered: a fee, or documents. */
export function whyNotFree({ type, patient }: Offer): BookingRefusalCode | null {
  if (type === null) return 'typeNotOffered';
  if (type.chargeCents > 0) return 'paymentRequired';
  return whyDocumentsMissing({ type, patient });
}

/**
 * Whether type and eligibility ask for documents that were not uploaded, or the type for the
 * immigration exam form. Neither is asked for again on reschedule.
 */
export function whyDocumentsMissing({
  type,
  patient,
}: Pick<Offer, 'type' | 'patient'>): BookingRefusalCode | null {
  if (type === null) return 'typeNotOffered';
  const documents = needsDocuments({ eligibilities: ELIGIBILITY_RULES }, type, patient.eligibility);
  const uploaded = patient.healthCardUploaded && patient.pictureIdUploaded;
  if (documents && !uploaded) return 'documentsMissing';
  return hasImmigrationForm(type.code) && !patient.medicalProfileKept
    ? 'medicalProfileMissing'
    : null;
}
