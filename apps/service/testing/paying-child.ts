import { databaseOn } from '../src/database/db.ts';
import { openPostgres } from '../src/database/engine-postgres.ts';
import type { KeyMaterial } from '../src/security/keyring.ts';
import { failpoints } from './failpoints.ts';
import { payingClinic } from './paying-clinic.ts';
import { type Prepared, scenarios } from './paying-scenarios.ts';
import { patientWaits } from './patient-waits.ts';

/** What a process is told that is to be killed in the middle of a payment. */
export interface ToBeKilled {
  readonly url: string;
  readonly keys: KeyMaterial;
  readonly scenario: string;
  readonly point: number;
  readonly prepared: Prepared;
  readonly now: number;
}

// node paying-child.ts <ToBeKilled as JSON>: runs one step of a scenario and dies at one point of it,
// as by kill -9.
const told = JSON.parse(process.argv[2] ?? '{}') as ToBeKilled;
const scenario = scenarios.find(({ name }) => name === told.scenario);
if (scenario === undefined) throw new Error(`There is no scenario '${told.scenario}'`);
const database = databaseOn(openPostgres({ url: told.url, poolSize: 4, waits: patientWaits }));
const clinic = await payingClinic(database, { keys: told.keys, opened: true });
clinic.clock.set(told.now);
const points = failpoints(told.point, async () => {
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => undefined);
});
await scenario.act(clinic.ports(points), told.prepared);
throw new Error('The process came past its point');
