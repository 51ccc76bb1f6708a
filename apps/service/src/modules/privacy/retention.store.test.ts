import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { currentAgreement } from '@clinic/contract/agreements';
import { toInstant } from '@clinic/domain';

import { accountRequests } from '../../../tests/account-requests.ts';
import { aStaffMember, askDesk, deskSession } from '../../../testing/desk.ts';
import { type TestApp, aClinic, aPatient, ask, signIn, testApp } from '../../../testing/index.ts';
import { noteBesideMessage } from '../messages/index.ts';
import { addPatient, foldNames, mergePatients, noteOnCard } from '../patients/index.ts';
import { invitePatient, personOf } from '../accounts/index.ts';
import { retention, sweepSpent } from './retention.store.ts';
import { SEALED_COLUMNS } from './sealed-columns.ts';

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

const MAY_CALL = { preferred: true, mayLeaveMessage: true };
const ROBIN = {
  actor: 'staff:robin',
  staffId: crypto.randomUUID(),
  now: toInstant('2026-11-21', '09:00'),
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
  const contact = { kind: 'home', number: '+16045550177', whose: '', ...MAY_CALL } as const;
  for (const entry of [
    { of: 'note', kind: 'alert', text: 'Deaf in the left ear' },
    { of: 'wish', kind: 'followUp', type: null, providerId: null, from: null, to: null },
    { of: 'contact', ...contact },
  ] as const)
    await noteOnCard(
      clinic.platform,
      patient.recordId,
      { id: crypto.randomUUID(), ...entry },
      ROBIN,
    );
  await clinic.database.db.execute(
    sql`insert into emr_record select record_id, '7', 0 from patient where id = ${patient.id}`,
  );
  await clinic.database.db.execute(
    sql`insert into emr_unclear_record select record_id, 0 from patient where id = ${patient.id}`,
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
      { person: id, lastEntry: '2026-11-25', keptUntil: '2042-11-25' },
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
    const twin = { ...kept, id: crypto.randomUUID(), email: 'twin@test.example', recordId: 'TWIN' };
    await aPatient(clinic.platform, { ...twin, cardSealed: null, cardIndex: null });
    await foldNames(clinic.platform);
    expect([await count('folded_name'), await count('likely_pair')]).toEqual([3, 1]);
    const before = await count('audit');
    expect((await on('2043-01-01')).due).toHaveLength(1);
    expect(await count('patient')).toBe(3);
    expect(await count('audit')).toBe(before);
    expect((await on('2043-01-01', true)).due).toHaveLength(1);
    expect(await count('patient', `id = '${kept.id}'`)).toBe(1);
    expect(await count('patient')).toBe(2);
    expect((await on('2060-01-01', true)).due).toHaveLength(2);
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
      'emr_unclear_record',
      'folded_name',
      'likely_pair',
      'record_contact',
      'record_note',
      'wish',
    ])
      expect([table, await count(table)]).toEqual([table, 0]);
    for (const { table } of SEALED_COLUMNS) expect([table, await count(table)]).toEqual([table, 0]);
    expect(await count('agreement')).toBe(1);
    expect(await count('audit', `action = 'records erased'`)).toBe(3);
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

test('Retention leaves the record that another account still goes by, of whatever role (S-15)', async () => {
  const { id, recordId } = await aPatient(clinic.platform, { birthDate: '1984-05-17' });
  await aPatient(clinic.platform, { role: 'staff' });
  await clinic.database.db.execute(
    sql`update patient set closed_at_s = case when id = ${id} then 1 end, record_id = ${recordId}`,
  );
  expect((await on('2059-01-01', true)).due.map(({ person }) => person)).toContain(id);
  expect(await count('patient_record', `id = '${recordId}'`)).toBe(1);
});

