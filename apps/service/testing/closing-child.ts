import { databaseOn } from '../src/database/db.ts';
import { openPostgres } from '../src/database/engine-postgres.ts';
import { noteCall } from '../src/modules/closings/calls.ts';
import { workOnClosing } from '../src/modules/closings/closing.ts';
import type { KeyMaterial } from '../src/security/keyring.ts';
import { failpoints } from './failpoints.ts';
import { payingClinic } from './paying-clinic.ts';
import { patientWaits } from './patient-waits.ts';

/** What a process is told that is to be killed while it gives up what stands in closed time, or notes a call. */
export interface ClosingToBeKilled {
  readonly url: string;
  readonly keys: KeyMaterial;
  readonly point: number;
  readonly now: number;
  readonly call?: Parameters<typeof noteCall>[1] | undefined;
}

// node closing-child.ts <ClosingToBeKilled as JSON>: goes on with the closing that waits, and dies at
// one point of it, as by kill -9; or notes the call, if it is told one. It ends by itself where that is done before.
const told = JSON.parse(process.argv[2] ?? '{}') as ClosingToBeKilled;
const database = databaseOn(openPostgres({ url: told.url, poolSize: 4, waits: patientWaits }));
const clinic = await payingClinic(database, { keys: told.keys, opened: true });
await clinic.app.stopJob('closings');
clinic.clock.set(told.now);
const points = failpoints(told.point, async () => {
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => undefined);
});
const { realtime } = clinic.platform;
const ports = { ...clinic.ports(points), clock: clinic.clock, realtime };
if (told.call === undefined) await workOnClosing(ports);
else await noteCall(ports, told.call, { actor: 'clinic:operator', now: told.now });
await clinic.close();
