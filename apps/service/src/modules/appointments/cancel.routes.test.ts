import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { toInstant } from '@clinic/domain';

import { aClinic, aPatientRow, aPayment } from '../../../testing/a-clinic.ts';
import { ask } from '../../../testing/ask.ts';
import { signIn } from '../../../testing/sign-in.ts';
import { testApp } from '../../../testing/test-app.ts';
import type { TestApp } from '../../../testing/test-app.ts';
import { appointment } from './schema.ts';
import { patient } from '../../schema.ts';
import type { PatientId } from '../../security/sessions.store.ts';

let clinic: TestApp;
let patientId: PatientId;
let token: string;
let rival: string;

beforeEach(async () => {
  clinic = await testApp();
  await aClinic(clinic.database);
  patientId = await aPatientRow(clinic.database);
  token = await signIn(clinic, { id: patientId });
  rival = await signIn(clinic, { id: await aPatientRow(clinic.database) });
});
afterEach(() => clinic.close());

const start = toInstant('2026-11-23', '08:00');
const slot = { start, end: start + 300, doctor: '101', selectedType: 'O' as const };

async function book(by: string) {
  const body = { ...slot, reason: 'A cough' };
  return ask(clinic, 'createBooking', { token: by, body });
}
const idOf = (response: { json: () => unknown }) =>
  (response.json() as { extras: { appointment: { id: string } } }).extras.appointment.id;
const cancel = (by: string, id: string) =>
  ask(clinic, 'cancelAppointment', { token: by, params: { id } });

async function change(...[table, over]: Change) {
  await clinic.database.inTransaction((tx) => tx.update(table).set(over));
}
type Change =
  | [typeof appointment, Partial<typeof appointment.$inferInsert>]
  | [typeof patient, Partial<typeof patient.$inferInsert>];

