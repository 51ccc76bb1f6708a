import { randomUUID } from 'node:crypto';
import type { AppointmentTypeCode } from '@clinic/domain';
import { dollarsOf, toInstant } from '@clinic/domain';
import { aMedicalProfile } from '@clinic/domain/testing';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { charge, practiceCard } from '../testing/paying.ts';
import {
  type TestApp,
  aClinic,
  aPatient,
  aProvider,
  ask,
  scheduleFor,
  signIn,
  testApp,
} from '../testing/index.ts';
import { validBcNumber } from '@clinic/practice/accounts.ts';
import { feeRows } from '@clinic/practice/clinic-rows.ts';
import { tableNames } from './rows-of.ts';

let clinic: TestApp;
/** What patients told the clinic alone, by what it is; each text stands nowhere else. */
const told = new Map<string, string>();
let spoken = 0;
const secret = (what: string, text = `${what} ${++spoken} of nobody else`): string => {
  told.set(what, text);
  return text;
};

const TYPES = ['O', 'P', 'PP', 'V', 'I', 'D', 'M', 'G'] as const;

beforeAll(async () => {
  clinic = await testApp();
  await aClinic(clinic);
  await aProvider(clinic, { id: '102' });
  await scheduleFor(clinic, '102', ['2026-11-26'], {
    O: ['08:00-08:30'],
    P: ['09:00-09:30'],
    A: ['10:00-11:00'],
  });
  for (const [at, type] of TYPES.entries()) await bookAs(type, at);
  await otherForms();
});
afterAll(() => clinic.close());

async function newPatient(what: string, over: object = {}) {
  const cardNumber = secret(`health number of ${what}`, validBcNumber(90_000 + ++spoken));
  const row = await aPatient(clinic, { cardNumber, ...over });
  return { row, token: await signIn(clinic, row) };
}

async function must(response: Promise<{ statusCode: number; body: string }>): Promise<void> {
  const { statusCode, body } = await response;
  if (statusCode !== 200) throw new Error(body);
}

/** A patient who books one appointment of the type, and pays where there is a fee. */
async function bookAs(type: AppointmentTypeCode, at: number): Promise<void> {
  const { token } = await newPatient(`the patient of ${type}`);
  if (type === 'M' || type === 'G') await keepProfile(token, type);
  const times = { O: '08:00', P: '09:00' } as const;
  const time = type === 'O' || type === 'P' ? times[type] : `10:${String(5 * at).padStart(2, '0')}`;
  const start = toInstant('2026-11-26', time);
  const slot = { doctor: '102', start, end: start + 300, selectedType: type };
  const answers = { reason: secret(`reason of ${type}`), ...(type === 'I' ? injury() : {}) };
  const fee = feeRows('2020-01-01').find((row) => row.type === type && row.eligibility === 'E');
  const amount = dollarsOf(fee?.chargeCents ?? 0);
  if (amount === 0)
    return must(ask(clinic, 'createBooking', { token, body: { ...slot, ...answers } }));
  const card = { payment_method_id: practiceCard(), amount };
  const paid = await charge(clinic, token, { ...slot, ...answers, ...card });
  if (paid.status !== 200) throw new Error(JSON.stringify(paid.answer));
}

const injury = () => ({
  crashYear: 2026,
  crashMonth: 11,
  crashDay: 1,
  contactPreference: 'PHONE' as const,
  symptom: secret('symptom'),
  medicationTaken: secret('medication'),
  experiencingList: ['missingWork'],
  treatmentList: ['massageTherapy', { key: 'other' as const, text: secret('treatment') }],
});

const keepProfile = (token: string, of: string) =>
  must(
    ask(clinic, 'saveMedicalProfile', {
      token,
      body: {
        eMedProfile: aMedicalProfile({
          passportNumber: secret(`passport of ${of}`, `ZQ${of}7741902`),
          hearAboutUs: secret(`how ${of} heard of us`),
        }),
      },
    }),
  );

