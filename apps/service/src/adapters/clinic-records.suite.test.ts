import { describe, expect, test } from 'vitest';
import { testDatabase } from '../../testing/test-database.ts';
import { newKeyMaterial } from '../platform/keyring-file.ts';
import { createKeyring } from '../platform/keyring.ts';
import { recordsChart, recordsProvider, scheduleDay } from '../platform/schema.ts';
import { sealedCard } from '../platform/sealed-card.ts';
import {
  type BookRequest,
  type ChartId,
  type ProviderId,
  RecordsOffline,
  RecordsOutcomeUnknown,
} from '../ports/clinic-records.ts';
import { fakeRecords } from './clinic-records-fake.ts';
import { recordsOnPostgres } from './clinic-records-postgres/index.ts';
import { clinicRecordsSuite, suiteContents } from './clinic-records.suite.ts';

const keyring = createKeyring(newKeyMaterial());

describe('The built-in records', () => {
  clinicRecordsSuite(async () => {
    const database = await testDatabase();
    const { providers, days, charts } = suiteContents;
    await database.inTransaction(async (tx) => {
      await tx.insert(recordsProvider).values([...providers]);
      await tx.insert(scheduleDay).values(
        days.map(({ providerId, date: clinicDate, codes }) => ({
          providerId,
          clinicDate,
          codes,
        })),
      );
      await tx.insert(recordsChart).values(
        charts.map(({ cardNumber, ...row }) => ({
          ...row,
          ...sealedCard(keyring, row.id, cardNumber).chart,
        })),
      );
    });
    return { records: recordsOnPostgres(database, keyring), close: () => database.close() };
  });
});

describe('The fake records', () => {
  clinicRecordsSuite(async () => ({ records: fakeRecords(suiteContents) }));

  const wanted: BookRequest = {
    key: 'k1',
    providerId: '101' as ProviderId,
    chartId: 'c1' as ChartId,
    date: '2026-12-15',
    start: '08:00',
    end: '08:05',
    type: 'O',
    reason: 'Cough',
  };

  test('fail by name when offline, never as an empty list', async () => {
    const records = fakeRecords(suiteContents);
    records.faults.offline = true;
    await expect(records.schedule(null, '2026-12-15', '2026-12-15')).rejects.toThrow(
      RecordsOffline,
    );
    await expect(records.book(wanted)).rejects.toThrow(RecordsOffline);
    expect(await records.status()).toBe('offline');
  });

  test.each([
    ['written', 'alreadyBooked'],
    ['notWritten', undefined],
  ] as const)('can lose the answer of a write that was %s', async (what, found) => {
    const records = fakeRecords(suiteContents);
    records.faults.loseNextAnswer = what;
    await expect(records.book(wanted)).rejects.toThrow(RecordsOutcomeUnknown);
    expect((await records.findByKey('k1'))?.kind).toBe(found);
  });

  test.each(['written', 'notWritten'] as const)(
    'can lose the answer of a chart that was %s, and opening it again is harmless',
    async (what) => {
      const records = fakeRecords(suiteContents);
      records.faults.loseNextAnswer = what;
      const chart = {
        id: 'n1' as ChartId,
        firstName: 'Tess',
        lastName: 'Wong',
        birthDate: '1990-02-03',
        cardProvince: 'BC',
        cardNumber: '9000000003',
        providerId: '1998',
      };
      await expect(records.createChart(chart)).rejects.toThrow(RecordsOutcomeUnknown);
      expect((await records.createChart(chart)).kind).toBe(
        what === 'written' ? 'alreadyThere' : 'created',
      );
    },
  );

  test('can have staff book in between', async () => {
    const records = fakeRecords(suiteContents);
    records.faults.staffBooksInBetween = true;
    expect(await records.book(wanted)).toEqual({ kind: 'taken' });
  });

  test('can be slow', async () => {
    const records = fakeRecords(suiteContents);
    const { promise, resolve } = Promise.withResolvers<void>();
    records.faults.slow = promise;
    let answered = false;
    const waiting = records.listProviders().then(() => (answered = true));
    await Promise.resolve();
    expect(answered).toBe(false);
    resolve();
    await waiting;
    expect(answered).toBe(true);
  });
});
