import { APPOINTMENT_TYPE_CODES } from '../booking/appointment-type.ts';
import type { AppointmentTypeCode } from '../booking/appointment-type.ts';
import { ELIGIBILITIES } from '../booking/patient-facts.ts';
import type { Eligibility } from '../booking/patient-facts.ts';

/** What holds for an eligibility whatever the type. The letters mean nothing beyond it. */
export interface EligibilityRules {
  /** One appointment per clinic day. */
  readonly oncePerDay: boolean;
  /** Types that require documents require them of this patient. */
  readonly documentsNeeded: boolean;
  /** Sees the banner for private patients on My Appointments. */
  readonly privatePatient: boolean;
  /** Types that this patient cannot cancel. */
  readonly notCancellable: readonly AppointmentTypeCode[];
}

/** What holds for one type and one eligibility. */
export interface PolicyRow {
  readonly type: AppointmentTypeCode;
  readonly eligibility: Eligibility;
  /** The fee in cents of a Canadian dollar. */
  readonly chargeCents: number;
  /** The text of the ministry's Important Notice, where there is one. */
  readonly notice?: string;
}

/** All that depends on eligibility, as data. */
export interface Policy {
  readonly eligibilities: Readonly<Record<Eligibility, EligibilityRules>>;
  readonly rows: readonly PolicyRow[];
}

/** The rules per eligibility that §4, §5, §6 and R-53 state. */
export const ELIGIBILITY_RULES: Readonly<Record<Eligibility, EligibilityRules>> = {
  E: { oncePerDay: true, documentsNeeded: false, privatePatient: false, notCancellable: [] },
  NR: { oncePerDay: true, documentsNeeded: true, privatePatient: false, notCancellable: [] },
  R: {
    oncePerDay: false,
    documentsNeeded: true,
    privatePatient: true,
    notCancellable: ['V', 'PP'],
  },
  NE: {
    oncePerDay: false,
    documentsNeeded: true,
    privatePatient: true,
    notCancellable: ['V', 'PP'],
  },
};

/** Types that must cost an E patient nothing, by the Medicare Protection Act. */
const FREE_FOR_E: readonly AppointmentTypeCode[] = ['O', 'P', 'I'];

export type PolicyProblem = {
  readonly code: 'chargeForbidden' | 'chargeInvalid' | 'rowMissing' | 'rowTwice';
  readonly type: AppointmentTypeCode;
  readonly eligibility: Eligibility;
};

/**
 * Everything that forbids to start with a policy: a charge to E for O, P or I, a charge that is
 * no whole number of cents, a type and eligibility without a row or with two..
 */
export function whyPolicyRefused(policy: Policy): PolicyProblem[] {
  const problems: PolicyProblem[] = [];
  for (const type of APPOINTMENT_TYPE_CODES)
    for (const eligibility of ELIGIBILITIES) {
      const rows = rowsFor(policy, type, eligibility);
      const report = (code: PolicyProblem['code']) => problems.push({ code, type, eligibility });
      if (rows.length === 0) report('rowMissing');
      if (rows.length > 1) report('rowTwice');
      const charges = rows.map(({ chargeCents }) => chargeCents);
      if (charges.some((cents) => !Number.isSafeInteger(cents) || cents < 0))
        report('chargeInvalid');
      if (eligibility === 'E' && FREE_FOR_E.includes(type) && charges.some((cents) => cents !== 0))
        report('chargeForbidden');
    }
  return problems;
}

function rowsFor(policy: Policy, type: AppointmentTypeCode, eligibility: Eligibility) {
  return policy.rows.filter((row) => row.type === type && row.eligibility === eligibility);
}

/** Whether this patient must have uploaded a health card and picture ID for the type.. */
export function needsDocuments(
  policy: Pick<Policy, 'eligibilities'>,
  type: { readonly requiresDocuments: boolean },
  eligibility: Eligibility,
): boolean {
  return type.requiresDocuments && policy.eligibilities[eligibility].documentsNeeded;
}

/**
 * What the list call says in isCancellable: false for private appointments of private patients. See
 *
 */
export function isCancellableByPolicy(
  policy: Pick<Policy, 'eligibilities'>,
  type: AppointmentTypeCode,
  eligibility: Eligibility,
): boolean {
  return !policy.eligibilities[eligibility].notCancellable.includes(type);
}
