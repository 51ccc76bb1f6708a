import {
  ELIGIBILITY_RULES,
  type PolicyProblem,
  isAppointmentTypeCode,
  isEligibility,
  toClinic,
  whyPolicyRefused,
} from '@clinic/domain';
import { StartRefused } from './environment.ts';
import type { Database } from './database/db.ts';
import { feesOn } from './modules/schedule/index.ts';

const sentences: Readonly<Record<PolicyProblem['code'], string>> = {
  chargeForbidden: 'charges a covered patient, which the Medicare Protection Act forbids',
  chargeInvalid: 'has a charge that is no whole number of cents',
  rowMissing: 'has no row',
  rowTwice: 'has two rows',
};

/** A fee table that breaks R-32 does not open the clinic; one that is still empty does. */
export async function refuseFeePolicy(database: Database, now: number): Promise<void> {
  const rows = await feesOn(database.db, toClinic(now).date);
  if (rows.length === 0) return;
  const known = rows.flatMap(({ type, eligibility, chargeCents }) =>
    isAppointmentTypeCode(type) && isEligibility(eligibility)
      ? [{ type, eligibility, chargeCents }]
      : [],
  );
  const problems = whyPolicyRefused({ eligibilities: ELIGIBILITY_RULES, rows: known });
  if (problems.length > 0)
    throw new StartRefused(
      `The fee policy cannot stand:\n${problems
        .map(({ type, eligibility, code }) => `  ${type} for ${eligibility} ${sentences[code]}`)
        .join('\n')}`,
    );
}
