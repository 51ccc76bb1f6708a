import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { toInstant } from '@clinic/domain';

import { aClinic, aPatientRow } from '../../../testing/a-clinic.ts';
import { ask } from '../../../testing/ask.ts';
import { signIn } from '../../../testing/sign-in.ts';
import { testApp } from '../../../testing/test-app.ts';
import type { TestApp } from '../../../testing/test-app.ts';
import { appointment, appointmentStep } from '../../schema.ts';
import type { PatientId } from '../../security/sessions.store.ts';

const start = toInstant('2026-11-23', '08:00');
const eight = { doctor: '101', start, end: start + 300, selectedType: 'O' };

let clinic: TestApp;
let patientId: PatientId;
let token: string;

beforeEach(async () => {
  clinic = await testApp();
  await aClinic(clinic.database);
  patientId = await aPatientRow(clinic.database);
  token = await signIn(clinic, { id: patientId });
  await ask(clinic, 'placeHold', { token, body: eight });
});
afterEach(() => clinic.close());

const heldAppointment = async () => (await clinic.database.db.select().from(appointment))[0];
const appointmentNow = async (over: Partial<typeof appointment.$inferInsert>) =>
  clinic.database.inTransaction((tx) =>
    tx.update(appointment).set(over).where(eq(appointment.patientId, patientId)),
  );

describe('POST /logout', () => {
  // Shows: R-30
  test('gives the held slot back together with the session (R-30)', async () => {
    expect((await ask(clinic, 'logout', { token })).answer()).toEqual({ success: true });
    expect((await heldAppointment())?.state).toBe('released');
    expect(await clinic.database.db.select().from(appointmentStep)).toEqual([]);
    expect((await ask(clinic, 'getMe', { token })).statusCode).toBe(401);
    const rival = await signIn(clinic, { id: await aPatientRow(clinic.database) });
    const held = await ask(clinic, 'placeHold', { token: rival, body: eight });
    expect(held.statusCode).toBe(200);
  });

  // Shows: R-30
  test('keeps the slot for the same patient where the session ends by itself (R-30, R-70)', async () => {
    await ask(clinic, 'logout', { token, query: { hold: 'keep' } });
    expect((await heldAppointment())?.state).toBe('held');
    expect((await ask(clinic, 'getMe', { token })).statusCode).toBe(401);
    const again = await signIn(clinic, { id: patientId });
    expect((await ask(clinic, 'readHold', { token: again })).statusCode).toBe(200);
    const rival = await signIn(clinic, { id: await aPatientRow(clinic.database) });
    expect((await ask(clinic, 'placeHold', { token: rival, body: eight })).statusCode).toBe(409);
  });

  test('is written down in the audit trail as both', async () => {
    await ask(clinic, 'logout', { token });
    const own = (await clinic.trail()).filter(({ actor }) => actor === `patient:${patientId}`);
    expect(own.map(({ action }) => action).slice(-2)).toEqual(['hold released', 'signed out']);
  });

  test.each([{ paying: true }, { confirming: true }])(
    'leaves a hold with %j to what it waits for, and signs out',
    async (busy) => {
      await appointmentNow(busy);
      expect((await ask(clinic, 'logout', { token })).statusCode).toBe(200);
      expect(await heldAppointment()).toMatchObject({ state: 'held', ...busy });
      expect((await ask(clinic, 'getMe', { token })).statusCode).toBe(401);
    },
  );

  test('without a hold signs out all the same', async () => {
    await ask(clinic, 'releaseHold', { token });
    expect((await ask(clinic, 'logout', { token })).statusCode).toBe(200);
  });
});
