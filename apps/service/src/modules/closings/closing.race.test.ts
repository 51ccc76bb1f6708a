import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startOfDay } from '@clinic/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { ClosingToBeKilled } from '../../../testing/closing-child.ts';
import { datesFromToday } from '../../../testing/index.ts';
import { type PayingClinic, payingClinic } from '../../../testing/paying-clinic.ts';
import { patientWaits } from '../../../testing/patient-waits.ts';
import { testDatabaseUrl } from '../../../testing/test-database.ts';
import { databaseOn, sql } from '../../database/db.ts';
import { openPostgres } from '../../database/engine-postgres.ts';
import { closingCall, closingEntry } from '../../schema.ts';
import { newKeyMaterial } from '../../security/keyring-file.ts';
import { chargeAppointment } from '../payments/charge.ts';
import { callsOfClosing } from './calls.store.ts';
import { noteCall } from './calls.ts';
import { closeTime, workOnClosing } from './closing.ts';
import { LEASE_SECONDS } from './store.ts';

const CHILD = join(process.env.TEST_PROGRAMS ?? '', 'closing-child.mjs');
const PATIENTS = 6;
/** Of the first appointment that a process gives up, and of the one after it. */
const POINTS = [5, 7, 9, 11, 13, 15, 17, 19];

const keys = newKeyMaterial();
let url: string;
let clinic: PayingClinic;
beforeAll(async () => {
  url = await testDatabaseUrl();
  clinic = await payingClinic(databaseOn(openPostgres({ url, poolSize: 8, waits: patientWaits })), {
    keys,
  });
  for (const job of ['closings', 'payments', 'lapsed-holds']) await clinic.app.stopJob(job);
});
afterAll(() => clinic.close());

const OF_CHILD = 'to be killed';
async function connectionsOf(name: string): Promise<number> {
  const rows = await sql(clinic.database.db)`
    select from pg_stat_activity where datname = current_database() and application_name = ${name}`;
  return rows.length;
}

/** Gives the signal by which the process ended, or null where it came past its point. */
async function killedAt(point: number, call?: ClosingToBeKilled['call']): Promise<string | null> {
  const named = new URL(url);
  named.searchParams.set('application_name', OF_CHILD);
  const told: ClosingToBeKilled = { url: named.href, keys, point, now: clinic.clock.now(), call };
  const child = spawn(process.execPath, [CHILD, JSON.stringify(told)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (signal === null && code !== 0) throw new Error(`The process failed: ${said}`);
  // Its transaction ends when the database hears that it is gone; until then its locks stand.
  while ((await connectionsOf(OF_CHILD)) > 0);
  return signal;
}

// Shows: S-18
describe('Processes that are killed while they give up what stands in closed time', () => {
  test('by kill -9 leave the rest to the next: each is told once and given back once', async () => {
    for (let n = 0; n < PATIENTS; n += 1)
      await chargeAppointment(
        clinic.ports(),
        clinic.aAppointment(await clinic.aPayer()),
        clinic.clock.now(),
      );
    await clinic.sweep();
    await clinic.platform.outbox.drain();
    const dates = datesFromToday(20);
    const time = {
      providerIds: ['101'],
      from: startOfDay(dates[1] ?? ''),
      to: startOfDay(dates[19] ?? ''),
    };
    const who = { actor: 'clinic:operator', now: clinic.clock.now() };
    await closeTime(clinic.platform, { ...time, requestKey: 'sent:killed' }, who);
    const signals: (string | null)[] = [];
    for (const point of POINTS) {
      signals.push(await killedAt(point));
      clinic.clock.advance(LEASE_SECONDS);
    }
    expect(signals.filter((signal) => signal === 'SIGKILL').length).toBeGreaterThan(5);
    const { realtime } = clinic.platform;
    const ports = { ...clinic.ports(), clock: clinic.clock, realtime };
    const outcomes = async () => {
      await workOnClosing(ports);
      return (await clinic.database.db.select().from(closingEntry)).map(({ outcome }) => outcome);
    };
    await expect.poll(outcomes).toEqual(Array(PATIENTS).fill('cancelled'));
    const before = clinic.mail.sent.length;
    await clinic.sweep();
    await clinic.platform.outbox.drain();
    const sent = clinic.mail.sent.slice(before);
    const cancelled = sent.filter(({ calendar }) => calendar?.method === 'CANCEL');
    expect(new Set(cancelled.map(({ to }) => to)).size).toBe(PATIENTS);
    expect([cancelled.length, sent.length]).toEqual([PATIENTS, 2 * PATIENTS]);
    expect(await clinic.money()).toMatchObject({
      appointments: 0,
      refunded: PATIENTS,
      chargedWithoutAppointment: 0,
    });
    expect(await clinic.violations()).toEqual([]);
  });
});

/** An entry whose appointment a closing has cancelled. */
async function aCancelledEntry() {
  const entry = { closingId: crypto.randomUUID(), appointmentId: crypto.randomUUID() };
  await clinic.database.inTransaction((tx) =>
    tx.insert(closingEntry).values({ ...entry, outcome: 'cancelled', offered: [] }),
  );
  return entry;
}

// Shows: R-124
describe('Calls to the patients of a closing', () => {
  test('that two note at once both stand, in one order', async () => {
    for (let round = 0; round < 20; round += 1) {
      const entry = await aCancelledEntry();
      const one = { ...entry, id: crypto.randomUUID(), outcome: 'reached' as const };
      const other = { ...entry, id: crypto.randomUUID(), outcome: 'noAnswer' as const };
      const now = clinic.clock.now();
      // Each is sent twice, as where its answer was lost.
      const noted = await Promise.all(
        [one, other, one, other].map((call, at) =>
          noteCall(clinic.platform, call, { actor: `staff:${at % 2}`, now }),
        ),
      );
      expect(noted).toEqual(Array(4).fill('noted'));
      const calls = await callsOfClosing(clinic.database.db, entry.closingId);
      expect(calls.map(({ id }) => id).toSorted()).toEqual([one.id, other.id].toSorted());
      expect(await callsOfClosing(clinic.database.db, entry.closingId)).toEqual(calls);
    }
  });

  test('are noted once whenever the process is killed by kill -9 and asked again', async () => {
    const seen = new Set<number>();
    for (let point = 0, signal: string | null = 'SIGKILL'; signal !== null; point += 1) {
      const entry = await aCancelledEntry();
      const call = { ...entry, id: crypto.randomUUID(), outcome: 'reached' as const };
      signal = await killedAt(point, call);
      const kept = async () =>
        (await clinic.database.db.select().from(closingCall)).filter(({ id }) => id === call.id);
      const before = (await kept()).length;
      seen.add(before);
      const who = { actor: 'clinic:operator', now: clinic.clock.now() };
      expect(await noteCall(clinic.platform, call, who)).toBe('noted');
      expect(await kept()).toHaveLength(1);
      const trail = (await clinic.trail('closing call noted')).filter(
        ({ details }) => (details as { call?: string }).call === call.id,
      );
      expect(trail).toHaveLength(1);
    }
    expect(seen).toEqual(new Set([0, 1]));
  });
});
