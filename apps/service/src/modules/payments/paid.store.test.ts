import { randomUUID } from 'node:crypto';

import { OPEN_STATES, PAYMENT_STATES } from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { aPatientRow, aPayment } from '../../../testing/a-clinic.ts';
import { type TestDatabase, testDatabase } from '../../../testing/test-database.ts';
import { sql } from '../../database/db.ts';
import { parts } from '../../sql-parts.ts';
import { appointment, type payment } from '../../schema.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { DESK_APPOINTMENTS } from '../appointments/index.ts';
import { listedAppointmentsOf } from '../appointments/listed.store.ts';
import { EVER_PAID, PAID_NOW } from './store.ts';

let database: TestDatabase;
let patientId: PatientId;
let placed = 0;
beforeAll(async () => {
  database = await testDatabase();
  patientId = await aPatientRow(database);
});
afterAll(() => database.close());

async function anAppointment(over: Partial<typeof appointment.$inferInsert> = {}) {
  const [id, start] = [randomUUID(), NOW + 300 * placed++];
  const times = { start, end: start + 300, clinicDate: '2026-12-15', createdAt: NOW };
  const row = { id, patientId, recordId: 'record', providerId: '101', type: 'V', ...times };
  await database.inTransaction((tx) =>
    tx.insert(appointment).values({ ...row, state: 'booked', changedAt: NOW, ...over }),
  );
  return id;
}

type NewPayment = Partial<typeof payment.$inferInsert>;

/** Each by another patient, as one has no two payments under way. */
const pay = (appointmentId: string, over: NewPayment = {}) =>
  aPayment(database, { patientId: randomUUID(), appointmentId, amountCents: 20_000, ...over });

/** In dollars: what is paid now and what was ever paid. */
async function paid(id: string): Promise<string> {
  const [row] = await sql<{ now: number; ever: number }>(database.db)`
    select ${PAID_NOW} as now, ${EVER_PAID} as ever from appointment c where c.id = ${id}`;
  return `${(row?.now ?? NaN) / 100} ${(row?.ever ?? NaN) / 100}`;
}

const BEFORE = { changedAt: NOW - 60 };
const ENDED = { state: 'cancelled', changedAt: NOW } as const;

test('what is paid follows from where the payment is, and from when the appointment ended', async () => {
  const lines = await Promise.all(
    PAYMENT_STATES.filter((state) => !OPEN_STATES.includes(state)).map(async (state) => {
      const [booked, before, after] = await Promise.all([
        anAppointment(),
        anAppointment(ENDED),
        anAppointment(ENDED),
      ]);
      await pay(booked, { state, ...BEFORE });
      await pay(before, { state, ...BEFORE });
      await pay(after, { state, changedAt: NOW + 1 });
      return `${state}: ${[await paid(booked), await paid(before), await paid(after)].join(', ')}`;
    }),
  );
  // Booked, cancelled after the payment changed last, cancelled before it did.
  expect(lines).toEqual([
    'cancelling: 0 0, 0 0, 0 200',
    'cancelled: 0 0, 0 0, 0 200',
    'capturing: 200 200, 200 200, 200 200',
    'captured: 200 200, 200 200, 200 200',
    'kept: 200 200, 200 200, 200 200',
    'capture_failed: 0 200, 0 200, 0 200',
    'refund_pending: 0 0, 0 0, 0 200',
    'refunded: 0 0, 0 0, 0 200',
    'refund_failed: 0 0, 0 0, 0 200',
  ]);
});

test('a refund that staff decided counts from when they did, before and after it was made', async () => {
  for (const over of [{}, ENDED]) {
    const id = await anAppointment(over);
    await pay(id, { refundReason: 'goodwill', changedAt: NOW + 1 });
    expect(await paid(id)).toBe('0 0');
  }
});

test('the payment that booked it counts, and none that was tried before', async () => {
  const id = await anAppointment(ENDED);
  await pay(id, { state: 'refunded', refundedAt: NOW - 30, changedAt: NOW + 90 });
  expect(await paid(id)).toBe('0 0');
  await pay(id, { amountCents: 7_500, createdAt: NOW - 90 });
  expect(await paid(id)).toBe('75 75');
});

test('a fee taken at the clinic is none of it', async () => {
  const taken = { means: 'cash', by: randomUUID(), at: NOW } as const;
  const id = await anAppointment({ feeAtClinic: { cents: 20_000, taken } });
  await pay(id, { state: 'cancelled', ...BEFORE });
  expect(await paid(id)).toBe('0 0');
});

test('while an appointment moves, its payment counts for both times', async () => {
  const old = await anAppointment();
  const moving = { state: 'held', confirming: true, holdExpiresAt: NOW, rescheduledFrom: old };
  const next = await anAppointment(moving);
  await pay(old);
  expect([await paid(old), await paid(next)]).toEqual(['200 200', '200 0']);
  const atDesk = (id: string) => sql(database.db)`
    select ${PAID_NOW} as now from ${DESK_APPOINTMENTS} c where c.id = ${id}`;
  expect(await atDesk(next)).toEqual([{ now: 20_000 }]);
  await database.inTransaction((tx) => tx.update(appointment).set({ confirming: false }));
  expect(await atDesk(next)).toEqual([{ now: 0 }]);
});

test('a list of 100 appointments takes the same two statements, and finds each payment by its index', async () => {
  const own = await aPatientRow(database);
  const ids = await Promise.all(
    Array.from({ length: 100 }, () => anAppointment({ patientId: own })),
  );
  await Promise.all(ids.map((id) => pay(id)));
  await sql(database.db)`analyze payment`;
  const query = vi.spyOn(database.db.$client, 'query');
  const { appointments } = await listedAppointmentsOf(database.db, parts, own, NOW);
  const asked = query.mock.calls.filter(([{ text }]) => /\b(appointment|payment)\b/.test(text));
  expect(asked.map(([{ name }]) => name)).toEqual([
    'appointments-of-patient',
    'appointments-older',
  ]);
  query.mockRestore();
  expect(appointments.map(({ appointment: { paidNow } }) => paidNow)).toEqual(
    ids.map(() => 20_000),
  );
  const plan = await sql<{ readonly 'QUERY PLAN': string }>(database.db)`
    explain select ${PAID_NOW} from appointment c where c.patient_id = ${own}`;
  const lines = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(lines).toContain('payment_appointment');
  expect(lines).not.toContain('Seq Scan on payment');
});
