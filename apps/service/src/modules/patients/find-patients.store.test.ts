import { patientQuery } from '@clinic/domain';
import { NAMES_IN_BC } from '@clinic/domain/testing';
import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestApp, aPatient, testApp } from '../../../testing/index.ts';
import { foldedName, patient, patientRecord } from '../../schema.ts';
import type { RecordId } from '../records/emr.ts';
import { insertRecord } from '../records/index.ts';
import { namesWritten, searchPatients } from './find-patients.store.ts';
import { foldNames } from './likely.ts';

let clinic: TestApp;
beforeEach(async () => {
  clinic = await testApp();
});
afterEach(() => clinic.close());

const found = async (typed: string) => {
  const query = patientQuery(typed);
  const { database, keyring } = clinic;
  const people = query && (await searchPatients(database.db, keyring, query, 100));
  return people?.patients.map(({ recordId }) => recordId) ?? [];
};
const aRecord = (id: string, over: object = {}) =>
  clinic.database.inTransaction((tx) =>
    insertRecord(tx, clinic.keyring, {
      firstName: 'Ida',
      lastName: 'Kern',
      birthDate: '1951-03-02',
      cardProvince: 'BC',
      cardNumber: '',
      providerId: '-1',
      ...over,
      id: id as RecordId,
    }),
  );
const folded = () => clinic.database.db.$count(foldedName);

test('each of sixty names in British Columbia is found as it is stored and plain, folded or not yet', async () => {
  for (const [at, { firstName, lastName }] of NAMES_IN_BC.entries())
    await aRecord(`N${at}`, { firstName, lastName });
  const allFound = async () => {
    for (const [at, { firstName, lastName, plain }] of NAMES_IN_BC.entries())
      for (const typed of [`${lastName}, ${firstName}`, plain])
        expect.soft(await found(typed), typed).toContain(`N${at}`);
  };
  await allFound();
  await foldNames(clinic.platform);
  expect(await folded()).toBe(NAMES_IN_BC.length);
  await allFound();
});

test('a name that another version has written since, or that was folded in another way, is found by what it is', async () => {
  await aRecord('W1', { firstName: 'Zoë', lastName: 'Strauß' });
  const rename = (lastName: string) =>
    clinic.database.inTransaction((tx) =>
      tx.update(patientRecord).set({ lastName }).where(eq(patientRecord.id, 'W1')),
    );
  await foldNames(clinic.platform);
  await rename('Müller');
  expect([await found('Strauss'), await found('Muller')]).toEqual([[], ['W1']]);
  await foldNames(clinic.platform);
  expect([await found('Strauss'), await found('Muller')]).toEqual([[], ['W1']]);
  await clinic.database.inTransaction((tx) =>
    tx.update(foldedName).set({ madeOf: sql`'0' || made_of`, folded: ' strauss ' }),
  );
  expect([await found('Strauss'), await found('Muller')]).toEqual([[], ['W1']]);
});

test('a misspelt name is found that another version has written, before and after it is folded', async () => {
  await aRecord('W1', { firstName: 'Zoë', lastName: 'Strauß' });
  const rename = (lastName: string) =>
    clinic.database.inTransaction((tx) =>
      tx.update(patientRecord).set({ lastName }).where(eq(patientRecord.id, 'W1')),
    );
  expect(await found('Zoe Straus')).toEqual(['W1']);
  await foldNames(clinic.platform);
  expect([await found('Zoe Starus'), await found('Zoe Mulelr')]).toEqual([['W1'], []]);
  await rename('Müller');
  expect([await found('Zoe Starus'), await found('Zoe Mulelr')]).toEqual([[], ['W1']]);
  await foldNames(clinic.platform);
  expect([await found('Zoe Starus'), await found('Zoe Mulelr')]).toEqual([[], ['W1']]);
});

test('a name is folded once, and again where somebody writes it meanwhile', async () => {
  await aRecord('W1', { lastName: 'Kern' });
  const { db } = clinic.database;
  const waiting = async () => (await namesWritten(db)).map(({ person }) => person);
  expect(await waiting()).toEqual(['W1']);
  const slow = foldNames({
    ...clinic.platform,
    database: {
      ...clinic.database,
      // Once the name was read.
      inTransaction: async (work) => {
        await clinic.database.inTransaction((tx) =>
          tx.update(patientRecord).set({ lastName: 'Roy' }),
        );
        return clinic.database.inTransaction(work);
      },
    },
  });
  await slow;
  expect([await waiting(), await found('Ida Roy')]).toEqual([['W1'], ['W1']]);
  await foldNames(clinic.platform);
  expect([await waiting(), await folded()]).toEqual([[], 1]);
});

test('whose account is closed or deleted is found by their record, which was never folded', async () => {
  const changes = [
    (id: string) =>
      clinic.database.inTransaction((tx) =>
        tx.update(patient).set({ closedAt: 1 }).where(eq(patient.id, id)),
      ),
    (id: string) =>
      clinic.database.inTransaction((tx) => tx.delete(patient).where(eq(patient.id, id))),
  ];
  for (const [at, change] of changes.entries()) {
    const lastName = ['Kern', 'Ostrander'][at] ?? '';
    const { id } = await aPatient(clinic.platform, {
      recordId: `W${at}`,
      firstName: 'Ida',
      lastName,
    });
    await foldNames(clinic.platform);
    await change(id);
    expect(await found(`Ida ${lastName}`)).toEqual([`W${at}`]);
    await foldNames(clinic.platform);
    expect(await found(`Ida ${lastName}`)).toEqual([`W${at}`]);
  }
});

test('a card is found by its province: the same digits of another are another card', async () => {
  await aRecord('AB1', { cardProvince: 'AB', cardNumber: '1234567890' });
  await aRecord('ON1', { cardProvince: 'ON', cardNumber: '1234567890' });
  await aRecord('QC1', { cardProvince: 'QC', cardNumber: 'TREM84051712' });
  expect(await found('1234567890')).toEqual(['AB1', 'ON1']);
  // With the version code that cards of Ontario alone have.
  expect(await found('1234 567 890 AB')).toEqual(['ON1']);
  expect(await found('TREM84051712')).toEqual(['QC1']);
  expect(await found('TREM 8405 1712')).toEqual(['QC1']);
});
