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
  /** Provider status '1'. */
  readonly active: boolean;
}

/** Whether the second word of the first name contains 'NP'. */
export function isNursePractitioner(doctor: Pick<Doctor, 'firstName'>): boolean {
  return doctor.firstName.trim().split(/\s+/)[1]?.includes('NP') ?? false;
}

/** '{initial}. {last name}', as column heads and titles say it.. */
export function shortName(doctor: Pick<Doctor, 'firstName' | 'lastName'>): string {
  const [initial] = doctor.firstName.trim();
  return initial === undefined ? doctor.lastName.trim() : `${initial}. ${doctor.lastName.trim()}`;
}

/** 'Dr. A. Stone', or 'NP J. Avery', because 'Dr.' is a protected title.. */
export function doctorName(doctor: Pick<Doctor, 'firstName' | 'lastName'>): string {
  return `${isNursePractitioner(doctor) ? 'NP' : 'Dr.'} ${shortName(doctor)}`;
}
