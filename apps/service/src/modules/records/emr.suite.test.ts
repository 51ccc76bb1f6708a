import { describe, expect, test } from 'vitest';
import {
  type BookRequest,
  type RecordId,
  type ProviderId,
  EmrOffline,
  EmrOutcomeUnknown,
} from './emr.ts';
import { fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { aContact, emrSuite, suiteContents } from '../../../testing/emr.suite.ts';

describe('The fake EMR', () => {
  emrSuite(() => {
    const emr = fakeEmr(suiteContents);
    const { busy, ticklers, documents } = emr;
    return { emr, busy, ticklers, documents };
  });

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
    await expect(emr.findPatient({ id: 'c1' as RecordId })).rejects.toThrow(EmrOffline);
    await expect(emr.book(wanted)).rejects.toThrow(EmrOffline);
  });

  test.each([
    ['written', { key: 'k1', state: 'booked' }],
    ['notWritten', null],
  ] as const)('can lose the answer of a write that was %s', async (what, found) => {
    const emr = fakeEmr(suiteContents);
    emr.faults.loseNextAnswer = what;
    await expect(emr.book(wanted)).rejects.toThrow(EmrOutcomeUnknown);
    expect(await emr.findByKey('k1')).toEqual(found && expect.objectContaining(found));
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
        contact: aContact,
      };
      await expect(emr.createPatient(record)).rejects.toThrow(EmrOutcomeUnknown);
      expect(await emr.createPatient(record)).toBe(what === 'written' ? 'alreadyThere' : 'created');
    },
  );

  test('has staff who are first: what they moved or whom they have seen is not cancelled', async () => {
    const emr = fakeEmr(suiteContents);
    await emr.book(wanted);
    const read = await emr.findByKey('k1');
    if (read === null || read === 'cancelled') throw new Error('It does not stand');
    emr.staff.move('k1', { ...wanted, start: '08:30', end: '08:35' });
    expect(await emr.cancel('x1', read)).toEqual({ kind: 'changed' });
    const { start, end } = wanted;
    emr.staff.move('k1', { ...wanted, start, end });
    emr.staff.note('k1', 'arrived');
    const seen = await emr.findByKey('k1');
    expect(seen).toEqual({ ...read, state: 'arrived' });
    expect(await emr.cancel('x2', { ...read, state: 'arrived' })).toEqual({ kind: 'changed' });
  });

  test('has staff who delete an entry, or take its key out, which can be written back', async () => {
    const emr = fakeEmr(suiteContents);
    await emr.book(wanted);
    emr.staff.takeKey('k1');
    expect(await emr.findByKey('k1')).toBeNull();
    const entry = await emr.findWithoutKey(wanted);
    if (entry === null) throw new Error('It stands');
    expect(await emr.findWithoutKey({ ...wanted, start: '08:05' })).toBeNull();
    expect(await emr.writeKey('k1', { ...entry, start: '08:05' })).toBe(false);
    expect(await emr.writeKey('k1', entry)).toBe(true);
    expect(await emr.findByKey('k1')).toEqual({ ...entry, key: 'k1' });
    emr.staff.remove('k1');
    expect([await emr.findByKey('k1'), await emr.findWithoutKey(wanted)]).toEqual([null, null]);
  });

  test('can have staff book in between', async () => {
    const emr = fakeEmr(suiteContents);
    emr.faults.staffBooksInBetween = true;
    expect(await emr.book(wanted)).toEqual({ kind: 'taken' });
  });

  test('can be slow', async () => {
    const emr = fakeEmr(suiteContents);
    const { promise, resolve } = Promise.withResolvers<void>();
    emr.faults.slow = promise;
    let answered = false;
    const waiting = emr.findPatient({ id: 'c1' as RecordId }).then(() => (answered = true));
    await Promise.resolve();
    expect(answered).toBe(false);
    resolve();
    await waiting;
    expect(answered).toBe(true);
  });
});
