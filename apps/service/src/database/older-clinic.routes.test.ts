import { strFromU8, unzipSync } from 'fflate';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { toInstant } from '@clinic/domain';

import { type TestApp, ask, signIn, testApp } from '../../testing/index.ts';
import { type BlankDatabase, OLDER_KEYS, anOlderClinic } from '../../testing/older-clinic.ts';
import { operate } from '../../testing/operator.ts';
import { createKeyring } from '../security/keyring.ts';
import { violations } from './invariants.store.ts';

let older: BlankDatabase;
let clinic: TestApp;

beforeAll(async () => {
  older = await anOlderClinic();
  await older.migrate();
  clinic = await testApp({ database: older.database, keyring: createKeyring(OLDER_KEYS) });
});
afterAll(() => clinic.close());

async function tokenOf(email: string): Promise<string> {
  const { rows } = await older.database.db.execute<{ id: string }>(
    sql`select id from patient where email = ${email}`,
  );
  return signIn(clinic, { id: rows[0]?.id ?? '' });
}
const listed = async (email: string) =>
  (await ask(clinic, 'listAppointments', { token: await tokenOf(email) })).answer().appointments;

describe('A clinic that 0.2.0 has brought up from 0.1, migrated', () => {
  test('lists what was booked, moved, cancelled and paid', async () => {
    const said = (await listed('ada@test.example')).map(({ startTime, code, status }) => [
      startTime,
      code,
      status,
    ]);
    expect(said).toEqual([
      [toInstant('2026-11-25', '08:00'), 'O', 'cancelled'],
      [toInstant('2026-11-26', '09:05'), 'P', 'cancelled'],
      [toInstant('2026-11-27', '08:10'), 'O', 'booked'],
    ]);
    const paid = await listed('bea@test.example');
    expect(
      paid.map(({ startTime, paidAmount, status }) => [startTime, paidAmount, status]),
    ).toEqual([
      [toInstant('2026-11-26', '13:00'), 200, 'booked'],
      // It was refunded.
      [toInstant('2026-11-30', '13:10'), 0, 'cancelled'],
    ]);
  });

  test('opens every sealed text under the context that it was sealed in', async () => {
    const token = await tokenOf('ada@test.example');
    const { rawPayload } = await ask(clinic, 'exportData', { token });
    const entries = unzipSync(rawPayload);
    const data = strFromU8(entries['my-data.json'] ?? new Uint8Array());
    for (const text of ['A cough that moved', 'A question', 'My left knee', 'Please come in.'])
      expect(data).toContain(text);
    expect(data).toContain('9876543218');
    expect(Object.values(entries).map((each) => strFromU8(each))).toContain('{"pain":7}');
  });

  test('keeps a hold and what was typed for it', async () => {
    const token = await tokenOf('cy@test.example');
    const { hold } = (await ask(clinic, 'readHold', { token })).answer().extras;
    expect(hold).toMatchObject({ draft: { reason: 'A draft of a reason' } });
  });

  test('sends the emails that were waiting, each once, and one for all that was to be told of an appointment', async () => {
    expect((await clinic.mails()).map(({ to, subject }) => `${to} ${subject}`).sort()).toEqual([
      'ada@test.example The clinic has replied to your message - Test Clinic',
      'ada@test.example Your appointment is cancelled - Test Clinic',
      'ada@test.example Your appointment is rescheduled - Test Clinic',
      'bea@test.example Your appointment is booked - Test Clinic',
      'bea@test.example Your appointment is cancelled - Test Clinic',
      'bea@test.example Your payment has been refunded - Test Clinic',
      'cy@test.example Your password was changed - Test Clinic',
      'dot@test.example Please confirm your email address - Test Clinic',
    ]);
    const { rows } = await older.database.db.execute(
      sql`select kind from outbox where done_at_s is null`,
    );
    expect(rows).toEqual([]);
  });

  test('vouches for its audit trail, and counts by it who cancelled', async () => {
    expect(await operate(clinic.platform, 'verify-audit')).toMatchObject({ code: 0 });
    const month = ['--from', '2026-11-01', '--to', '2026-11-30'];
    const { files } = await operate(clinic.platform, 'statistics', ...month);
    const [csv = ''] = [...files.values()].map(String);
    expect(csv).toMatch(
      /^\uFEFFmonth,.*,cancelledByPatient,cancelledByClinic,rescheduled,.*\n2026-11,101,.*,1,1,1,0,0,0\n/,
    );
  });

  test('holds every invariant, and refuses a time that was taken before', async () => {
    const found = await violations(older.database.db, clinic.clock.now());
    expect(found).toEqual([]);
    const start = toInstant('2026-11-27', '08:10');
    const taken = await ask(clinic, 'createBooking', {
      token: await tokenOf('bea@test.example'),
      body: { start, end: start + 300, doctor: '101', selectedType: 'O', reason: 'A cough' },
    });
    expect(taken.refusal().extras.code).toBe('slotTaken');
  });
});
