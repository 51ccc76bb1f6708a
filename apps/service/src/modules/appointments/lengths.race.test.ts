import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { SPECIFIED_TYPES, addDays, dayTemplate, toClinic, toInstant } from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';

import { aClinic, somePatients } from '../../../testing/a-clinic.ts';
import { violations } from '../../../testing/invariants.ts';
import { patientWaits } from '../../../testing/patient-waits.ts';
import { testApp } from '../../../testing/test-app.ts';
import type { TestApp } from '../../../testing/test-app.ts';
import { testDatabaseUrl } from '../../../testing/test-database.ts';
import { databaseOn } from '../../database/db.ts';
import { openPostgres } from '../../database/engine-postgres.ts';
import { appointmentType, feePolicy, slotCode } from '../../schema.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { reserve } from './reserve.ts';
import { appointments } from './store.ts';

const ROUNDS = process.env.LONG === '1' ? 500 : 8;
const RIVALS = 32;
const LENGTHS = [5, 10, 15, 20, 30, 45];
const typeOf = (minutes: number) => `T${minutes}`;
const NINE = toInstant(addDays(toClinic(NOW).date, 2), '09:00');

let clinic: TestApp;
let patients: PatientId[];

beforeAll(async () => {
  const url = await testDatabaseUrl();
  clinic = await testApp({
    database: databaseOn(openPostgres({ url, poolSize: 64, waits: patientWaits })),
  });
  const codes = dayTemplate([{ from: 0, to: 288, code: 'T' }]);
  await aClinic(clinic.database, { providers: [{ id: '101', codes }], days: 4 });
  await clinic.database.inTransaction(async (tx) => {
    const [ordinary] = SPECIFIED_TYPES;
    if (!ordinary) throw new Error('The specification has types');
    for (const minutes of LENGTHS) {
      const code = typeOf(minutes);
      await tx.insert(appointmentType).values({ ...ordinary, code, minutes, position: 9 });
      await tx
        .insert(feePolicy)
        .values({ type: code, eligibility: 'E', validFrom: '2026-01-01', chargeCents: 0 });
    }
    const types = LENGTHS.map(typeOf);
    await tx.insert(slotCode).values({ code: 'T', description: 'Any length', types });
  });
  patients = await somePatients(clinic.database, RIVALS);
});
afterAll(() => clinic.close());

/** Numbers that a seed decides, so that a round can be run again. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

// Shows: R-91
test(`32 rivals for overlapping times of mixed lengths: nobody overlaps, and whoever lost had no room`, async () => {
  const ports = { ...clinic.platform, appointments, heldPayments: { giveUp: async () => {} } };
  for (let round = 0; round < ROUNDS; round++) {
    const below = numbers(round + 1);
    const wanted = patients.map((patientId) => {
      const minutes = LENGTHS[below(LENGTHS.length)] ?? 5;
      const start = NINE + below(18) * 300;
      return { patientId, start, end: start + minutes * 60, type: typeOf(minutes) };
    });
    const outcomes = await Promise.all(
      wanted.map(async ({ patientId, ...slot }) => {
        const asked = { patientId, slot: { ...slot, providerId: '101' } };
        const request = {
          purpose: 'hold',
          ...asked,
          rescheduleOf: null,
          forPayment: false,
        } as const;
        const { kind } = await reserve(ports, request, NOW);
        return { ...slot, kind };
      }),
    );
    const won = outcomes.filter(({ kind }) => kind === 'held');
    const lost = outcomes.filter(({ kind }) => kind !== 'held');
    const hadRoom = lost.filter(
      ({ start, end }) => !won.some((winner) => winner.start < end && start < winner.end),
    );
    expect({ round, hadRoom }).toEqual({ round, hadRoom: [] });
    expect(won.length).toBeGreaterThan(0);
    expect(await violations(clinic.database.db, NOW)).toEqual([]);
    await clinic.database.inTransaction(async (tx) => {
      await tx.execute(sql`delete from appointment_step`);
      await tx.execute(sql`delete from appointment`);
    });
  }
});
