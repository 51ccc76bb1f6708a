import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { randomUUID } from 'node:crypto';

import { toInstant } from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';

import { aClinic, aPatientRow } from '../../../testing/a-clinic.ts';
import { testDatabase } from '../../../testing/test-database.ts';
import type { TestDatabase } from '../../../testing/test-database.ts';
import type { Tx } from '../../database/db.ts';
import { parts } from '../../sql-parts.ts';
import { RATES } from '../../server/rates.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { appointments } from './store.ts';
import type { AppointmentDetails } from './appointment.ts';
import { holdOf } from './listed.store.ts';
import type { NewHold } from './store.ts';

let database: TestDatabase;
let patientId: PatientId;
let rival: PatientId;

beforeEach(async () => {
  database = await testDatabase();
  await aClinic(database);
  patientId = await aPatientRow(database);
  rival = await aPatientRow(database);
});
afterEach(() => database.close());

const start = toInstant('2026-11-23', '08:00');
const slot = { providerId: '101', start, end: start + 300, type: 'O' as const };
const later = { ...slot, start: start + 300, end: start + 600 };
const terms = { placedAt: NOW, expiresAt: NOW + 600 };
const appointmentOn = (over: Partial<NewHold> = {}): NewHold => ({
  ...slot,
  id: randomUUID(),
  patientId,
  recordId: 'record',
  ...terms,
  rescheduledFrom: null,
  ...over,
});
const details = (over: Partial<AppointmentDetails> = {}): AppointmentDetails => ({
  onceADay: true,
  requestKey: 'slot:x',
  bookingNumber: 'AB12',
  answersSealed: new Uint8Array([1, 2, 3]),
  feeAtClinic: null,
  bookedBy: null,
  beyondLimits: false,
  movedByClinic: false,
  isCancellable: true,
  rescheduledFrom: null,
  paidCents: 0,
  ticklers: ['t1', 't2'],
  checkin: null,
  sequence: 0,
  contactPreference: null,
  ...over,
});
const inTx = <T>(work: Parameters<TestDatabase['inTransaction']>[0]) =>
  database.inTransaction(work) as Promise<T>;
const hold = (appointment: NewHold) =>
  inTx<boolean>((tx) => appointments.insertIfFree(tx, appointment));
const carry = ({ id, type }: NewHold, event: 'book' | 'askEmr' = 'book') =>
  inTx<boolean>((tx) =>
    appointments.convertHold(tx, { id, type, event, details: details(), period: terms }, NOW),
  );
const book = async (appointment: NewHold) => (await hold(appointment)) && carry(appointment);
const standing = (who = patientId, now = NOW) =>
  database.inTransaction((tx) =>
    appointments.listOwn(tx, parts, who, { requestKey: null, ids: [] }, now),
  );

describe('taking a slot', () => {
  test('the first has it, the second does not', async () => {
    expect(await hold(appointmentOn())).toBe(true);
    expect(await hold(appointmentOn({ patientId: rival }))).toBe(false);
    expect(await standing(rival)).toEqual([]);
  });

  test('of a longer slot all cells are taken or none', async () => {
    await hold(appointmentOn({ patientId: rival, ...later }));
    const long = appointmentOn({ end: start + 900 });
    expect(await hold(long)).toBe(false);
    expect(await hold(appointmentOn())).toBe(true);
  });

  test('an appointment carries its details', async () => {
    const appointment = appointmentOn();
    expect(await book(appointment)).toBe(true);
    expect(await standing()).toMatchObject([
      {
        id: appointment.id,
        state: 'booked',
        bookingNumber: 'AB12',
        ticklers: ['t1', 't2'],
        ...slot,
      },
    ]);
  });
});

describe('a hold', () => {
  test('lapses by the clock: another patient frees and takes its slot', async () => {
    const appointment = appointmentOn();
    await hold(appointment);
    const lapsed = await database.inTransaction((tx) =>
      appointments.releaseLapsed(tx, slot, NOW + 599),
    );
    expect(lapsed).toEqual([]);
    const freed = await database.inTransaction((tx) =>
      appointments.releaseLapsed(tx, slot, NOW + 600),
    );
    expect(freed).toEqual([{ id: appointment.id, hadPaymentLink: false }]);
    expect(await hold(appointmentOn({ patientId: rival }))).toBe(true);
  });

  test('that awaits the records does not lapse', async () => {
    const appointment = appointmentOn();
    await hold(appointment);
    await carry(appointment, 'askEmr');
    const freed = await database.inTransaction((tx) =>
      appointments.releaseLapsed(tx, slot, NOW + 9999),
    );
    expect(freed).toEqual([]);
    const settle = (tx: Tx) => appointments.bookHeld(tx, parts, appointment.id, 'confirming', NOW);
    expect(await inTx(settle)).toMatchObject({ state: 'booked' });
  });

  test('becomes an appointment once, and then is a hold no more', async () => {
    const appointment = appointmentOn();
    await hold(appointment);
    expect(await carry(appointment)).toBe(true);
    expect(await carry(appointment)).toBe(false);
  });

  test('is swept after it lapsed, and keeps nothing of the draft', async () => {
    const appointment = appointmentOn();
    await hold(appointment);
    const draft = new Uint8Array([9]);
    const save = () =>
      inTx((tx) =>
        appointments.saveDraft(
          tx,
          { id: appointment.id, patientId, sealed: draft },
          RATES.drafts,
          NOW,
        ),
      );
    expect(await save()).toBe(0);
    const held = await holdOf(database.db, patientId, NOW);
    expect([...(held?.draftSealed ?? [])]).toEqual([9]);
    const swept = await database.inTransaction((tx) => appointments.sweepLapsed(tx, NOW + 600, 10));
    expect(swept).toHaveLength(1);
    expect(await holdOf(database.db, patientId, NOW)).toBeNull();
    expect(await save()).toBeNull();
  });
});

describe('ending an appointment', () => {
  test('frees its slot and gives back a key derived from it', async () => {
    const appointment = appointmentOn();
    await book(appointment);
    const end = (who: PatientId) =>
      inTx((tx) =>
        appointments.endAppointment(
          tx,
          parts,
          { id: appointment.id, patientId: who, movedTo: null },
          NOW,
        ),
      );
    expect(await end(rival)).toBeNull();
    expect(await end(patientId)).toBe(1);
    expect(await end(patientId)).toBeNull();
    expect(await book(appointmentOn())).toBe(true);
  });
});

describe('what the clinic offers a patient', () => {
  test('is read with the lock: type and fee for their eligibility, doctor, template', async () => {
    const offer = await database.inTransaction((tx) =>
      appointments.lockBookingContext(tx, parts, patientId, slot, '2026-11-21'),
    );
    expect(offer).toMatchObject({
      patient: { eligibility: 'E', account: { bookingBlocked: false }, blockedProviders: [] },
      type: { code: 'O', chargeCents: 0, enforceMrp: true },
      provider: { id: '101', status: { active: true, hidden: false } },
    });
    expect(offer?.template).toHaveLength(288);
  });

  test('has no type, doctor or template where there is none', async () => {
    const nothing = { ...slot, providerId: 'nobody', type: 'F' as const };
    const offer = await database.inTransaction((tx) =>
      appointments.lockBookingContext(tx, parts, patientId, nothing, '2026-11-21'),
    );
    expect(offer).toMatchObject({ type: null, provider: null, template: null });
  });
});
