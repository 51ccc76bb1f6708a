import { createHash, randomBytes, randomUUID } from 'node:crypto';

import type { Client } from 'pg';

import type { PatientAccount } from './patient.ts';

/** What the patients of a fault run find: doctors with few slots, and one with a hundred on a day. */
export interface SeededClinic {
  readonly accounts: readonly PatientAccount[];
  /** Six clinic days with slots, more than 24 hours ahead. */
  readonly firstDay: string;
  readonly lastDay: string;
}

/** Their slots fill at once. */
export const BUSY_DOCTORS = ['201', '202', '203'];
/** A hundred slots a day, for the crush. */
export const CRUSHED_DOCTOR = '204';
/** They give appointments of every length within an hour. */
export const MIXED_DOCTORS = ['205', '206'];

export const FIVE_MINUTES = 'O';
/** What the hours of every doctor serve, and how long it lasts. */
export const MINUTES: Readonly<Record<string, number>> = {
  [FIVE_MINUTES]: 5,
  T10: 10,
  T15: 15,
  T20: 20,
  T40: 40,
};

const STEPS_A_DAY = 288;
const EIGHT = 96;

/** Slots of five minutes from eight o'clock on, one after the other. */
const template = (slots: number) =>
  '_'.repeat(EIGHT) + 'O'.repeat(slots).padEnd(STEPS_A_DAY - EIGHT, '_');

const TYPES = [...Object.keys(MINUTES), 'P', 'PP', 'V', 'I', 'D', 'M', 'G', 'F'];
const ELIGIBILITIES = ['E', 'NR', 'R', 'NE'];

/**
 * Fills a migrated database. Every other patient may have one appointment a day only. No two have a
 * birth date: those of one are compared by name, each with each.
 */
export async function seedClinic(database: Client, patients: number): Promise<SeededClinic> {
  await database.query(
    `insert into appointment_type
       (code, description, minutes, position, enforce_mrp, enforce_no_pcp, requires_documents)
     select code, code || ' appointment', minutes, position, false, false, false
       from unnest($1::text[], $2::int[]) with ordinality as t (code, minutes, position)
     on conflict do nothing`,
    [TYPES, TYPES.map((code) => MINUTES[code] ?? 5)],
  );
  await database.query(`update slot_code set types = $1 where code = 'O'`, [Object.keys(MINUTES)]);
  await database.query(
    `insert into fee_policy (type, eligibility, valid_from, charge_cents)
     select type, eligibility, date '2020-01-01', 0
       from unnest($1::text[]) type, unnest($2::text[]) eligibility
     on conflict do nothing`,
    [TYPES, ELIGIBILITIES],
  );
  for (const id of [...BUSY_DOCTORS, ...MIXED_DOCTORS, CRUSHED_DOCTOR]) {
    const mixed = MIXED_DOCTORS.includes(id) ? 12 : 4;
    const codes = template(id === CRUSHED_DOCTOR ? 100 : mixed);
    await database.query(
      `insert into provider (id, first_name, last_name, status) values ($1, 'A', $1, '1')`,
      [id],
    );
    await database.query(
      `insert into records_template (provider_id, weekday, valid_from, codes)
       select $1, weekday, date '2020-01-01', $2 from generate_series(0, 6) weekday`,
      [id, codes],
    );
    await database.query(
      `insert into schedule_day (clinic_date, provider_id, codes)
       select current_date + day, $1, $2 from generate_series(-1, 91) day
       on conflict do nothing`,
      [id, codes],
    );
  }
  const { rows } = await database.query<{ first: string; last: string; now: string }>(
    `select (current_date + 4)::text as first, (current_date + 9)::text as last,
            floor(extract(epoch from clock_timestamp()))::text as now`,
  );
  const accounts: PatientAccount[] = [];
  for (let number = 1; number <= patients; number += 1) {
    accounts.push(await addPatient(database, number, Number(rows[0]?.now)));
  }
  return { accounts, firstDay: rows[0]?.first ?? '', lastDay: rows[0]?.last ?? '' };
}

async function addPatient(database: Client, number: number, now: number): Promise<PatientAccount> {
  const onceADay = number % 2 === 0;
  const account = {
    name: `patient-${number}`,
    id: randomUUID(),
    token: randomBytes(32).toString('base64url'),
    onceADay,
  };
  await database.query(
    `insert into patient_record (id, first_name, last_name, birth_date, card_province)
     values ($1, 'Pat', $1, date '1980-02-03' + $2::int, 'BC')`,
    [`record-${number}`, number],
  );
  await database.query(
    `insert into patient
       (id, email, password_hash, record_id, first_name, last_name, sex, birth_date,
        address, city, province, postal, country, card_province, eligibility,
        health_card_uploaded, picture_id_uploaded, created_at_s)
     values ($1, $2, '', $3, 'Pat', $4, 'F', date '1980-02-03' + $7::int,
             '1 Main St', 'Vancouver', 'BC', 'V5K 0A1', 'CA', 'BC', $5, true, true, $6)`,
    [
      account.id,
      `${account.name}@example.org`,
      `record-${number}`,
      account.name,
      onceADay ? 'E' : 'R',
      now,
      number,
    ],
  );
  await database.query(
    `insert into session (token_hash, patient_id, created_at_s, last_active_at_s)
     values ($1, $2, $3, $3)`,
    [createHash('sha256').update(account.token).digest(), account.id, now],
  );
  return account;
}
