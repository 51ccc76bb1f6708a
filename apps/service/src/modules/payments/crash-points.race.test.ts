import { NOW } from '@clinic/domain/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Crashed, failpoints } from '../../../testing/failpoints.ts';
import type { AtPoint } from '../../../testing/failpoints.ts';
import { payingClinic } from '../../../testing/paying-clinic.ts';
import type { PayingClinic } from '../../../testing/paying-clinic.ts';
import { scenarios } from '../../../testing/paying-scenarios.ts';
import type { Prepared, Scenario } from '../../../testing/paying-scenarios.ts';
import { testDatabaseUrl } from '../../../testing/test-database.ts';
import { databaseOn } from '../../database/db.ts';
import { openPostgres } from '../../database/engine-postgres.ts';
import { GatewayOutcomeUnknown } from './gateway.ts';
import { advancePayment, sweepPayments } from './advance-payment.ts';
import { patientWaits } from '../../../testing/patient-waits.ts';

/** What happens to the process at the point, and who else is at work there. */
const WAYS = ['crash', 'throw', 'stall'] as const;
const COMPANIES = ['alone', 'rival', 'webhook'] as const;

/** Every way in every company with LONG=1; else each point in every way, the companies in turn. */
const LONG = process.env.LONG === '1';
const companiesAt = (point: number, way: number): readonly (typeof COMPANIES)[number][] =>
  LONG ? COMPANIES : COMPANIES.slice((point + way) % 3, ((point + way) % 3) + 1);
const TIMES = WAYS.length * (LONG ? COMPANIES.length : 1);

let clinic: PayingClinic;
beforeAll(async () => {
  const url = await testDatabaseUrl();
  const database = databaseOn(openPostgres({ url, poolSize: 24, waits: patientWaits }));
  clinic = await payingClinic(database, { days: 88 });
});
afterAll(async () => {
  await clinic.close();
});

/** How many points a step has when nothing happens to it. */
async function pointsOf(scenario: Scenario): Promise<readonly string[]> {
  clinic.clock.set(NOW);
  const points = failpoints(-1);
  const prepared = await scenario.prepare(clinic, await clinic.aPayer());
  await scenario.act(clinic.ports(points), prepared);
  await clinic.sweep();
  return points.names;
}

async function disturbed(
  scenario: Scenario,
  point: number,
  way: (typeof WAYS)[number],
  company: (typeof COMPANIES)[number],
): Promise<void> {
  clinic.clock.set(NOW);
  const patientId = await clinic.aPayer();
  const prepared = await scenario.prepare(clinic, patientId);
  const others: Promise<unknown>[] = [];
  const atPoint: AtPoint = async ({ name, inTransaction }) => {
    const other = joins(company, scenario, prepared);
    others.push(other);
    // Who waits for our locks cannot be waited for.
    if (!inTransaction) await other;
    if (way === 'crash' || (way === 'stall' && inTransaction)) throw new Crashed();
    if (way === 'throw')
      throw name.includes('gateway')
        ? new GatewayOutcomeUnknown('planted', false)
        : new Error('planted');
    clinic.clock.advance(180);
    await sweepPayments(clinic.ports());
  };
  await quietly(scenario.act(clinic.ports(failpoints(point, atPoint)), prepared));
  await Promise.all(others);
  await clinic.sweep();
  const ends = await clinic.ends(patientId);
  expect(ends.filter((end) => !scenario.ends.includes(end))).toEqual([]);
}

function joins(
  company: (typeof COMPANIES)[number],
  scenario: Scenario,
  prepared: Prepared,
): Promise<unknown> {
  switch (company) {
    case 'alone':
      return Promise.resolve();
    case 'rival':
      return quietly(scenario.act(clinic.ports(), prepared));
    case 'webhook':
      return quietly(webhook(prepared));
  }
}

/** A webhook only makes somebody look at the patient's payment. */
async function webhook({ patientId, payment }: Prepared): Promise<void> {
  const ports = clinic.ports();
  const id = payment ?? (await ports.payments.findActive(clinic.database.db, patientId))?.id;
  if (id !== undefined) await advancePayment(ports, id);
}

/** A step that was disturbed may fail: what counts is what it leaves behind. */
async function quietly(work: Promise<unknown>): Promise<void> {
  await work.catch(() => undefined);
}

describe('A payment that is disturbed at any point', () => {
  let total = 0;

  // Shows: R-40
  test.each(scenarios)(
    'in $name ends with an appointment and its money, or with neither',
    async (scenario) => {
      const points = await pointsOf(scenario);
      expect(points.length).toBeGreaterThan(10);
      total += points.length;
      for (const [at, way] of WAYS.entries())
        for (let point = 0; point < points.length; point += 1)
          for (const company of companiesAt(point, at))
            await disturbed(scenario, point, way, company).catch((error: unknown) => {
              throw new Error(`${way} at ${points[point]} (${point}), ${company}`, {
                cause: error,
              });
            });
      expect(await clinic.violations()).toEqual([]);
    },
    600_000,
  );

  test('was disturbed at as many points as are printed', () => {
    process.stdout.write(`crash points: ${total}, each ${TIMES} times\n`);
    expect(total).toBeGreaterThan(200);
  });
});