/** A draft beside a hold, a card that was declined, a new record, a suggestion, agreements. */
async function otherForms(): Promise<void> {
  const { row, token } = await newPatient('the patient of a new chart', { primaryDoctor: false });
  const body = { id: row.id, familyDoc: '1999', hasFamilyDoc: false };
  await must(ask(clinic, 'createDemographics', { token, body }));
  const start = toInstant('2026-11-26', '13:00');
  const slot = { doctor: '101', start, end: start + 300, selectedType: 'V' as const };
  await must(ask(clinic, 'placeHold', { token, body: slot }));
  const draft = { reason: secret('draft') };
  await must(ask(clinic, 'saveDraft', { token, body: { draft } }));
  const reason = secret('reason of a declined card');
  const declined = { payment_method_id: practiceCard('declined'), amount: 200, reason };
  expect((await charge(clinic, token, { ...slot, ...declined })).status).toBe(402);
  const message = secret('suggestion');
  await must(
    ask(clinic, 'reportProblem', { token, body: { dataURL: '', message, isAppointment: true } }),
  );
}

/** Every column of every table as text: bytes are written in hex, as a dump writes them. */
async function dump(): Promise<{ columns: number; values: number; text: string }> {
  const { rows: columns } = await clinic.database.db.execute<{ name: string; of: string }>(
    sql`select column_name as name, table_name as of from information_schema.columns
         where table_schema = 'public' order by 1, 2`,
  );
  const parts: string[] = [];
  for (const { name, of } of columns) {
    const { rows } = await clinic.database.db.execute<{ value: string | null }>(
      sql`select ${sql.identifier(name)}::text as value from ${sql.identifier(of)}`,
    );
    parts.push(...rows.map(({ value }) => value ?? ''));
  }
  return { columns: columns.length, values: parts.length, text: parts.join('\n').toLowerCase() };
}

/** As it stands, as hex, and as base64 from wherever it may begin in what is encoded. */
function spellings(text: string): string[] {
  const base64 = [0, 1, 2].map((before) => {
    const encoded = Buffer.from(`${' '.repeat(before)}${text}`).toString('base64');
    return encoded.slice(before === 0 ? 0 : 4, -4);
  });
  return [text, Buffer.from(text).toString('hex'), ...base64].map((each) => each.toLowerCase());
}

describe('A dump of the database (S-13)', () => {
  // Shows: S-13
  test('after appointments of every type has no health number, reason, injury answer or passport in the clear', async () => {
    const { columns, values, text } = await dump();
    expect([await tableNames(clinic).then(({ length }) => length > 30), columns > 200]).toEqual([
      true,
      true,
    ]);
    expect(values).toBeGreaterThan(1_000);
    expect(told.size).toBeGreaterThan(25);
    const found = [...told].flatMap(([what, words]) =>
      spellings(words).some((each) => text.includes(each)) ? [what] : [],
    );
    expect(found).toEqual([]);
  });

  test('would show them if they were there', async () => {
    const planted = `A note ${randomUUID()}`;
    const bytes = Buffer.from(`xx${planted}`);
    await clinic.database.inTransaction((tx) =>
      tx.execute(sql`insert into installation (key, value)
                     values ('plain', ${planted}), ('hex', ${bytes.toString('hex')}),
                            ('base64', ${bytes.toString('base64')})`),
    );
    const { text } = await dump();
    const seen = spellings(planted).filter((each) => text.includes(each));
    expect(seen).toHaveLength(3);
  });

  test('holds every appointment, form and answer, sealed', async () => {
    const count = async (table: string, where: string) => {
      const { rows } = await clinic.database.db.execute<{ n: number }>(
        sql`select count(*)::int as n from ${sql.identifier(table)} where ${sql.raw(where)}`,
      );
      return rows[0]?.n;
    };
    expect(await count('appointment', "state = 'booked' and answers_sealed is not null")).toBe(8);
    expect(await count('appointment', "state = 'held' and answers_sealed is not null")).toBe(1);
    expect(await count('medical_profile', 'profile_sealed is not null')).toBe(2);
    expect(await count('problem_report', 'message_sealed is not null')).toBe(1);
  });
});
