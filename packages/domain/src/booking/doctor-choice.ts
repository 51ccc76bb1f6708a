import type { AppointmentType, AppointmentTypeCode } from './appointment-type.ts';
import { isNursePractitioner } from './doctor.ts';
import type { Doctor, DoctorStatus } from './doctor.ts';
import type { PatientFacts } from './patient-facts.ts';

/** The comment that marks a doctor as disabled only for types with enforcement. */
export const INACTIVE_PROVIDER_COMMENT = 'Your assigned provider is not active';

/** What a type asks of the match between doctor and patient. */
export type Enforcement = Pick<AppointmentType, 'enforceMrp' | 'enforceNoPcp'>;

/** Why a doctor cannot be chosen. A disabled doctor's comment is shown, when there is one. */
export type DoctorRefusal =
  | { readonly code: 'disabled'; readonly comment: string }
  | { readonly code: 'blocked' | 'noPcpConflict' | 'familyOnly' };

/** Why a doctor is in no list, no grid and not bookable, or null.. */
export function whyNotListed(
  status: Pick<DoctorStatus, 'active' | 'hidden'>,
): 'inactive' | 'hidden' | null {
  if (!status.active) return 'inactive';
  return status.hidden ? 'hidden' : null;
}

/**
 * Whether the doctor counts as disabled for the type: always when disabled, except that the one
 * comment about an inactive provider does not count while the type enforces nothing..
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
 * The one predicate about family-only doctors: 'conflict' when the type enforces MRP, the
 * doctor is family-only and the patient has no active primary doctor; 'unknown' when that could not
 * be checked..
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
export function noPcpConflict(
  status: Pick<DoctorStatus, 'noPcp'>,
  type: Pick<Enforcement, 'enforceNoPcp'>,
  patient: Pick<PatientFacts, 'hasFamilyDoctor'>,
): boolean {
  return type.enforceNoPcp && status.noPcp && patient.hasFamilyDoctor;
}

/**
 * Why a listed doctor cannot be chosen on step 1, or null. While no type is chosen nothing is
 * enforced. A primary-doctor check that failed keeps the doctor selectable..
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

/**
 * Whether a provider gives appointments of the type at all: nurse practitioners only O and P. See
 *
 */
export function gives(doctor: Pick<Doctor, 'firstName'>, type: AppointmentTypeCode): boolean {
  return type === 'O' || type === 'P' || !isNursePractitioner(doctor);
}
