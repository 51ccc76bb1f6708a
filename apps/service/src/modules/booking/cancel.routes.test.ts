import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { toInstant } from '@clinic/domain';

import { aClinic, aPatientRow } from '../../../testing/a-clinic.ts';
import { ask } from '../../../testing/ask.ts';
import { signIn } from '../../../testing/sign-in.ts';
import { testApp } from '../../../testing/test-app.ts';
import type { TestApp } from '../../../testing/test-app.ts';

let clinic: TestApp;
let token: string;
let rival: string;

beforeEach(async () => {
  clinic = await testApp();
  await aClinic(clinic.database);
  const newPatient = async () => signIn(clinic, { id: await aPatientRow(clinic.database) });
  [token, rival] = [await newPatient(), await newPatient()];
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

describe('DELETE /schedule/{id}', () => {
  test('ends the visit, and somebody else can have its time (§5, R-53)', async () => {
    const id = idOf(await book(token));
    expect((await book(rival)).statusCode).toBe(409);

    const answer = await cancel(token, id);

    expect(answer.json()).toEqual({
      success: true,
      extras: { message: 'Your appointment is cancelled.', code: 'cancelled' },
    });
    expect((await book(rival)).statusCode).toBe(200);
  });

  test('answers a repetition as it answered the first time', async () => {
    const id = idOf(await book(token));
    await cancel(token, id);
    expect((await cancel(token, id)).statusCode).toBe(200);
  });

  test("does not know another patient's visit, nor what is no id (R-7)", async () => {
    const id = idOf(await book(token));
    expect((await cancel(rival, id)).statusCode).toBe(404);
    expect((await cancel(token, 'hold-or-anything')).statusCode).toBe(404);
    expect((await book(rival)).statusCode).toBe(409);
  });

  test('refuses when the visit starts in six hours, and takes it a second earlier (R-53)', async () => {
    const id = idOf(await book(token));
    const [session] = [await clinic.platform.sessions.find(token, clinic.clock.now())];
    if (session.kind === 'none') throw new Error('No session');
    clinic.clock.set(start - 6 * 3600);
    const fresh = await signIn(clinic, session.patient);
    expect((await cancel(fresh, id)).json()).toMatchObject({ extras: { code: 'notCancellable' } });
    clinic.clock.set(start - 6 * 3600 - 1);
    expect((await cancel(fresh, id)).statusCode).toBe(200);
  });
});
