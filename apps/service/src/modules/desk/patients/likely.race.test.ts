import { currentAgreement } from '@clinic/contract/agreements';
import { validBcNumber } from '@clinic/practice/accounts.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aStaffMember, askDesk, deskSession } from '../../../../testing/desk.ts';
import { type TestApp, aClinic, ask, testApp } from '../../../../testing/index.ts';
import { patientWaits, untilSomeWait } from '../../../../testing/patient-waits.ts';
import { testDatabaseUrl } from '../../../../testing/test-database.ts';
import { type Database, databaseOn, sql } from '../../../database/db.ts';
import { openPostgres } from '../../../database/engine-postgres.ts';
import { patient, patientRecord } from '../../../schema.ts';

let clinic: TestApp;
let database: Database;
let desks: readonly string[];
beforeEach(async () => {
  const url = await testDatabaseUrl();
  database = databaseOn(openPostgres({ url, waits: patientWaits }));
  clinic = await testApp({ database });
  await aClinic(clinic);
  const aDesk = async () => deskSession(clinic, await aStaffMember(clinic, 'receptionist'));
  desks = [await aDesk(), await aDesk()];
});
afterEach(() => clinic.close());

const card = { province: 'BC', number: validBcNumber(99_200) };
const ola = { firstName: 'Ola', lastName: 'Berg', birthDate: '1951-03-02' };

/** Begins these while nobody can make a person, lets them go once each waits, and returns their answers. */
async function atOnce(begin: () => readonly Promise<{ readonly statusCode: number }>[]) {
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = database.inTransaction(async (tx) => {
    await sql(tx)`lock table patient, patient_record in share row exclusive mode`;
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  const begun = begin();
  // One waits for the tables; another waits for them too, or for the first.
  await untilSomeWait(database, begun.length);
  released.resolve();
  await holding;
  return Promise.all(begun);
}

const add = (cookie: string | undefined, over: object = {}) =>
  askDesk(clinic, 'deskAddPatient', {
    cookie,
    body: { requestId: crypto.randomUUID(), ...ola, ...over },
  });
const records = () => database.db.select({ id: patientRecord.id }).from(patientRecord);

// Shows: S-18
test('One card that two receptionists add at one moment is on one record', async () => {
  const answers = await atOnce(() => [
    add(desks[0], { card }),
    add(desks[1], { card, firstName: 'Olga', birthDate: '1951-02-03' }),
  ]);
  expect(answers.map(({ statusCode }) => String(statusCode)).toSorted()).toEqual(['200', '422']);
  expect(await records()).toHaveLength(1);
});

test('Somebody whom two receptionists add at one moment is shown to the second', async () => {
  const answers = await atOnce(() => [add(desks[0]), add(desks[1])]);
  expect(answers.map(({ statusCode }) => String(statusCode)).toSorted()).toEqual(['200', '409']);
  expect(await records()).toHaveLength(1);
});

// Shows: R-97
test('A card that a receptionist adds while its owner confirms a sign-up is on one record', async () => {
  const password = 'Practice-2026';
  const form = {
    firstName: 'Ola',
    lastName: 'Berg',
    gender: 'Female',
    country: 'Canada',
    address: '12 Main Street',
    city: 'Vancouver',
    province: 'BC',
    postal: 'V5K 0A1',
    phone: '',
    mobilePhone: '604-555-0142',
    internationalPhone: '',
    preferredPharmacy: null,
    email: 'ola@test.example',
    emailConfirm: 'ola@test.example',
    password,
    passwordConfirm: password,
    healthCardProvince: 'BC',
    healthCardNumber: card.number,
    healthCardNumberConfirm: card.number,
    birthYear: 1951,
    birthMonth: 3,
    birthDay: 2,
    recaptcha: 'ok:1',
    consent: { given: true, version: currentAgreement('signUp').version },
  };
  (await ask(clinic, 'register', { body: form })).answer();
  await clinic.platform.outbox.drain();
  const token = /\/confirm\/([\w-]+)/.exec(clinic.mail.sent.at(-1)?.text ?? '')?.[1] ?? '';
  const [confirmed] = await atOnce(() => [
    ask(clinic, 'confirmEmail', { body: { token, password } }),
    add(desks[0], { card }),
  ]);
  expect(confirmed?.statusCode).toBe(200);
  const accounts = await database.db.select({ id: patient.recordId }).from(patient);
  const ids = [...(await records()), ...accounts].map(({ id }) => id);
  expect(new Set(ids).size).toBe(1);
});
