import type { Chance } from '../chance.ts';
import type { Cluster } from '../clinic/cluster.ts';
import { openRecord } from '../clinic/record.ts';
import { type PatientAccount, insist, patientOf } from '../clinic/patient.ts';
import { runWorkload } from '../clinic/workload.ts';
import type { Slot } from '../history.ts';
import { allNemeses } from '../nemesis/nemeses.ts';
import { unleash } from '../nemesis/unleash.ts';
import type { Finding } from '../report.ts';

export interface StormOptions {
  readonly accounts: readonly PatientAccount[];
  readonly slots: readonly Slot[];
  /** It lasts until patients have asked so often and services were killed so often, and each fault struck. */
  readonly operations: number;
  readonly kills: number;
  readonly chance: Chance;
}

/** Everything goes wrong at once while patients book, and nobody is booked twice or forgotten. */
export async function storm(cluster: Cluster, options: StormOptions): Promise<Finding> {
  const { accounts, slots, operations, kills, chance } = options;
  const record = openRecord(cluster, accounts);
  const { bases } = cluster;
  const patients = accounts.map((account) =>
    patientOf({ account, bases, history: record.history, chance: chance.fork(account.name) }),
  );

  const unleashed = unleash(allNemeses, cluster, chance.fork('nemeses'));
  const struck = (name: string) => unleashed.strikes.get(name) ?? 0;
  const goesOn = () =>
    record.history.count() < operations ||
    struck('kill -9') < kills ||
    allNemeses.some(({ name }) => struck(name) === 0);

  await runWorkload({ patients, slots, chance: chance.fork('wishes'), goesOn, thinkingMs: 60 });
  await unleashed.stop();
  await cluster.heal();
  // Everybody looks once more when all is quiet; the services may need a moment to find the database.
  await Promise.all(patients.map((patient) => insist(() => patient.list(), chance)));

  const verdict = await record.judged();
  return {
    title: `Storm: two services, ${accounts.length} patients, ${slots.length} slots`,
    lines: [
      [...unleashed.strikes].map(([name, count]) => `${count} × ${name}`).join(', '),
      ...verdict.lines,
    ],
    faults: verdict.faults,
  };
}
