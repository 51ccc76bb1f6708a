import type { AppointmentType, AppointmentTypeCode } from '../booking/appointment-type.ts';
import type { Province } from '../identity/health-number.ts';

/** The fee from which on a warning is due and a paid appointment cannot be cancelled, in cents. */
export const HIGH_FEE_CENTS = 14_000;

/** Whether a fee must be accepted in a warning first: 140 dollars or more. */
export function needsFeeWarning(cents: number): boolean {
  return cents >= HIGH_FEE_CENTS;
}

/** Decimal dollars of the API from the cents inside.. */
export function dollarsOf(cents: number): number {
  return cents / 100;
}

/** Cents from decimal dollars of the API, or null when they are no whole number of cents. */
export function centsOf(dollars: number): number | null {
  const cents = Math.round(dollars * 100);
  return Number.isSafeInteger(cents) && Math.abs(dollars * 100 - cents) < 1e-6 ? cents : null;
}

/** 'CAD 150.00'. */
export function formatFee(cents: number): string {
  return `CAD ${(cents / 100).toFixed(2)}`;
}

/** '$150.00', as the fee schedule and the texts that patients agree to write it. */
export function formatLegalFee(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}

/** A patient's coverage class. The letters are opaque: what follows stands in the rules below. */
export const ELIGIBILITIES = ['E', 'NR', 'R', 'NE'] as const;
export type Eligibility = (typeof ELIGIBILITIES)[number];

/** Whether the text is one of the eligibility letters. */
export function isEligibility(text: string): text is Eligibility {
  return (ELIGIBILITIES as readonly string[]).includes(text);
}

/** What a new account is taken for until the clinic has seen the card. */
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

/** What holds for an eligibility whatever the type. */
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

/** All that depends on eligibility but the fees, as data: what §4, §5, §6 and R-53 state. */
export const ELIGIBILITY_RULES: Readonly<Record<Eligibility, EligibilityRules>> = {
  E: COVERED,
  NR: { ...COVERED, documentsNeeded: true },
  R: PRIVATE,
  NE: PRIVATE,
};

/** Whether this patient must have uploaded a health card and picture ID for the type.. */
export function needsDocuments(
  type: Pick<AppointmentType, 'requiresDocuments'>,
  eligibility: Eligibility,
): boolean {
  return type.requiresDocuments && ELIGIBILITY_RULES[eligibility].documentsNeeded;
}

/** What the list call says in isCancellable: false for private appointments of private patients.. */
export function isCancellableBy(
  eligibility: Eligibility,
  { isPrivate }: Pick<AppointmentType, 'isPrivate'>,
): boolean {
  return !(isPrivate && ELIGIBILITY_RULES[eligibility].privatePatient);
}

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
 * Everything that forbids to start with these fees: a charge to E for an insured type, by the
 * Medicare Protection Act; a charge that is no whole number of cents; a type that has a row for one
 * eligibility and not for another, or two..
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
