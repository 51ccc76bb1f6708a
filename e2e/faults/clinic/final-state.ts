import type { Client } from 'pg';

import type { AppointmentState, FinalRow } from '../run.ts';

interface AppointmentRow {
  readonly id: string;
  readonly patient_id: string;
  readonly provider_id: string;
  readonly start_s: string;
  readonly end_s: string;
  readonly clinic_date: string;
  readonly state: AppointmentState;
  readonly rescheduled_from: string | null;
  readonly request_key: string | null;
}

/** The appointments as they stand now; `nameOf` turns an account's id into the patient's name. */
export async function readAppointments(
  database: Client,
  nameOf: (account: string) => string | undefined,
): Promise<FinalRow[]> {
  const { rows } = await database.query<AppointmentRow>(
    `select id, patient_id, provider_id, start_s, end_s, clinic_date::text as clinic_date, state,
            rescheduled_from, request_key
       from appointment`,
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
