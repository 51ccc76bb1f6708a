import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { toInstant } from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';

import { aClinic, aPatientRow } from '../../../testing/a-clinic.ts';
import { ask } from '../../../testing/ask.ts';
import { signIn } from '../../../testing/sign-in.ts';
import { testApp } from '../../../testing/test-app.ts';
import type { TestApp } from '../../../testing/test-app.ts';
import { appointment } from './schema.ts';

const start = toInstant('2026-11-23', '08:00');
let clinic: TestApp;

beforeEach(async () => {
  // The sweeper's timer alone; the clinic's own clock is a port.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  clinic = await testApp();
  await aClinic(clinic.database);
});
afterEach(async () => {
  vi.useRealTimers();
  await clinic.close();
});

// Shows: R-30
test('a service sweeps lapsed holds by itself from its start on (R-30)', async () => {
  const token = await signIn(clinic, { id: await aPatientRow(clinic.database) });
  const body = { doctor: '101', start, end: start + 300, selectedType: 'O' };
  expect((await ask(clinic, 'placeHold', { token, body })).statusCode).toBe(200);
  const state = async () => (await clinic.database.db.select().from(appointment))[0]?.state;

  await vi.advanceTimersByTimeAsync(16_000);
  expect(await state()).toBe('held');
  clinic.clock.set(NOW + 600);
  // A sweep that is still under way plans the next one only when it is over.
  while ((await state()) === 'held') await vi.advanceTimersByTimeAsync(16_000);
  expect(await state()).toBe('released');
});
