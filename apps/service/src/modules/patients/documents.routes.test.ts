import { toInstant } from '@clinic/domain';
import { type FakeEmr, fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { type MockInstance, afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type PatientRow,
  type TestApp,
  aClinic,
  aPatient,
  aPicture,
  ask,
  signIn,
  testApp,
} from '../../../testing/index.ts';
import { aContact } from '../../../testing/emr.suite.ts';
import { heldPayments } from '../payments/index.ts';
import { emrAddition, outbox } from '../../schema.ts';
import { documentsOfPatient, readStoredFile } from '../documents/index.ts';
import { EmrRefused, type RecordId } from '../records/emr.ts';
import { type DocumentDecision, decideDocument } from './documents.ts';
import { closeAccount } from './close-account.ts';

const HOUR = 3_600;
let clinic: TestApp;
let emr: FakeEmr;
let riley: PatientRow;
let document: string;
let events: MockInstance<TestApp['log']['event']>;

beforeEach(async () => {
  emr = fakeEmr({ days: null });
  clinic = await testApp({ emr });
  await aClinic(clinic);
  riley = await aPatient(clinic, { email: 'riley@test.example' });
  const token = await signIn(clinic, riley);
  const body = { isHealthCard: 'true' };
  await ask(clinic, 'uploadDocuments', { token, body, files: [aPicture()] });
  const [sent] = await documentsOfPatient(clinic.database.db, riley.id);
  document = sent?.id ?? '';
  events = vi.spyOn(clinic.platform.log, 'event');
});
afterEach(() => clinic.close());
const withPayments = () => ({
  ...clinic.platform,
  heldPayments: heldPayments(clinic.platform),
});

const who = () => ({ actor: 'test', now: clinic.clock.now() });
const decide = (decision: DocumentDecision) =>
  decideDocument(clinic.platform, document, decision, who());
const accept = () => decide({ kind: 'accepted' });
/** The first booking opens the record. */
const openRecord = (providerId = '1999') =>
  emr.createPatient({
    id: riley.recordId as RecordId,
    firstName: 'Riley',
    lastName: 'Park',
    birthDate: '1984-05-17',
    cardProvince: 'BC',
    cardNumber: '9876543218',
    providerId,
    contact: aContact,
  });
async function later(seconds: number) {
  clinic.clock.advance(seconds);
  await clinic.platform.outbox.drain();
}
const trail = async () => {
  const rows = await clinic.trail();
  const found = rows.filter(({ actor }) => actor === 'system:emr');
  return found.map(({ action, subject }) => `${action} ${subject}`);
};
const told = () => events.mock.calls.map(([code]) => code).filter((code) => /addition/.test(code));
const waiting = async () => {
  const rows = await clinic.database.db.select().from(outbox);
  return rows.filter(({ kind, doneAt }) => kind === 'document-to-emr' && doneAt === null);
};

test('an accepted document is put into its patient’s record in the EMR, once', async () => {
  await openRecord();
  await later(0);
  expect(emr.documents()).toEqual([]);
  await accept();
  await later(0);
  const { keyring, database } = clinic;
  const file = await readStoredFile({ keyring }, database.db, riley.id, document);
  expect(emr.documents()).toEqual([
    {
      recordId: riley.recordId,
      name: `${document}-healthCard.png`,
      mediaType: 'image/png',
      description: 'Health card',
      bytes: file?.bytes,
    },
  ]);
  expect(await trail()).toEqual([`added to the EMR file:${document}`]);
  await decide({ kind: 'refused', reason: 'Too dark.' });
  await accept();
  await later(HOUR);
  expect(emr.documents()).toHaveLength(1);
  expect([await waiting(), told()]).toEqual([[], []]);
});

test('one that was refused before it went stays here', async () => {
  await openRecord();
  await accept();
  await decide({ kind: 'refused', reason: 'Too dark.' });
  await later(0);
  expect([emr.documents(), await waiting()]).toEqual([[], []]);
});

test('waits for the record that the first booking opens, and asks nothing meanwhile', async () => {
  await accept();
  await later(0);
  for (let hours = 0; hours < 3; hours += 1) await later(HOUR);
  expect(emr.documents()).toEqual([]);
  expect(await waiting()).toMatchObject([{ attempts: 0, failed: false }]);
  await openRecord();
  await later(HOUR);
  expect(emr.documents()).toHaveLength(1);
  expect(await waiting()).toEqual([]);
});

test('waits no more once the account is closed', async () => {
  await accept();
  await later(0);
  await closeAccount(withPayments(), riley.id, who());
  await later(HOUR);
  expect(await waiting()).toEqual([]);
});

test('goes although the account is closed, where there is a record', async () => {
  await openRecord();
  await accept();
  await closeAccount(withPayments(), riley.id, who());
  await later(0);
  expect(emr.documents()).toHaveLength(1);
});

test('goes once the EMR is back, where that was offline', async () => {
  await openRecord();
  await accept();
  emr.faults.offline = true;
  await later(0);
  await later(60);
  emr.faults.offline = false;
  await later(60);
  expect(emr.documents()).toHaveLength(1);
  expect(told()).toEqual([]);
});

test.each(['written', 'notWritten'] as const)(
  'is the clinic’s to see to where nobody knows whether it was %s, and never repeated',
  async (what) => {
    await openRecord();
    await accept();
    emr.faults.loseNextAnswer = what;
    await later(0);
    await later(24 * HOUR);
    expect(emr.documents()).toHaveLength(what === 'written' ? 1 : 0);
    expect(await trail()).toEqual([`perhaps added to the EMR file:${document}`]);
    expect([told(), await waiting()]).toEqual([['emr-addition-unknown'], []]);
  },
);

test('is not repeated where the process died over it', async () => {
  await openRecord();
  await accept();
  const askedAt = clinic.clock.now();
  await clinic.database.inTransaction((tx) =>
    tx.insert(emrAddition).values({ key: `document:${document}`, askedAt }),
  );
  await later(1);
  // It may still be at it.
  expect(await waiting()).toHaveLength(1);
  await later(180);
  expect([emr.documents(), told()]).toEqual([[], ['emr-addition-unknown']]);
});

test('that waits for a decision is told to whom the patient sees next, once there is an appointment', async () => {
  await openRecord();
  await later(0);
  await later(HOUR);
  expect(emr.ticklers()).toEqual([]);
  const token = await signIn(clinic, riley);
  const start = toInstant('2026-11-23', '08:00');
  const slot = { start, end: start + 300, doctor: '101', selectedType: 'O' };
  (await ask(clinic, 'createBooking', { token, body: { ...slot, reason: 'A cough' } })).answer();
  for (const hours of [1, 2]) await later(hours * HOUR);
  const text = 'Sent online, and waiting to be accepted or refused there: Health card.';
  const { recordId } = riley;
  expect(emr.ticklers()).toMatchObject([{ providerId: '101', recordId, text }]);
});

test('that waits for a decision is told to whoever is responsible for the patient', async () => {
  await openRecord('101');
  for (const hours of [0, 1]) await later(hours * HOUR);
  expect(emr.ticklers()).toMatchObject([{ providerId: '101' }]);
});

test('that somebody decided about is told to nobody', async () => {
  await openRecord();
  await decide({ kind: 'refused', reason: 'Too dark.' });
  const token = await signIn(clinic, riley);
  const start = toInstant('2026-11-23', '08:00');
  const slot = { start, end: start + 300, doctor: '101', selectedType: 'O' };
  (await ask(clinic, 'createBooking', { token, body: { ...slot, reason: 'A cough' } })).answer();
  await later(HOUR);
  expect(emr.ticklers()).toEqual([]);
});

test('is asked for again while the EMR refuses it, and is the clinic’s to see to after a day', async () => {
  await openRecord();
  await accept();
  const store = emr.storeDocument.bind(emr);
  emr.storeDocument = () => Promise.reject(new EmrRefused('No role'));
  const errors = vi.spyOn(clinic.platform.log, 'error').mockImplementation(() => undefined);
  for (let tries = 0; tries < 29; tries += 1) await later(HOUR);
  expect(errors).toHaveBeenCalledTimes(29);
  expect([told(), (await waiting()).length]).toEqual([[], 1]);
  await later(HOUR);
  expect([told(), await waiting()]).toEqual([['emr-addition-refused'], []]);
  emr.storeDocument = store;
  await later(HOUR);
  expect(emr.documents()).toEqual([]);
});
