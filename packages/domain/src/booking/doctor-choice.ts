import type { AppointmentType } from './appointment-type.ts';

/** A provider: a doctor or a nurse practitioner. The id is opaque. */
export interface Doctor {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** What the clinic has set for a provider. */
export interface DoctorStatus {
  /** 'scheduledisable'. */
  readonly disabled: boolean;
  /** 'scheduledcomment'; empty when there is none. */
  readonly comment: string;
  /** 'noscheduledisplay'. */
  readonly hidden: boolean;
  /** Sees only patients with an active primary doctor at the clinic. */
  readonly familyOnly: boolean;
  /** Sees only patients without a family doctor. */
  readonly noPcp: boolean;
  /** Provider status '1', and placed at a site where the EMR has sites: nobody else can be booked, by staff either. */
  readonly active: boolean;
}

/** Whether the second word of the first name contains 'NP'. */
export const isNursePractitioner = (doctor: Pick<Doctor, 'firstName'>): boolean =>
  doctor.firstName.trim().split(/\s+/)[1]?.includes('NP') ?? false;

/** '{initial}. {last name}', as shown in column heads and titles.. */
export function shortName(doctor: Pick<Doctor, 'firstName' | 'lastName'>): string {
  const [initial] = doctor.firstName.trim();
  return initial === undefined ? doctor.lastName.trim() : `${initial}. ${doctor.lastName.trim()}`;
}

/** 'Dr. A. Stone', or 'NP J. Avery', because 'Dr.' is a protected title.. */
export const doctorName = (doctor: Pick<Doctor, 'firstName' | 'lastName'>): string =>
  `${isNursePractitioner(doctor) ? 'NP' : 'Dr.'} ${shortName(doctor)}`;

/** Facts about a patient that decide which doctors and slots they may choose. */
export interface PatientFacts {
  readonly hasFamilyDoctor: boolean;
  /** Whether the primary doctor in the clinic's records is active; 'unknown' when the check failed. */
  readonly hasActivePrimaryDoctor: boolean | 'unknown';
  /** Ids of the doctors who do not see this patient. */
  readonly blockedProviders: readonly string[];
}

/** Whether the patient has a family doctor: the no-PCP check if it succeeded, else the profile.. */
export const hasFamilyDoctor = (
  noPcp: boolean | 'unknown',
  familyDocInProfile: boolean,
): boolean => (noPcp === 'unknown' ? familyDocInProfile : !noPcp);

/** The comment that marks a doctor as disabled only for types with enforcement. */
export const INACTIVE_PROVIDER_COMMENT = 'Your assigned provider is not active';

/** Which matches between doctor and patient a type enforces. */
export type Enforcement = Pick<AppointmentType, 'enforceMrp' | 'enforceNoPcp'>;

/** Why a doctor cannot be chosen. A disabled doctor's comment is shown, when there is one. */
export type DoctorRefusal =
  | { readonly code: 'disabled'; readonly comment: string }
  | { readonly code: 'blocked' | 'noPcpConflict' | 'familyOnly' };

/** Why a doctor is not listed, not in the grid and not bookable, or null.. */
export function whyNotListed(
  status: Pick<DoctorStatus, 'active' | 'hidden'>,
): 'inactive' | 'hidden' | null {
  if (!status.active) return 'inactive';
  return status.hidden ? 'hidden' : null;
}

/**
 * Whether the doctor counts as disabled for the type: always when disabled, unless the comment is the one
 * about an inactive provider and the type enforces nothing..
 */
export function countsAsDisabled(
  status: Pick<DoctorStatus, 'disabled' | 'comment'>,
  type: Enforcement | null,
): boolean {
  const lifted =
    type !== null &&
    !type.enforceMrp &&
    !type.enforceNoPcp &&
    status.comment === INACTIVE_PROVIDER_COMMENT;
  return status.disabled && !lifted;
}

/**
 * The only check of family-only doctors. 'conflict' when the type enforces MRP, the doctor is family-only and
 * the patient has no active primary doctor; 'unknown' when that could not be checked..
 */
export function familyOnlyConflict(
  status: Pick<DoctorStatus, 'familyOnly'>,
  type: Pick<Enforcement, 'enforceMrp'>,
  patient: Pick<PatientFacts, 'hasActivePrimaryDoctor'>,
): 'conflict' | 'unknown' | null {
  if (!type.enforceMrp || !status.familyOnly || patient.hasActivePrimaryDoctor === true)
    return null;
  return patient.hasActivePrimaryDoctor === 'unknown' ? 'unknown' : 'conflict';
}

/** Whether the doctor sees only patients without a family doctor and this patient has one. */
export const noPcpConflict = (
  status: Pick<DoctorStatus, 'noPcp'>,
  type: Pick<Enforcement, 'enforceNoPcp'>,
  patient: Pick<PatientFacts, 'hasFamilyDoctor'>,
): boolean => type.enforceNoPcp && status.noPcp && patient.hasFamilyDoctor;

/**
 * Why a listed doctor cannot be chosen on step 1, or null. Nothing is enforced while no type is chosen. A
 * doctor stays selectable when the primary-doctor check failed..
 */
export function whyUnselectable(
  doctor: Pick<Doctor, 'id'>,
  status: DoctorStatus,
  type: Enforcement | null,
  patient: PatientFacts,
): DoctorRefusal | null {
  if (countsAsDisabled(status, type)) return { code: 'disabled', comment: status.comment.trim() };
  if (patient.blockedProviders.includes(doctor.id)) return { code: 'blocked' };
  if (type === null) return null;
  if (noPcpConflict(status, type, patient)) return { code: 'noPcpConflict' };
  if (familyOnlyConflict(status, type, patient) === 'conflict') return { code: 'familyOnly' };
  return null;
}

/** Whether the provider gives appointments of the type; nurse practitioners give only some.. */
export const gives = (
  doctor: Pick<Doctor, 'firstName'>,
  type: Pick<AppointmentType, 'byNursePractitioners'>,
): boolean => type.byNursePractitioners || !isNursePractitioner(doctor);

/** Why no slot of a doctor is shown for this patient and type. */
export type DoctorHiddenReason =
  | 'inactive'
  | 'hidden'
  | 'disabled'
  | 'blocked'
  | 'noPcpConflict'
  | 'familyOnly'
  | 'primaryDoctorUnknown'
  | 'notGiven';

/** What the visibility of a doctor's slots depends on. */
export interface VisibilityFacts {
  readonly type: Enforcement & Pick<AppointmentType, 'byNursePractitioners'>;
  readonly doctor: Doctor;
  readonly status: DoctorStatus;
  readonly patient: PatientFacts;
}

/**
 * Why none of a doctor's slots is shown, or null. Unlike step 1, a failed primary-doctor check hides the
 * slots: on 'primaryDoctorUnknown' the browser shows a message with Retry and the server refuses.
 * and R-23.
 */
export function whyDoctorHidden(facts: VisibilityFacts): DoctorHiddenReason | null {
  const { type, doctor, status, patient } = facts;
  const unlisted = whyNotListed(status);
  if (unlisted) return unlisted;
  if (countsAsDisabled(status, type)) return 'disabled';
  if (patient.blockedProviders.includes(doctor.id)) return 'blocked';
  if (noPcpConflict(status, type, patient)) return 'noPcpConflict';
  if (!gives(doctor, type)) return 'notGiven';
  const conflict = familyOnlyConflict(status, type, patient);
  return conflict === 'unknown' ? 'primaryDoctorUnknown' : conflict && 'familyOnly';
}

/** The current choice on step 1. */
export interface Choice {
  readonly type: AppointmentType | null;
  /** One doctor, the earliest available one, or nothing yet. */
  readonly doctor: Doctor | 'earliest' | null;
}

/**
 * Chooses a type and clears the doctor chosen before. 'Earliest available' stays, unless the type resets the
 * doctor (O, P) and the patient has a family doctor. Choosing the same type again changes nothing..
 */
export function selectType(
  choice: Choice,
  type: AppointmentType,
  patient: Pick<PatientFacts, 'hasFamilyDoctor'>,
): Choice {
  if (choice.type?.code === type.code) return { ...choice, type };
  const resets = type.resetsDoctor && patient.hasFamilyDoctor;
  return { type, doctor: choice.doctor === 'earliest' && !resets ? 'earliest' : null };
}

/** Chooses one doctor. Choosing a nurse practitioner clears a type that they do not give.. */
export function selectDoctor(choice: Choice, doctor: Doctor): Choice {
  const keepsType = choice.type !== null && gives(doctor, choice.type);
  return { type: keepsType ? choice.type : null, doctor };
}

/** Chooses 'Earliest available doctor'. */
export const selectEarliest = (choice: Choice): Choice => ({ ...choice, doctor: 'earliest' });

/** Clears the doctor; types that a nurse practitioner does not give are offered again.. */
export const clearDoctor = (choice: Choice): Choice => ({ ...choice, doctor: null });

/**
 * The types to offer, in their order: only enabled ones, a refill only when a medication site is configured,
 * and only what a chosen nurse practitioner gives..
 */
export function offeredTypes(
  types: readonly AppointmentType[],
  choice: Pick<Choice, 'doctor'>,
  { hasMedicationSite }: { readonly hasMedicationSite: boolean },
): AppointmentType[] {
  const { doctor } = choice;
  return types.filter(
    (type) =>
      type.enabled &&
      (type.form !== 'refill' || hasMedicationSite) &&
      (doctor === null || doctor === 'earliest' || gives(doctor, type)),
  );
}

/**
 * Why Next refuses, or null: no type, a patient who may not book, no doctor. A refill needs no doctor: Next
 * is then a link..
 */
export function whyNextRefused(
  choice: Choice,
  patient: { readonly isBlocked: boolean },
): 'typeMissing' | 'blocked' | 'doctorMissing' | null {
  if (choice.type === null) return 'typeMissing';
  if (patient.isBlocked) return 'blocked';
  return choice.doctor === null && choice.type.form !== 'refill' ? 'doctorMissing' : null;
}
