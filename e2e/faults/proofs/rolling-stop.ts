import { startBalancer } from '../balancer.ts';
import type { Chance } from '../chance.ts';
import type { Cluster } from '../clinic/cluster.ts';
import { openRecord } from '../clinic/record.ts';
import { type PatientAccount, UNHURRIED_MS, patientOf, pause } from '../clinic/patient.ts';
import { runWorkload } from '../clinic/workload.ts';
import type { Slot } from '../history.ts';
import { type Finding, slowest } from '../report.ts';

export interface RollingStopOptions {
  readonly accounts: readonly PatientAccount[];
  readonly slots: readonly Slot[];
  readonly stops: number;
  readonly chance: Chance;
}

/** Asked between two stops. */
const OPERATIONS_BETWEEN = 100;

/** SIGTERM to one service after the other under load, behind a proxy that obeys /readyz: nobody notices. */
export async function rollingStop(cluster: Cluster, options: RollingStopOptions): Promise<Finding> {
  const { accounts, slots, stops, chance } = options;
  const balancer = await startBalancer(cluster.services.map(({ port }) => port));
  for (const index of cluster.services.keys()) await balancer.sendsTo(index);
  const record = openRecord(cluster, accounts);
  const bases = [`http://127.0.0.1:${balancer.port}/api`];
  const patients = accounts.map((account) =>
    patientOf({
      account,
      bases,
      history: record.history,
      chance: chance.fork(account.name),
      patienceMs: UNHURRIED_MS,
    }),
  );

  let loaded = true;
  const load = runWorkload({
    patients,
    slots,
    chance: chance.fork('wishes'),
    goesOn: () => loaded,
    thinkingMs: 20,
  });
  const ends: number[] = [];
  for (let stop = 0; stop < stops; stop += 1) {
    const enough = record.history.count() + OPERATIONS_BETWEEN;
    while (record.history.count() < enough) await pause(20);
    const index = stop % cluster.services.length;
    const service = cluster.services[index];
    const asked = performance.now();
    await service?.terminate(() => balancer.leaves(index));
    ends.push(performance.now() - asked);
    await service?.listens();
    await balancer.sendsTo(index);
  }
  loaded = false;
  await load;
  await balancer.close();

  const verdict = await record.judged();
  const failed = verdict.operations.filter(({ outcome }) => outcome === 'unknown');
  return {
    title: `${stops} × SIGTERM under load, two services behind a proxy that obeys /readyz`,
    lines: [
      `${failed.length} failed of ${verdict.operations.length} requests; slowest end ${(slowest(ends) / 1000).toFixed(1)} s`,
      ...verdict.lines,
    ],
    faults: [
      ...verdict.faults,
      ...failed.map(
        ({ call, status, code = 'no code' }) =>
          `${call} failed with ${status ?? 'no answer'}, ${code}`,
      ),
    ],
  };
}
