import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { NOW } from '@clinic/domain/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { failpoints } from '../../../testing/failpoints.ts';
import type { ToBeKilled } from '../../../testing/paying-child.ts';
import { payingClinic } from '../../../testing/paying-clinic.ts';
import type { PayingClinic } from '../../../testing/paying-clinic.ts';
import { scenarios } from '../../../testing/paying-scenarios.ts';
import type { Scenario } from '../../../testing/paying-scenarios.ts';
import { patientWaits } from '../../../testing/patient-waits.ts';
import { testDatabaseUrl } from '../../../testing/test-database.ts';
import { databaseOn } from '../../database/db.ts';
import { openPostgres } from '../../database/engine-postgres.ts';
import { newKeyMaterial } from '../../security/keyring-file.ts';

const KILLS_EACH = 10;
const CHILD = join(process.env.TEST_PROGRAMS ?? '', 'paying-child.mjs');

const keys = newKeyMaterial();
let url: string;
let clinic: PayingClinic;
beforeAll(async () => {
  url = await testDatabaseUrl();
  clinic = await payingClinic(databaseOn(openPostgres({ url, poolSize: 8, waits: patientWaits })), {
    keys,
  });
});
afterAll(() => clinic.close());

/** Points spread evenly over the step. */
async function somePoints(scenario: Scenario): Promise<number[]> {
  const points = failpoints(-1);
  const prepared = await scenario.prepare(clinic, await clinic.aPayer());
  await scenario.act(clinic.ports(points), prepared);
  const step = points.names.length / KILLS_EACH;
  return Array.from({ length: KILLS_EACH }, (_, n) => Math.floor(n * step));
}

async function killedAt(scenario: Scenario, point: number): Promise<readonly string[]> {
  clinic.clock.set(NOW);
  const patientId = await clinic.aPayer();
  const prepared = await scenario.prepare(clinic, patientId);
  const now = clinic.clock.now();
  const told: ToBeKilled = { url, keys, scenario: scenario.name, point, prepared, now };
  const child = spawn(process.execPath, [CHILD, JSON.stringify(told)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (signal !== 'SIGKILL') throw new Error(`The process was not killed: ${said}`);
  await clinic.sweep();
  return clinic.ends(patientId);
}

describe('A process that is killed in the middle of a payment', () => {
  test.each(scenarios.filter(({ name }) => name === 'create' || name === 'confirm'))(
    'by kill -9 at ten points of $name leaves an appointment with its money, or neither',
    async (scenario) => {
      for (const point of await somePoints(scenario)) {
        const ends = await killedAt(scenario, point);
        expect(ends.filter((end) => !scenario.ends.includes(end))).toEqual([]);
      }
      expect(await clinic.violations()).toEqual([]);
    },
  );
});
