import type { AppointmentType, AppointmentTypeCode } from '../booking/appointment-type.ts';
import type { Province } from '../identity/health-number.ts';

/** In cents: from this fee on a warning is shown, and a paid appointment cannot be cancelled. */
export const HIGH_FEE_CENTS = 14_000;

/** Whether the patient must accept the fee in a warning first: 140 dollars or more. */
export const needsFeeWarning = (cents: number): boolean => cents >= HIGH_FEE_CENTS;

/** Converts cents to the decimal dollars of the API.. */
export const dollarsOf = (cents: number): number => cents / 100;

/** Converts decimal dollars of the API to cents; null when they are not a whole number of cents. */
export function centsOf(dollars: number): number | null {
  const cents = Math.round(dollars * 100);
  return Number.isSafeInteger(cents) && Math.abs(dollars * 100 - cents) < 1e-6 ? cents : null;
}

/** 'CAD 150.00'. */
export const formatFee = (cents: number): string => `CAD ${(cents / 100).toFixed(2)}`;

/** A patient's coverage class. The letters mean nothing in themselves: ELIGIBILITY_RULES says what holds. */
export const ELIGIBILITIES = ['E', 'NR', 'R', 'NE'] as const;
export type Eligibility = (typeof ELIGIBILITIES)[number];

/** Whether the text is one of the eligibility letters. */
export const isEligibility = (text: string): text is Eligibility =>
  (ELIGIBILITIES as readonly string[]).includes(text);

/** The eligibility of a new account until the clinic has seen the card. */
export function eligibilityOfCard(province: Province): Eligibility {
  switch (province) {
    case 'BC':
      return 'E';
    case 'QC':
      return 'R';
    case 'Other':
      return 'NE';
    default:
      return 'NR';
  }
}

/** What an eligibility means, whatever the type. */
export interface EligibilityRules {
  /** One appointment per clinic day. */
  readonly oncePerDay: boolean;
  /** Types that require documents require them of this patient. */
  readonly documentsNeeded: boolean;
  /** Sees the banner for private patients on My Appointments, and cannot cancel private types. */
  readonly privatePatient: boolean;
}

const COVERED: EligibilityRules = {
  oncePerDay: true,
  documentsNeeded: false,
  privatePatient: false,
};
const PRIVATE: EligibilityRules = {
  oncePerDay: false,
  documentsNeeded: true,
  privatePatient: true,
};

/** Everything that depends on eligibility except the fees (§4, §5, §6 and R-53). */
export const ELIGIBILITY_RULES: Readonly<Record<Eligibility, EligibilityRules>> = {
  E: COVERED,
  NR: { ...COVERED, documentsNeeded: true },
  R: PRIVATE,
  NE: PRIVATE,
};

/** Whether this patient must have uploaded a health card and picture ID for the type.. */
export const needsDocuments = (
  type: Pick<AppointmentType, 'requiresDocuments'>,
  eligibility: Eligibility,
): boolean => type.requiresDocuments && ELIGIBILITY_RULES[eligibility].documentsNeeded;

/** isCancellable in the list call: false for private appointments of private patients.. */
export const isCancellableBy = (
  eligibility: Eligibility,
  { isPrivate }: Pick<AppointmentType, 'isPrivate'>,
): boolean => !(isPrivate && ELIGIBILITY_RULES[eligibility].privatePatient);

/** The fee of one type for one eligibility, in cents of a Canadian dollar. */
export interface FeeRow {
  readonly type: AppointmentTypeCode;
  readonly eligibility: Eligibility;
  readonly chargeCents: number;
}

export type PolicyProblem = Pick<FeeRow, 'type' | 'eligibility'> & {
  readonly code: 'chargeForbidden' | 'chargeInvalid' | 'rowMissing' | 'rowTwice';
};

/**
 * Everything wrong with a fee table; the clinic cannot start with it. A charge to E for an insured type
 * (Medicare Protection Act), a charge that is not a whole number of cents, or a type that has no row, or two,
 * for an eligibility..
 */
export function whyFeesRefused(
  fees: readonly FeeRow[],
  insured: readonly AppointmentTypeCode[],
): PolicyProblem[] {
  const problems: PolicyProblem[] = [];
  for (const type of new Set(fees.map((row) => row.type)))
    for (const eligibility of ELIGIBILITIES) {
      const rows = fees.filter((row) => row.type === type && row.eligibility === eligibility);
      const charges = rows.map(({ chargeCents }) => chargeCents);
      const report = (code: PolicyProblem['code']) => problems.push({ code, type, eligibility });
      if (rows.length === 0) report('rowMissing');
      if (rows.length > 1) report('rowTwice');
      if (charges.some((cents) => !Number.isSafeInteger(cents) || cents < 0))
        report('chargeInvalid');
      if (eligibility === 'E' && insured.includes(type) && charges.some((cents) => cents !== 0))
        report('chargeForbidden');
    }
  return problems;
}
