import { afterEach, beforeEach, expect, test } from 'vitest';

import { type FakeEmr, fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { toInstant } from '@clinic/domain';

import { aClinic, aPatientRow } from '../../../../testing/a-clinic.ts';
import { ask } from '../../../../testing/ask.ts';
import { violations } from '../../../../testing/invariants.ts';
import { patientWaits } from '../../../../testing/patient-waits.ts';
import { signIn } from '../../../../testing/sign-in.ts';
import { type TestApp, testApp } from '../../../../testing/test-app.ts';
import { unlimitedRates } from '../../../../testing/test-config.ts';
import { testDatabaseUrl } from '../../../../testing/test-database.ts';
import { databaseOn } from '../../../database/db.ts';
import { openPostgres } from '../../../database/engine-postgres.ts';
import { decideMissing } from './missing.ts';
import { appointment } from '../../appointments/schema.ts';
import type { OwnInEmr } from '../../appointments/by-staff/staff-changes.store.ts';
import { appointments } from '../../appointments/store.ts';
import { syncFromEmr } from './sync.ts';
import { emrBook } from '../emr-book.ts';

const RIVALS = 12;
const DAY = '2026-11-23';
const STAFF = '00000000-0000-4000-8000-00000000000a';

let clinic: TestApp;
let emr: FakeEmr;
let booked: { readonly id: string; readonly token: string }[];

beforeEach(async () => {
  emr = fakeEmr({ days: null });
  const database = databaseOn(
    openPostgres({ url: await testDatabaseUrl(), poolSize: 32, waits: patientWaits }),
  );
  clinic = await testApp({ database, emr, config: { rates: unlimitedRates() } });
  await aClinic(clinic.database);
  booked = [];
  for (let at = 0; at < RIVALS; at += 1) {
    const token = await signIn(clinic, { id: await aPatientRow(clinic.database) });
    const start = toInstant(DAY, '08:00') + 300 * at;
    const body = { start, end: start + 300, doctor: '101', selectedType: 'O', reason: 'Cough' };
    const answer = (await ask(clinic, 'createBooking', { token, body })).answer();
    booked.push({ id: answer.extras.appointment.id, token });
  }
  await sync();
  for (const { id } of booked) emr.staff.remove(`claim:${id}`);
  await passes(60, 20, 20, 20);
});
afterEach(() => clinic.close());

const now = () => clinic.clock.now();
const ports = () => ({ ...clinic.platform, appointments, emrBook });
const sync = () => syncFromEmr(ports(), now());
async function passes(...seconds: readonly number[]) {
  for (const each of seconds) {
    clinic.clock.advance(each);
    await sync();
  }
}
const rows = async () =>
  new Map((await clinic.database.db.select().from(appointment)).map((row) => [row.id, row]));
async function decide(id: string, is: 'kept' | 'cancelled'): Promise<boolean> {
  const own = (await rows()).get(id) as OwnInEmr | undefined;
  return own !== undefined && decideMissing(ports(), own, is, { by: STAFF, now: now() });
}
async function byClinic(): Promise<number> {
  await clinic.platform.outbox.drain();
  return clinic.mail.sent.filter(({ text }) => text.includes('the clinic had to cancel')).length;
}
/** Each is as its presser was told, and everybody whose appointment was cancelled was told once. */
async function expectTruth(kept: readonly boolean[]) {
  const after = await rows();
  const stand = booked.map(({ id }) => after.get(id)?.state === 'booked');
  expect(stand).toEqual(kept);
  expect(await byClinic()).toBe(kept.filter((each) => !each).length);
  expect(await violations(clinic.database.db, now())).toEqual([]);
}

// Shows: R-120
test('Keep and the end of the ten minutes at once: one of them holds, and is what was told', async () => {
  clinic.clock.advance(600);
  const [kept] = await Promise.all([
    Promise.all(booked.map(({ id }) => decide(id, 'kept'))),
    sync(),
  ]);
  await passes(20, 20);
  await expectTruth(kept);
});

// Shows: R-120
test('Keep and Cancelled at once, by two of the staff: one of them holds', async () => {
  const [kept, cancelled] = await Promise.all([
    Promise.all(booked.map(({ id }) => decide(id, 'kept'))),
    Promise.all(booked.map(({ id }) => decide(id, 'cancelled'))),
  ]);
  expect(cancelled).toEqual(kept.map((each) => !each));
  await expectTruth(kept);
});

// Shows
test('a patient who cancels as the ten minutes end is told of one cancellation', async () => {
  clinic.clock.advance(600);
  await Promise.all([
    sync(),
    ...booked.map(({ id, token }) => ask(clinic, 'cancelAppointment', { token, params: { id } })),
  ]);
  await passes(20, 20);
  const after = await rows();
  expect(booked.map(({ id }) => after.get(id)?.state)).toEqual(
    Array.from({ length: RIVALS }, () => 'cancelled'),
  );
  await clinic.platform.outbox.drain();
  const told = clinic.mail.sent.filter(({ subject }) => /cancel/i.test(subject));
  expect(told).toHaveLength(RIVALS);
  expect(await violations(clinic.database.db, now())).toEqual([]);
});

// Shows: R-120
test('two processes cancel each once', async () => {
  clinic.clock.advance(600);
  await Promise.all([sync(), sync(), sync()]);
  await passes(20, 20);
  await expectTruth(booked.map(() => false));
});
