import { isEligibility } from '@clinic/domain';
import type { ClinicDate, Eligibility } from '@clinic/domain';

import type { Db } from '../../database/db.ts';
import { run } from '../../database/statement.ts';
import type { Statement } from '../../database/statement.ts';

/** What decides which doctors a patient sees for one type. */
export interface SearchingPatient {
  readonly recordId: string;
  readonly eligibility: Eligibility;
  readonly familyDoctor: boolean;
  readonly bookingBlocked: boolean;
  readonly blockedProviders: readonly string[];
  /** Null when the type is not open to this patient. */
  readonly type: { readonly enforceMrp: boolean; readonly enforceNoPcp: boolean } | null;
}

interface Row {
  readonly record_id: string;
  readonly eligibility: string;
  readonly family_doctor: boolean;
  readonly booking_blocked: boolean;
  readonly blocked_providers: string[];
  readonly offered: boolean;
  readonly enforce_mrp: boolean | null;
  readonly enforce_no_pcp: boolean | null;
}

const searching: Statement = {
  name: 'earliest-patient',
  text: `select p.record_id, p.eligibility, p.family_doctor, p.booking_blocked, p.blocked_providers,
                t.enforce_mrp, t.enforce_no_pcp,
                t.code is not null and not ($2 = any(p.disabled_types)) and exists (
                  select 1 from fee_policy f where f.type = $2 and f.eligibility = p.eligibility
                     and f.valid_from <= $3::date) as offered
           from patient p left join appointment_type t on t.code = $2
          where p.id = $1`,
};

export async function patientSearching(
  db: Db,
  patientId: string,
  type: string,
  day: ClinicDate,
): Promise<SearchingPatient> {
  const [row] = await run<Row>(db, searching, [patientId, type, day]);
  if (!row || !isEligibility(row.eligibility)) throw new Error('A session without its patient');
  return {
    recordId: row.record_id,
    eligibility: row.eligibility,
    familyDoctor: row.family_doctor,
    bookingBlocked: row.booking_blocked,
    blockedProviders: row.blocked_providers,
    type: row.offered
      ? { enforceMrp: row.enforce_mrp === true, enforceNoPcp: row.enforce_no_pcp === true }
      : null,
  };
}