describe('Retention of people without an account (S-15)', () => {
  const opened = async (over: object = {}) => {
    const who = { actor: 'staff:robin', now: clinic.clock.now() };
    const details = { firstName: 'Ola', lastName: 'Berg', birthDate: '1951-03-02', card: null };
    const asked = {
      requestId: crypto.randomUUID(),
      staffId: 'robin',
      apartFrom: [],
      ...details,
      ...over,
    };
    const recordId = await addPatient(clinic.platform, asked, who);
    if (typeof recordId !== 'string') throw new Error(recordId.code);
    return recordId;
  };
  async function bookFor(recordId: string) {
    const cookie = await deskSession(clinic, await aStaffMember(clinic, 'receptionist'));
    const start = toInstant('2026-11-25', '08:00');
    const body = { type: 'O', providerId: '101', start, overrideReason: 'documentsSeen' };
    const booked = { cookie, params: { id: recordId }, body };
    (await askDesk(clinic, 'deskBook', booked)).answer();
  }
  const named = async (date: string) => (await on(date)).due.map(({ person }) => person);

  // Shows: S-15
  test('counts from when the clinic opened the record, to the day', async () => {
    const person = await opened();
    expect(await on('2042-11-21')).toEqual({ patients: 1, due: [] });
    expect((await on('2042-11-22')).due).toEqual([
      { person, lastEntry: '2026-11-21', keptUntil: '2042-11-21' },
    ]);
  });

  // Shows: S-15
  test('counts from age 19 where the record was opened for a child', async () => {
    const person = await opened({ birthDate: '2020-05-17' });
    expect(await named('2055-05-17')).toEqual([]);
    expect(await named('2055-05-18')).toEqual([person]);
  });

  // Shows: S-15
  test('counts from their last appointment, and from what was opened before a merge', async () => {
    const person = await opened();
    await bookFor(person);
    expect(await named('2042-11-25')).toEqual([]);
    expect(await named('2042-11-26')).toEqual([person]);
    clinic.clock.set(toInstant('2027-02-01', '12:00'));
    const apartFrom = [person];
    const gone = await opened({ apartFrom });
    const who = { actor: 'staff:robin', now: clinic.clock.now() };
    expect(await mergePatients(clinic.platform, person, gone, who)).toBe(person);
    expect(await on('2043-02-01')).toEqual({ patients: 1, due: [] });
    expect(await named('2043-02-02')).toEqual([person]);
  });

  test('counts from when the database had the row where nothing else has a date', async () => {
    await aPatient(clinic.platform, { recordId: 'IMPORTED' });
    await clinic.database.db.execute(sql`delete from patient`);
    await clinic.database.db.execute(
      sql`update patient_record set written_at_s = ${toInstant('2026-11-23', '12:00')}`,
    );
    expect(await named('2042-11-23')).toEqual([]);
    expect(await named('2042-11-24')).toEqual(['IMPORTED']);
    // As version 0.2.0 and a statement by hand write one.
    const { rows } = await clinic.database.db.execute(
      sql`insert into patient_record (id, first_name, last_name, birth_date, card_province)
          values ('BY HAND', 'Ola', 'Berg', '1951-03-02', 'BC')
          returning written_at_s = extract(epoch from now())::bigint as "isDated"`,
    );
    expect(rows).toEqual([{ isDated: true }]);
  });

  // Shows: S-15
  test('erases all that stands about them, and nobody who is booked for meanwhile', async () => {
    const person = await opened();
    await bookFor(person);
    const invited = await personOf(clinic.database.db, person);
    if (invited === null) throw new Error('There is no such record');
    const who = { actor: 'staff:robin', now: clinic.clock.now() };
    await invitePatient(clinic.platform, invited, 'ola@test.example', who);
    expect(await count('account_link')).toBe(1);
    clinic.clock.set(toInstant('2027-02-01', '12:00'));
    const other = await opened({ apartFrom: [person] });
    await foldNames(clinic.platform);
    const { database } = clinic.platform;
    const now = toInstant('2043-01-01', '12:00');
    const changedMeanwhile: typeof database = {
      ...database,
      inTransaction: async (work) => {
        await database.db.execute(sql`update appointment set changed_at_s = ${now}`);
        return database.inTransaction(work);
      },
    };
    const applied = { now, actor: 'clinic:desk', apply: true };
    const ports = { ...clinic.platform, database: changedMeanwhile };
    expect((await retention(ports, { ...applied, apply: false })).due).toHaveLength(1);
    expect(await retention(ports, applied)).toEqual({ patients: 2, due: [] });
    expect(await count('patient_record')).toBe(2);
    expect((await on('2059-01-02', true)).due).toHaveLength(2);
    for (const table of ['patient_record', 'appointment', 'appointment_step', 'account_link'])
      expect([table, await count(table)]).toEqual([table, 0]);
    for (const table of ['folded_name', 'likely_pair'])
      expect([table, await count(table)]).toEqual([table, 0]);
    expect(await count('audit', `action = 'records erased' and subject = 'record:${other}'`)).toBe(
      1,
    );
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

test('One that was refused stays until staff have seen to it, for 30 days at most', async () => {
  const days = (count: number) => clinic.clock.now() + count * 24 * 60 * 60;
  const refused = async () => {
    const { body } = accountRequests.register();
    await ask(clinic, 'register', { body: { ...body, preferredPharmacy: null } });
    await clinic.database.db.execute(
      sql`insert into refused_sign_up select id, created_at_s from pending_sign_up on conflict do nothing`,
    );
  };
  await refused();
  expect(await sweepSpent(clinic.platform, days(30) - 1)).toMatchObject({ signUps: 0 });
  expect(await sweepSpent(clinic.platform, days(30))).toMatchObject({ signUps: 1 });
  await refused();
  await clinic.database.db.execute(sql`update refused_sign_up set seen_at_s = 0`);
  expect(await sweepSpent(clinic.platform, days(1))).toMatchObject({ signUps: 1 });
  await sweepSpent(clinic.platform, days(1));
  expect([await count('pending_sign_up'), await count('refused_sign_up')]).toEqual([0, 0]);
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
    foldedNames: 0,
    likelyPairs: 0,
    emails: 0,
    gatewayEvents: 0,
    signUps: 0,
    staffSessions: 0,
    staffChallenges: 0,
    waitingActs: 0,
    staffActs: 0,
    accountLinks: 0,
    emailChanges: 0,
    patientChanges: 0,
  });
  // Version 0.2.0 erases a patient and knows neither of these.
  await clinic.database.db.execute(sql`insert into folded_name values ('gone', 'gone', 'gone')`);
  await clinic.database.db.execute(
    sql`insert into likely_pair values ('gone', ${patient.recordId}, ${now}, null)`,
  );
  expect(await sweepSpent(clinic.platform, now + 86_401)).toMatchObject({
    proofs: 1,
    foldedNames: 1,
    likelyPairs: 1,
  });
  const later = await sweepSpent(clinic.platform, now + 91 * 86_400);
  expect(later).toMatchObject({ sessions: 2, emails: 1, gatewayEvents: 1 });
  expect(await count('appointment', 'answers_sealed is not null')).toBe(1);
  expect(await count('rate_window')).toBe(0);
  // The database itself says when a change was noted.
  await clinic.database.db.execute(
    sql`update patient_change set changed_at_s = changed_at_s - 3601`,
  );
  const { patientChanges = 0 } = await sweepSpent(clinic.platform, now);
  expect(patientChanges).toBeGreaterThan(0);
  expect(await count('patient_change')).toBe(0);
});

test('What is noted on a card is an entry of the record, and goes with it where it was merged (S-15)', async () => {
  const kept = await aPatient(clinic.platform, {
    birthDate: '1984-05-17',
    createdAt: toInstant('2020-01-01', '12:00'),
  });
  const details = { firstName: 'Ola', lastName: 'Berg', birthDate: '1951-03-02', card: null };
  const who = { actor: 'staff:robin', now: clinic.clock.now() };
  const added = { ...details, requestId: crypto.randomUUID(), apartFrom: [], staffId: '' };
  const gone = await addPatient(clinic.platform, added, who);
  if (typeof gone !== 'string') throw new Error('A record was not opened');
  const note = { id: crypto.randomUUID(), of: 'note', kind: 'note', text: 'Likes tea' } as const;
  const later = toInstant('2027-02-03', '12:00');
  await noteOnCard(clinic.platform, gone, note, { ...ROBIN, now: later });
  await mergePatients(clinic.platform, kept.recordId, gone, who);
  expect((await on('2043-02-03', true)).due).toEqual([]);
  expect((await on('2043-02-04', true)).due).toMatchObject([{ lastEntry: '2027-02-03' }]);
  expect([await count('record_note'), await count('patient_record')]).toEqual([0, 0]);
});
