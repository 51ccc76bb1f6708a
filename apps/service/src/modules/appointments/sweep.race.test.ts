import { afterEach, beforeEach, expect, test } from 'vitest';

import { NOW } from '@clinic/domain/testing';
import { addDays, toClinic, toInstant } from '@clinic/domain';

import { aClinic, somePatients } from '../../../testing/a-clinic.ts';
import { ask } from '../../../testing/ask.ts';
import { signIn } from '../../../testing/sign-in.ts';
import { testApp } from '../../../testing/test-app.ts';
import type { TestApp } from '../../../testing/test-app.ts';
import { testDatabaseUrl } from '../../../testing/test-database.ts';
import { databaseOn } from '../../database/db.ts';
import { openPostgres } from '../../database/engine-postgres.ts';
import { appointmentStep } from './schema.ts';
import { appointments } from './store.ts';
import { expireHolds } from './holds.ts';
import { patientWaits } from '../../../testing/patient-waits.ts';
import { emrBook } from '../emr/index.ts';

const HOLDS = 40;
let services: TestApp[];

beforeEach(async () => {
  const url = await testDatabaseUrl();
  const service = () =>
    testApp({ database: databaseOn(openPostgres({ url, poolSize: 8, waits: patientWaits })) });
  services = [await service(), await service(), await service()];
  await aClinic((services[0] as TestApp).database, { days: 3 });
});
afterEach(async () => {
  for (const each of services) await each.close();
});

// Shows: R-30
test('three processes that sweep at once free every lapsed hold once (R-30)', async () => {
  const clinic = services[0] as TestApp;
  const eight = toInstant(addDays(toClinic(NOW).date, 1), '08:00');
  const patients = await somePatients(clinic.database, HOLDS);
  for (const [at, id] of patients.entries()) {
    const start = eight + (at % 12) * 300 + Math.floor(at / 12) * 3 * 3600;
    const body = { doctor: '101', start, end: start + 300, selectedType: typeAt(at) };
    const held = await ask(clinic, 'placeHold', { token: await signIn(clinic, { id }), body });
    expect(held.statusCode).toBe(200);
  }
  const counts = await Promise.all(
    services.map(({ platform }) => expireHolds({ ...platform, appointments, emrBook }, NOW + 600)),
  );
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(HOLDS);
  expect(await clinic.database.db.select().from(appointmentStep)).toEqual([]);
  const lapses = (await clinic.trail()).filter(({ action }) => action === 'hold lapsed');
  expect(new Set(lapses.map(({ subject }) => subject)).size).toBe(HOLDS);
  expect(lapses).toHaveLength(HOLDS);
});

/** 08:00 and 11:00 are O, 14:00 is P, 17:00 is PP. */
const typeAt = (at: number) => ['O', 'O', 'P', 'PP'][Math.floor(at / 12)];
