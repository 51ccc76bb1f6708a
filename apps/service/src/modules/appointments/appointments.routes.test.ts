import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { CallAnswer } from '@clinic/contract';
import { toClinic, toInstant } from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';

import { aClinic, aPatientRow, aPayment } from '../../../testing/a-clinic.ts';
import { ask } from '../../../testing/ask.ts';
import { signIn } from '../../../testing/sign-in.ts';
import { testApp } from '../../../testing/test-app.ts';
import type { TestApp } from '../../../testing/test-app.ts';
import { appointment } from './schema.ts';
import type { PatientId } from '../../security/sessions.store.ts';

let clinic: TestApp;
let patientId: PatientId;
let token: string;

beforeEach(async () => {
  clinic = await testApp();
  await aClinic(clinic.database);
  patientId = await aPatientRow(clinic.database);
  token = await signIn(clinic, { id: patientId });
});
afterEach(() => clinic.close());

async function aAppointment(start: number, over: Partial<typeof appointment.$inferInsert> = {}) {
  const row = {
    id: randomUUID(),
    patientId,
    recordId: 'record',
    providerId: '101',
    start,
    end: start + 300,
    clinicDate: toClinic(start).date,
    type: 'O',
    state: 'booked',
    bookingNumber: 'AB12',
    createdAt: NOW,
    changedAt: NOW,
    ...over,
  };
  await clinic.database.inTransaction((tx) => tx.insert(appointment).values(row));
  return row.id;
}
const list = async (query = {}, as = token) =>
  (await ask(clinic, 'listAppointments', { token: as, query })).json<
    CallAnswer<'listAppointments'>
  >();
const onlyOne = async () => (await list()).appointments[0];

describe('My Appointments (R-52, R-55)', () => {
  // Shows: 3.appointment.2
  test('a patient without appointments has empty lists', async () => {
    expect(await list()).toEqual({ doctors: [], appointments: [], hasOlder: false });
  });

  // Shows: 1.can.4, 3.doctor.1, 3.appointment.1, 3.appointment.2, 7.me.3
  test('shows an appointment as §3 says', async () => {
    const start = toInstant('2026-12-15', '13:00');
    const id = await aAppointment(start, { checkin: 'B7', ticklers: ['t1'] });
    await aPayment(clinic.database, { patientId, appointmentId: id, amountCents: 7_500 });
    expect(await list()).toMatchObject({
      doctors: [{ id: '101', firstName: 'Amelia', lastName: 'Stone101' }],
      appointments: [
        {
          id,
          doctor: '101',
          startTime: start,
          endTime: start + 300,
          isEditable: true,
          isCancellable: true,
          isReschedulable: true,
          checkin: 'B7',
          description: 'In-person visit',
          paidAmount: 75,
          bookingId: 'AB12',
          code: 'O',
          ticklers: ['t1'],
          stripePaymentToken: null,
          status: 'booked',
          displayInfo: { doctorFirstName: 'Amelia', doctorLastName: 'Stone101' },
          bookedAt: NOW,
        },
      ],
    });
  });

  // Shows: R-52
  test('an appointment is editable until it starts', async () => {
    await aAppointment(NOW + 300);
    expect((await onlyOne())?.isEditable).toBe(true);
    clinic.clock.advance(299);
    expect((await onlyOne())?.isEditable).toBe(true);
    clinic.clock.advance(1);
    expect((await onlyOne())?.isEditable).toBe(false);
  });

  test('an appointment with a doctor whom nobody knows has no display information', async () => {
    await aAppointment(NOW - 86_400, { providerId: 'gone', state: 'completed' });
    expect(await list()).toMatchObject({ doctors: [], appointments: [{ displayInfo: null }] });
  });

  // Shows: 3.appointment.1
  test('a cancelled appointment names its provider, and so does one that moved', async () => {
    await aAppointment(NOW + 86_400, { state: 'cancelled' });
    await aAppointment(NOW + 90_000, { state: 'rescheduled' });
    expect((await list()).appointments).toMatchObject([
      { status: 'cancelled', providerId: '101', isEditable: false },
      { status: 'cancelled', providerId: '101', isEditable: false },
    ]);
  });

  test('holds are no appointments', async () => {
    await aAppointment(NOW + 86_400, { state: 'held', holdExpiresAt: NOW + 600 });
    expect((await list()).appointments).toEqual([]);
  });

  test('appointments older than 24 months come only when all are asked for', async () => {
    await aAppointment(toInstant('2024-11-20', '13:00'), { state: 'completed' });
    expect(await list()).toMatchObject({ appointments: [], hasOlder: true });
    expect(await list({ all: 'true' })).toMatchObject({
      appointments: [{ status: 'completed' }],
      hasOlder: false,
    });
  });

  test("shows nobody another patient's appointments (S-1)", async () => {
    await aAppointment(NOW + 86_400);
    const other = await signIn(clinic, { id: await aPatientRow(clinic.database) });
    expect((await list({}, other)).appointments).toEqual([]);
  });
});
