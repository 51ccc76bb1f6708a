import { centsOf, hasFamilyDoctor } from '@clinic/domain';
import type {
  AppointmentType,
  AppointmentTypeCode,
  DoctorStatus,
  PatientFacts,
} from '@clinic/domain';
import type { ApiAppointmentType, ApiDoctorStatus, ApiUser } from '@clinic/contract';

/** The clinic's words for what the API calls otherwise. */
export function typeFromApi(entry: ApiAppointmentType): AppointmentType {
  return {
    code: entry.code,
    description: entry.description,
    enabled: entry.status === 'enabled',
    enforceMrp: entry.enforceMRP,
    enforceNoPcp: entry.enforceNoPCP,
    chargeCents: centsOf(entry.chargeAmount) ?? 0,
    requiresDocuments: entry.requiresDocumentUpload,
  };
}

/** The Important Notice of a type for this patient, or null. */
export function noticeOf(
  { appointmentType }: Pick<ApiUser, 'appointmentType'>,
  code: AppointmentTypeCode,
): string | null {
  return appointmentType.find((entry) => entry.code === code)?.notice ?? null;
}

/** The list of doctors names only active ones, so a status from its map is active. */
export function statusFromApi(entry: ApiDoctorStatus): DoctorStatus {
  return {
    disabled: entry.scheduledisable,
    comment: entry.scheduledcomment,
    hidden: entry.noscheduledisplay,
    familyOnly: entry.onlyFamilyDoctor,
    noPcp: entry.noPCP,
    active: true,
  };
}

/** What the two checks of step 1 said; 'unknown' while they run or when they failed. */
export interface PatientChecks {
  readonly noPcp: boolean | 'unknown';
  readonly hasActivePrimaryDoctor: boolean | 'unknown';
}

export function patientFacts(user: ApiUser, checks: PatientChecks): PatientFacts {
  return {
    hasFamilyDoctor: hasFamilyDoctor(checks.noPcp, user.familyDoc),
    hasActivePrimaryDoctor: checks.hasActivePrimaryDoctor,
    blockedProviders: user.blockedProviders,
  };
}
