import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { randomUUID } from 'node:crypto';

import { toInstant } from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';

import { aClinic, aPatientRow } from '../../../testing/a-clinic.ts';
import { testDatabase } from '../../../testing/test-database.ts';
import type { TestDatabase } from '../../../testing/test-database.ts';
import { RATES } from '../../server/rates.ts';
import type { Tx } from '../../database/db.ts';
import { parts } from '../../sql-parts.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { appointment } from './schema.ts';
import { appointments } from './store.ts';
import type { AppointmentDetails } from './appointment.ts';

const start = toInstant('2026-11-23', '13:00');
const slot = { providerId: '101', start, end: start + 300, type: 'V' as const };
const terms = { placedAt: NOW, expiresAt: NOW + 900 };
const unmoved = { rescheduledFrom: null };
const details: AppointmentDetails = {
  onceADay: true,
  requestKey: 'slot:x',
  bookingNumber: 'AB12',
  answersSealed: new Uint8Array([1]),
  isCancellable: true,
  rescheduledFrom: null,
  paidCents: 20_000,
  ticklers: [],
  checkin: null,
  sequence: 0,
  contactPreference: null,
  feeAtClinic: null,
  bookedBy: null,
  beyondLimits: false,
  movedByClinic: false,
};
const MUCH_LATER = NOW + 86_400;

describe('a hold that is being paid for', () => {
  let database: TestDatabase;
  let patientId: PatientId;
  let id: string;
  let hold: { readonly id: string; readonly type: 'V' };
  const inTx = <T>(work: (tx: Tx) => Promise<T>) => database.inTransaction(work);

  beforeEach(async () => {
    database = await testDatabase();
    await aClinic(database);
    patientId = await aPatientRow(database);
    id = randomUUID();
    hold = { id, type: 'V' };
    const appointment = { ...slot, ...terms, ...unmoved, id, patientId, recordId: 'record' };
    await inTx((tx) => appointments.insertIfFree(tx, { ...appointment, expiresAt: NOW + 600 }));
    await inTx((tx) =>
      appointments.convertHold(tx, { ...hold, details, period: terms, event: 'pay' }, NOW),
    );
  });
  afterEach(() => database.close());
  const read = () => inTx((tx) => appointments.lockAppointment(tx, parts, id));
  /** What instances of version 0.2.0 read. */
  const copy = async () =>
    (await database.db.select().from(appointment)).map(({ paidCents }) => paidCents);

  test('carries all that its appointment will carry, and lasts until the payment says', async () => {
    expect(await read()).toMatchObject({
      state: 'paying',
      paidNow: 0,
      bookingNumber: 'AB12',
      holdPlacedAt: NOW,
      holdExpiresAt: NOW + 900,
    });
    expect(await copy()).toEqual([20_000]);
    expect(
      await inTx((tx) => appointments.extendPayingHold(tx, { id, expiresAt: NOW + 1800 }, NOW)),
    ).toBe(true);
    expect((await read())?.holdExpiresAt).toBe(NOW + 1800);
  });

  test('is left alone by everything but its payment, even when its time is over', async () => {
    const other = {
      ...slot,
      ...terms,
      rescheduledFrom: null,
      id: randomUUID(),
      patientId,
      recordId: 'record',
    };
    const elsewhere = { ...other, start: start + 300, end: start + 600 };
    const attempts: ((tx: Tx) => Promise<unknown>)[] = [
      (tx) => appointments.release(tx, id, NOW),
      (tx) => appointments.convertHold(tx, { ...hold, details, period: terms, event: 'book' }, NOW),
      (tx) =>
        appointments.convertHold(tx, { ...hold, details, period: terms, event: 'askEmr' }, NOW),
      (tx) => appointments.convertHold(tx, { ...hold, details, period: terms, event: 'pay' }, NOW),
      (tx) => appointments.extendHold(tx, { ...hold, ...terms, ...unmoved }, NOW),
      async (tx) =>
        (await appointments.saveDraft(
          tx,
          { id, patientId, sealed: new Uint8Array([2]) },
          RATES.drafts,
          NOW,
        )) !== null,
      async (tx) => (await appointments.releaseLapsed(tx, slot, MUCH_LATER)).length > 0,
      async (tx) => (await appointments.sweepLapsed(tx, MUCH_LATER, 10)).length > 0,
    ];
    const before = await read();
    for (const attempt of attempts) expect(await inTx(attempt)).toBe(false);
    const moved = await database.inTransactionOrConflict((tx) =>
      appointments.insertIfFree(tx, elsewhere),
    );
    expect(moved.kind).toBe('conflict');
    expect(await read()).toEqual(before);
  });

  test('becomes an appointment once', async () => {
    expect(await inTx((tx) => appointments.bookHeld(tx, parts, id, 'paying', NOW))).toMatchObject({
      state: 'booked',
    });
    expect(await copy()).toEqual([20_000]);
    expect(await inTx((tx) => appointments.bookHeld(tx, parts, id, 'paying', NOW))).toBeNull();
  });

  test('is an ordinary hold again when its payment gives up', async () => {
    expect(await inTx((tx) => appointments.makeOrdinary(tx, id, NOW))).toBe(true);
    expect(await read()).toMatchObject({ state: 'holding' });
    expect(await copy()).toEqual([0]);
    expect(await inTx((tx) => appointments.release(tx, id, NOW))).toBe(true);
  });
});
