import { describe, expect, test } from 'vitest';
import { testDatabase } from '../../../testing/test-database.ts';
import { newKeyMaterial } from '../../security/keyring-file.ts';
import { createKeyring, sealedCard } from '../../security/keyring.ts';
import { patientRecord, recordsProvider } from './schema.ts';
import {
  type BookRequest,
  type RecordId,
  type ProviderId,
  EmrOffline,
  EmrOutcomeUnknown,
} from './emr.ts';
import { fakeEmr } from '../../../testing/emr-fake.ts';
import { builtInEmr } from './index.ts';
import { emrBookSuite, emrSuite, suiteContents } from '../../../testing/emr.suite.ts';

const keyring = createKeyring(newKeyMaterial());

describe('The built-in records', () => {
  emrSuite(async () => {
    const database = await testDatabase();
    const { providers, records } = suiteContents;
    await database.inTransaction(async (tx) => {
      await tx.insert(recordsProvider).values([...providers]);
      await tx.insert(patientRecord).values(
        records.map(({ cardNumber, ...row }) => ({
          ...row,
          ...sealedCard(keyring, row.id, cardNumber).record,
        })),
      );
    });
    return { emr: builtInEmr(database, keyring), close: () => database.close() };
  });
});

describe('The fake records', () => {
  emrSuite(async () => ({ emr: fakeEmr(suiteContents) }));
  emrBookSuite(() => fakeEmr(suiteContents));

  const wanted: BookRequest = {
    key: 'k1',
    providerId: '101' as ProviderId,
    recordId: 'c1' as RecordId,
    date: '2026-12-15',
    start: '08:00',
    end: '08:05',
    type: 'O',
    reason: 'Cough',
  };

  test('fail by name when offline, never as an empty list', async () => {
    const emr = fakeEmr(suiteContents);
    emr.faults.offline = true;
    await expect(emr.getProvider('101' as ProviderId)).rejects.toThrow(EmrOffline);
    await expect(emr.bookings.book(wanted)).rejects.toThrow(EmrOffline);
    expect(await emr.status()).toBe('offline');
  });

  test.each([
    ['written', 'alreadyBooked'],
    ['notWritten', undefined],
  ] as const)('can lose the answer of a write that was %s', async (what, found) => {
    const emr = fakeEmr(suiteContents);
    emr.faults.loseNextAnswer = what;
    await expect(emr.bookings.book(wanted)).rejects.toThrow(EmrOutcomeUnknown);
    expect((await emr.bookings.findByKey('k1'))?.kind).toBe(found);
  });

  test.each(['written', 'notWritten'] as const)(
    'can lose the answer of a patient record that was %s, and opening it again is harmless',
    async (what) => {
      const emr = fakeEmr(suiteContents);
      emr.faults.loseNextAnswer = what;
      const record = {
        id: 'n1' as RecordId,
        firstName: 'Tess',
        lastName: 'Wong',
        birthDate: '1990-02-03',
        cardProvince: 'BC',
        cardNumber: '9000000003',
        providerId: '1998',
      };
      await expect(emr.createRecord(record)).rejects.toThrow(EmrOutcomeUnknown);
      expect((await emr.createRecord(record)).kind).toBe(
        what === 'written' ? 'alreadyThere' : 'created',
      );
    },
  );

  test('can have staff book in between', async () => {
    const emr = fakeEmr(suiteContents);
    emr.faults.staffBooksInBetween = true;
    expect(await emr.bookings.book(wanted)).toEqual({ kind: 'taken' });
  });

  test('can be slow', async () => {
    const emr = fakeEmr(suiteContents);
    const { promise, resolve } = Promise.withResolvers<void>();
    emr.faults.slow = promise;
    let answered = false;
    const waiting = emr.getProvider('101' as ProviderId).then(() => (answered = true));
    await Promise.resolve();
    expect(answered).toBe(false);
    resolve();
    await waiting;
    expect(answered).toBe(true);
  });
});
