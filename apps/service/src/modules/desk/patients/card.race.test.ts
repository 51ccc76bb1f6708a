import { afterEach, beforeEach, expect, test } from 'vitest';
import { aStaffMember, askDesk, deskSession } from '../../../../testing/desk.ts';
import {
  type PatientRow,
  type TestApp,
  aClinic,
  aPatient,
  testApp,
} from '../../../../testing/index.ts';
import { patientWaits, untilSomeWait } from '../../../../testing/patient-waits.ts';
import { testDatabaseUrl } from '../../../../testing/test-database.ts';
import { type Database, databaseOn, sql } from '../../../database/db.ts';
import { openPostgres } from '../../../database/engine-postgres.ts';
import { recordNote } from '../../../schema.ts';

let clinic: TestApp;
let database: Database;
let casey: PatientRow;
let cookie: string;
beforeEach(async () => {
  const url = await testDatabaseUrl();
  database = databaseOn(openPostgres({ url, waits: patientWaits }));
  clinic = await testApp({ database });
  await aClinic(clinic);
  casey = await aPatient(clinic);
  cookie = await deskSession(clinic, await aStaffMember(clinic, 'manager'));
});
afterEach(() => clinic.close());

/** Begins these while the records are locked, lets them go once each waits, and returns their answers. */
async function atOnce<T>(begin: () => readonly Promise<T>[]): Promise<T[]> {
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = database.inTransaction(async (tx) => {
    await sql(tx)`select from patient_record for update`;
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  const begun = begin();
  await untilSomeWait(database, begun.length);
  released.resolve();
  await holding;
  return Promise.all(begun);
}

const note = (id: string, over: object = {}) =>
  askDesk(clinic, 'deskNoteOnCard', {
    cookie,
    params: { id, entryId: crypto.randomUUID() },
    body: { kind: 'alert', text: 'Deaf in the left ear.', ...over },
  });
const texts = async (id: string) => {
  const body = { lookReason: 'patientCalled' };
  const asked = await askDesk(clinic, 'deskOpenPatient', { cookie, params: { id }, body });
  return asked.answer().extras.onCard?.notes.map(({ text }) => text);
};
async function aRecord(): Promise<string> {
  const person = { firstName: 'Ola', lastName: 'Berg', birthDate: '1951-03-02' };
  const body = { requestId: crypto.randomUUID(), ...person };
  return (await askDesk(clinic, 'deskAddPatient', { cookie, body })).answer().extras.recordId;
}

// Shows: S-18
test('A note that is written while its record is merged stands on the card of the one that stays', async () => {
  const ola = await aRecord();
  const merge = { cookie, params: { id: casey.recordId }, body: { other: ola } };
  const answers = await atOnce(() => [
    askDesk(clinic, 'deskMergePatients', merge),
    note(ola),
    note(casey.recordId, { text: 'Likes tea.' }),
  ]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  const both = ['Deaf in the left ear.', 'Likes tea.'];
  expect((await texts(casey.recordId))?.toSorted()).toEqual(both);
  expect((await texts(ola))?.toSorted()).toEqual(both);
});

test('A note that two replace at one moment is replaced once', async () => {
  const replaces = crypto.randomUUID();
  const { id } = casey;
  const first = { params: { id, entryId: replaces }, body: { kind: 'note', text: 'Likes tea.' } };
  (await askDesk(clinic, 'deskNoteOnCard', { cookie, ...first })).answer();
  const answers = await atOnce(() =>
    ['Likes milk.', 'Likes rum.'].map((text) => note(id, { kind: 'note', text, replaces })),
  );
  const statuses = answers.map(({ statusCode }) => statusCode);
  expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 409]);
  expect(await database.db.select().from(recordNote)).toHaveLength(2);
  expect(await texts(id)).toHaveLength(1);
});
