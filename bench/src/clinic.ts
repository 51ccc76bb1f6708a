import { createHash, randomBytes, randomUUID } from 'node:crypto';

import type pg from 'pg';

import { addDays, toClinic } from '@clinic/domain';
import type { ClinicDate } from '@clinic/domain';

import {
  DAYS,
  PROVIDERS,
  providerId,
  referenceWork,
  SEARCHED_AT,
  TEMPLATE,
} from '../reference-work.ts';

/** A patient with a session. */
export interface BenchPatient {
  readonly id: string;
  readonly token: string;
}

/** Everything until the end of the booking window has a template, not only the days of W. */
export const OTHER_DAYS: readonly ClinicDate[] = Array.from({ length: 90 }, (_, day) =>
  addDays(toClinic(SEARCHED_AT).date, day + 1),
).filter((date) => !DAYS.includes(date));

/** Providers, templates, types and the bookings of W. */
export async function seedWork(client: pg.Client): Promise<void> {
  const providers = Array.from({ length: PROVIDERS }, (_, provider) => providerId(provider));
  await client.query(
    `insert into provider select id, 'Ann', 'Doctor ' || id, '1' from unnest($1::text[]) id`,
    [providers],
  );
  await client.query(
    `insert into schedule_day (clinic_date, provider_id, codes)
     select d, p, $3 from unnest($1::date[]) d, unnest($2::text[]) p`,
    [[...DAYS, ...OTHER_DAYS], providers, TEMPLATE],
  );
  await client.query(
    `insert into appointment_type values ('O', 'In-person appointment', 1, false, false, false)`,
  );
  await client.query(`insert into fee_policy values ('O', 'E', '2020-01-01', 0, null)`);
  const work = referenceWork().flatMap(({ providerId: provider, date, booked }) =>
    booked.map((start) => ({ provider, date, start })),
  );
  await insertAppointments(client, work);
}

/** Makes half of the bookings of W what only an EMR knows, on the same steps. */
export async function giveHalfToEmr(client: pg.Client): Promise<void> {
  await client.query(
    `with gone as (
       delete from appointment where clinic_date = any($1::date[]) and id::text < '8' returning *)
     insert into busy_span (id, source_id, provider_id, clinic_date, start_s, end_s)
     select id, id::text, provider_id, clinic_date, start_s, end_s from gone`,
    [DAYS],
  );
}

/** Makes them bookings of ours again. */
export async function takeBackFromEmr(client: pg.Client): Promise<void> {
  await client.query(
    `with back as (delete from busy_span returning *)
     insert into appointment (id, record_id, provider_id, start_s, end_s, clinic_date, type, state,
                              created_at_s, changed_at_s)
     select id, 'other', provider_id, start_s, end_s, clinic_date, 'O', 'booked', 0, 0 from back`,
  );
}

interface AppointmentToBe {
  readonly provider: string;
  readonly date: ClinicDate;
  readonly start: number;
}

export async function insertAppointments(
  client: pg.Client,
  appointments: readonly AppointmentToBe[],
): Promise<void> {
  const CHUNK = 10_000;
  for (let from = 0; from < appointments.length; from += CHUNK) {
    const chunk = appointments.slice(from, from + CHUNK);
    await client.query(
      `with made as (
         insert into appointment (id, record_id, provider_id, start_s, end_s, clinic_date, type, state,
                            created_at_s, changed_at_s)
         select id, 'other', p, s, s + 300, d, 'O', 'booked', 0, 0
           from unnest($1::uuid[], $2::text[], $3::bigint[], $4::date[]) as row (id, p, s, d)
         returning id, provider_id, start_s)
       insert into appointment_step select provider_id, start_s, id from made`,
      [
        chunk.map(() => randomUUID()),
        chunk.map(({ provider }) => provider),
        chunk.map(({ start }) => start),
        chunk.map(({ date }) => date),
      ],
    );
  }
}

/** Past bookings of the same providers, a step after the other, back from a week ago: so many in all. */
export async function seedHistory(client: pg.Client, count: number, already = 0): Promise<void> {
  const appointments: AppointmentToBe[] = [];
  const lastWeek = SEARCHED_AT - 7 * 86_400;
  for (let appointment = already; appointment < count; appointment++) {
    const start = lastWeek - Math.floor(appointment / PROVIDERS) * 300;
    appointments.push({
      provider: providerId(appointment % PROVIDERS),
      date: toClinic(start).date,
      start: start - (start % 300),
    });
  }
  await insertAppointments(client, appointments);
  await client.query('vacuum analyze');
}

/** Patients with sessions, ready to send requests; no two born on one day, so that none may be the same person. */
export async function seedPatients(client: pg.Client, count: number): Promise<BenchPatient[]> {
  const patients = Array.from({ length: count }, () => ({
    id: randomUUID(),
    token: randomBytes(32).toString('base64url'),
  }));
  await client.query(
    `insert into patient (id, email, password_hash, record_id, first_name,
       last_name, sex, birth_date, address, city, province, postal, country, card_province,
       eligibility, created_at_s)
     select id, id || '@bench.example', '', id::text, 'Pat', 'Bench', 'Other', date '1930-01-01' + n::int,
            '', '', 'BC', '', 'Canada', 'BC', 'E', 0 from unnest($1::uuid[]) with ordinality as row (id, n)`,
    [patients.map(({ id }) => id)],
  );
  await client.query(
    `insert into session (token_hash, patient_id, created_at_s, last_active_at_s)
     select hash, id, $3, $3 from unnest($1::bytea[], $2::uuid[]) as row (hash, id)`,
    [
      patients.map(({ token }) => createHash('sha256').update(token).digest()),
      patients.map(({ id }) => id),
      SEARCHED_AT,
    ],
  );
  return patients;
}
