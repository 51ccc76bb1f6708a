/** A patient's coverage class. The letters are opaque: what follows stands in the policy. */
export const ELIGIBILITIES = ['E', 'NR', 'R', 'NE'] as const;
export type Eligibility = (typeof ELIGIBILITIES)[number];

/** What the booking rules need to know of a patient. */
export interface PatientFacts {
  readonly eligibility: Eligibility;
  readonly hasFamilyDoctor: boolean;
  /** Whether the primary doctor in the clinic's records is active; 'unknown' when the check failed. */
  readonly hasActivePrimaryDoctor: boolean | 'unknown';
  /** Ids of the doctors who do not see this patient. */
  readonly blockedProviders: readonly string[];
  /** May sign in, see and cancel, but not book. */
  readonly isBlocked: boolean;
}

/**
 * Whether the patient has a family doctor: the no-PCP check if it succeeded, else the profile. See
 *
 */
export function hasFamilyDoctor(noPcp: boolean | 'unknown', familyDocInProfile: boolean): boolean {
  return noPcp === 'unknown' ? familyDocInProfile : !noPcp;
}

/** Whether the text is one of the eligibility letters. */
export function isEligibility(text: string): text is Eligibility {
  return (ELIGIBILITIES as readonly string[]).includes(text);
}
