import type { Client } from 'pg';

import type { ClaimState, FinalClaim } from '../run.ts';

interface ClaimRow {
  readonly id: string;
  readonly patient_id: string;
  readonly provider_id: string;
  readonly start_s: string;
  readonly end_s: string;
  readonly clinic_date: string;
  readonly state: ClaimState;
  readonly rescheduled_from: string | null;
  readonly request_key: string | null;
}

/** The claims as they stand now; `nameOf` turns an account's id into the patient's name. */
export async function readClaims(
  database: Client,
  nameOf: (account: string) => string | undefined,
): Promise<FinalClaim[]> {
  const { rows } = await database.query<ClaimRow>(
    `select id, patient_id, provider_id, start_s, end_s, clinic_date::text as clinic_date, state,
            rescheduled_from, request_key
       from claim`,
  );
  return rows.map((row) => ({
    id: row.id,
    patient: nameOf(row.patient_id) ?? row.patient_id,
    provider: row.provider_id,
    start: Number(row.start_s),
    end: Number(row.end_s),
    date: row.clinic_date,
    state: row.state,
    rescheduledFrom: row.rescheduled_from,
    requestKey: row.request_key?.replace(/^sent:/, '') ?? null,
  }));
}
