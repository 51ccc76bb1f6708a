import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { currentAgreement } from '@clinic/contract/agreements';
import { toInstant } from '@clinic/domain';

import { accountRequests } from '../../../tests/account-requests.ts';
import { type TestApp, aClinic, aPatient, ask, signIn, testApp } from '../../../testing/index.ts';
import { noteBesideMessage } from '../messages/index.ts';
import { retention, sweepSpent } from './retention.store.ts';
import { SEALED_COLUMNS } from './rotate-keys.store.ts';

let clinic: TestApp;

beforeEach(async () => {
  clinic = await testApp();
  await aClinic(clinic);
});
afterEach(() => clinic.close());

const on = (date: string, apply = false) =>
  retention(clinic.platform, { now: toInstant(date, '12:00'), actor: 'clinic:desk', apply });
const count = async (table: string, where = 'true') => {
  const { rows } = await clinic.database.db.execute<{ n: number }>(
    sql.raw(`select count(*)::int as n from ${table} where ${where}`),
  );
  return rows[0]?.n;
};

/** A patient of whom there is something in every table. */
async function aFullPatient(over: Parameters<typeof aPatient>[1] = {}) {
  const patient = await aPatient(clinic.platform, {
    healthCardUploaded: true,
    pictureIdUploaded: true,
    ...over,
  });
  const token = await signIn(clinic, patient);
  const start = toInstant('2026-11-25', '08:00');
  await ask(clinic, 'createBooking', {
    token,
    body: { start, end: start + 300, doctor: '101', selectedType: 'O', reason: 'A cough' },
  });
  const files = [{ name: 'a.json', bytes: Buffer.from('{}') }];
  const started = await ask(clinic, 'startMessage', { token, body: { message: 'Hello' }, files });
  const { id } = started.answer().extras.message;
  await ask(clinic, 'changeMessage', { token, params: { id }, body: { message: 'Hello!' } });
  await noteBesideMessage(
    clinic.platform,
    id,
    { id: crypto.randomUUID(), staffId: crypto.randomUUID(), text: 'Called back' },
    { actor: 'staff:robin', now: clinic.clock.now(), ofProvider: null },
  );
  await clinic.database.db.execute(
    sql`insert into emr_record select record_id, '7', 0 from patient where id = ${patient.id}`,
  );
  const { version, hash } = currentAgreement('general');
  await ask(clinic, 'saveAgreement', { token, body: { kind: 'general', version, hash } });
  return patient;
}

describe('Retention (S-15)', () => {
  // Shows: S-15
  test('keeps an adult’s records 16 years from the last entry, to the day', async () => {
    const { id } = await aFullPatient({ birthDate: '1984-05-17' });
    expect(await on('2042-11-25')).toEqual({ patients: 1, due: [] });
    expect((await on('2042-11-26')).due).toEqual([
      { patientId: id, lastEntry: '2026-11-25', keptUntil: '2042-11-25' },
    ]);
  });

  // Shows: S-15
  test('keeps a child’s records 16 years from age 19', async () => {
    await aFullPatient({ birthDate: '2020-02-29' });
    expect((await on('2055-03-01')).due).toEqual([]);
    expect((await on('2055-03-02')).due).toMatchObject([{ keptUntil: '2055-03-01' }]);
  });

  // Shows: S-15
  test('a dry run touches nothing; applied, nothing of the patient is left but what names nobody', async () => {
    const kept = await aFullPatient({ birthDate: '2020-01-01' });
    await aPatient(clinic.platform, { createdAt: toInstant('2020-01-01', '12:00') });
    const before = await count('audit');
    expect((await on('2043-01-01')).due).toHaveLength(1);
    expect(await count('patient')).toBe(2);
    expect(await count('audit')).toBe(before);
    expect((await on('2043-01-01', true)).due).toHaveLength(1);
    expect(await count('patient', `id = '${kept.id}'`)).toBe(1);
    expect(await count('patient')).toBe(1);
    expect((await on('2060-01-01', true)).due).toHaveLength(1);
    for (const table of [
      'patient',
      'appointment',
      'appointment_step',
      'message',
      'message_file',
      'session',
      'known_device',
      'payment',
      'patient_record',
      'emr_record',
    ])
      expect([table, await count(table)]).toEqual([table, 0]);
    for (const { table } of SEALED_COLUMNS) expect([table, await count(table)]).toEqual([table, 0]);
    expect(await count('agreement')).toBe(1);
    expect(await count('audit', `action = 'records erased'`)).toBe(2);
  });

  // Shows: S-15
  test('keeps, and then erases, what the record has from a time without an account', async () => {
    const patient = await aPatient(clinic.platform, {
      createdAt: toInstant('2020-01-01', '12:00'),
    });
    const start = toInstant('2026-11-25', '08:00');
    await ask(clinic, 'createBooking', {
      token: await signIn(clinic, patient),
      body: { start, end: start + 300, doctor: '101', selectedType: 'O', reason: 'A cough' },
    });
    await clinic.database.db.execute(sql`update appointment set patient_id = null`);
    expect((await on('2042-11-25', true)).due).toEqual([]);
    expect((await on('2042-11-26', true)).due).toMatchObject([{ lastEntry: '2026-11-25' }]);
    for (const table of ['patient', 'patient_record', 'appointment', 'appointment_step'])
      expect([table, await count(table)]).toEqual([table, 0]);
  });
});

test('A sign-up that nobody confirmed goes after its six hours (R-97)', async () => {
  const { body } = accountRequests.register();
  await ask(clinic, 'register', { body: { ...body, preferredPharmacy: null } });
  const now = clinic.clock.now();
  const hours = (count: number) => now + count * 60 * 60;
  expect(await sweepSpent(clinic.platform, hours(6) - 1)).toMatchObject({ signUps: 0 });
  expect(await sweepSpent(clinic.platform, hours(6))).toMatchObject({ signUps: 1 });
  expect(await count('pending_sign_up')).toBe(0);
});

test('What is of no use any more goes within the day (S-15)', async () => {
  const patient = await aFullPatient();
  const token = await signIn(clinic, patient);
  const start = toInstant('2026-11-26', '08:00');
  const slot = { start, end: start + 300, doctor: '101', selectedType: 'O' };
  await ask(clinic, 'placeHold', { token, body: slot });
  await ask(clinic, 'saveDraft', { token, body: { draft: { reason: 'Secret draft' } } });
  await ask(clinic, 'releaseHold', { token });
  await clinic.platform.outbox.drain();
  const now = clinic.clock.now();
  await clinic.database.db.execute(
    sql`insert into spent_proof values ('\\x01'::bytea, ${now + 60})`,
  );
  await clinic.database.db.execute(
    sql`insert into gateway_event values ('evt_1', 'x', null, ${now})`,
  );
  expect(await sweepSpent(clinic.platform, now)).toEqual({
    proofs: 0,
    codes: 0,
    sessions: 0,
    devices: 0,
    emails: 0,
    gatewayEvents: 0,
    signUps: 0,
    staffSessions: 0,
    staffChallenges: 0,
    accountLinks: 0,
  });
  expect(await sweepSpent(clinic.platform, now + 86_401)).toMatchObject({ proofs: 1 });
  const later = await sweepSpent(clinic.platform, now + 91 * 86_400);
  expect(later).toMatchObject({ sessions: 2, emails: 1, gatewayEvents: 1 });
  expect(await count('appointment', 'answers_sealed is not null')).toBe(1);
  expect(await count('rate_window')).toBe(0);
});