describe('DELETE /schedule/{id}', () => {
  // Shows: 4.cancel.1, 6.patient.1, 7.schedule.2
  test('ends the appointment, and somebody else can have its time (§5, R-53)', async () => {
    const id = idOf(await book(token));
    expect((await book(rival)).statusCode).toBe(409);

    const answer = await cancel(token, id);

    expect(answer.json()).toEqual({
      success: true,
      extras: { message: 'Your appointment is cancelled.', code: 'cancelled' },
    });
    expect((await book(rival)).statusCode).toBe(200);
  });

  // Shows: 7.schedule.2
  test('answers a repetition as it answered the first time, and is written down once, as the patient’s', async () => {
    const id = idOf(await book(token));
    await cancel(token, id);
    expect((await cancel(token, id)).statusCode).toBe(200);
    expect(await clinic.trail('appointment cancelled')).toMatchObject([
      { actor: `patient:${patientId}`, subject: `appointment:${id}` },
    ]);
  });

  // Shows: 7.schedule.2
  test("does not know another patient's appointment, nor what is no id (R-7)", async () => {
    const id = idOf(await book(token));
    expect((await cancel(rival, id)).statusCode).toBe(404);
    expect((await cancel(token, 'hold-or-anything')).statusCode).toBe(404);
    expect((await book(rival)).statusCode).toBe(409);
  });

  test('ends an appointment while its patient holds another time for it', async () => {
    const id = idOf(await book(token));
    const body = { ...slot, start: start + 86_400, end: start + 86_700, rescheduleOf: id };
    expect((await ask(clinic, 'placeHold', { token, body })).statusCode).toBe(200);
    expect((await cancel(token, id)).statusCode).toBe(200);
  });

  // Shows: 5.buttons.1, R-53
  test('refuses when the appointment starts in six hours, and takes it a second earlier (R-53)', async () => {
    const id = idOf(await book(token));
    const [session] = [await clinic.platform.sessions.find(token, clinic.clock.now())];
    if (session.kind === 'none') throw new Error('No session');
    clinic.clock.set(start - 6 * 3600);
    const fresh = await signIn(clinic, session.patient);
    expect((await cancel(fresh, id)).json()).toMatchObject({ extras: { code: 'notCancellable' } });
    clinic.clock.set(start - 6 * 3600 - 1);
    expect((await cancel(fresh, id)).statusCode).toBe(200);
  });

  // Shows: R-53
  test.each([
    ['that was paid with 140 or more', { amountCents: 14_000, isCancellable: true }],
    ['that may not be cancelled', { amountCents: 1, isCancellable: false }],
  ])('refuses an appointment %s (R-53)', async (_, { amountCents, ...over }) => {
    const id = idOf(await book(token));
    await change(appointment, over);
    await aPayment(clinic.database, { patientId, appointmentId: id, amountCents });
    expect((await cancel(token, id)).json()).toMatchObject({ extras: { code: 'notCancellable' } });
    expect((await book(rival)).statusCode).toBe(409);
  });

  // Shows: R-84
  test('writes an email that takes the appointment out of the calendar (R-84)', async () => {
    const id = idOf(await book(token));
    await clinic.platform.outbox.drain();
    await cancel(token, id);
    await cancel(token, id);
    await clinic.platform.outbox.drain();
    const [booked, cancelled, ...more] = clinic.mail.sent.map(({ calendar }) => calendar);
    expect([booked?.method, cancelled?.method, more]).toEqual(['PUBLISH', 'CANCEL', []]);
    const uidOf = (content = '') => /UID:.*/.exec(content)?.[0];
    expect(uidOf(cancelled?.content)).toBe(uidOf(booked?.content));
    expect(cancelled?.content).toContain('SEQUENCE:1\r\n');
  });

  test.each([
    ['a second before its start', 1, ['CANCEL']],
    ['at its start, when nobody needs it any more', 0, []],
  ] as const)('an email that could not be sent until %s', async (_, seconds, told) => {
    const id = idOf(await book(token));
    await clinic.platform.outbox.drain();
    await cancel(token, id);
    clinic.clock.set(start - seconds);
    await clinic.platform.outbox.drain();
    expect(clinic.mail.sent.slice(1).map(({ calendar }) => calendar?.method)).toEqual(told);
  });

  // Shows: R-50
  test('of an appointment that has moved succeeds, and its successor stands (R-50)', async () => {
    const id = idOf(await book(token));
    const tomorrow = { start: start + 86_400, end: start + 86_700, reason: 'A cough' };
    const moved = await ask(clinic, 'createBooking', {
      token,
      body: { ...slot, ...tomorrow, isReschedule: true, rescheduleOf: id },
    });
    expect((await cancel(token, id)).statusCode).toBe(200);
    const rows = await clinic.database.db
      .select()
      .from(appointment)
      .where(eq(appointment.id, idOf(moved)));
    expect(rows).toMatchObject([{ state: 'booked' }]);
  });

  // Shows: R-60
  test('is open to a patient who may not book (R-60)', async () => {
    const id = idOf(await book(token));
    await change(patient, { bookingBlocked: true });
    expect((await ask(clinic, 'listAppointments', { token })).statusCode).toBe(200);
    expect((await cancel(token, id)).statusCode).toBe(200);
  });

  // Shows: S-5
  test('ends ten appointments in an hour at most, and a repetition is answered all the same (S-5)', async () => {
    const first = idOf(await book(token));
    const [row] = await clinic.database.db.select().from(appointment);
    if (row === undefined) throw new Error('Nothing was booked');
    await cancel(token, first);
    const others = Array.from({ length: 9 }, (_, at) => ({
      ...row,
      id: crypto.randomUUID(),
      requestKey: null,
      state: 'cancelled',
      createdAt: row.createdAt - 86_400,
      changedAt: row.changedAt - at * 60,
    }));
    await clinic.database.inTransaction((tx) => tx.insert(appointment).values(others));
    const id = idOf(await book(token));
    const refused = await cancel(token, id);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '3120']);
    expect((await cancel(token, first)).statusCode).toBe(200);
    expect((await book(rival)).statusCode).toBe(409);
    clinic.clock.advance(3_120);
    token = await signIn(clinic, { id: row.patientId ?? '' });
    expect((await cancel(token, id)).statusCode).toBe(200);
  });
});
