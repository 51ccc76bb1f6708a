import type { Chance } from '../chance.ts';
import type { Cluster } from '../clinic/cluster.ts';
import { ownList } from '../checkers/own-list.ts';
import { openRecord } from '../clinic/record.ts';
import { type PatientAccount, patientOf } from '../clinic/patient.ts';
import { runWorkload } from '../clinic/workload.ts';
import { type Defect, LOOKS } from '../defects.ts';
import type { Slot } from '../history.ts';
import { killBackends, killService } from '../nemesis/nemeses.ts';
import { unleash } from '../nemesis/unleash.ts';

/** The checkers that a defect must wake; any of them counts. */
export const woken: Record<Defect, readonly string[]> = {
  'no steps and no exclusion': ['I1', 'no overlap', 'slot register'],
  'no lock on the patient': ['I7', 'limits'],
  'acknowledged before commit': ['own list', 'acknowledged stands'],
  'moved in two transactions': ['R-50', 'moves are whole'],
};

export interface BrokenServerOptions {
  readonly defect: Defect;
  readonly accounts: readonly PatientAccount[];
  readonly slots: readonly Slot[];
  readonly chance: Chance;
}

/** Far more than are needed: a defect is seen while it happens, by the watch or in the lists of patients. */
const OPERATIONS_AT_MOST = 12_000;
const LOOK_EVERY_MS = 500;

export interface Caught {
  readonly caught: boolean;
  readonly operations: number;
  /** The checkers that found something. */
  readonly noticed: readonly string[];
  /** Services that ended although nobody killed them, with their last words. */
  readonly unexpected: readonly string[];
}

/** Runs the ordinary workload on a broken server and tells which checkers noticed. */
export async function runBroken(cluster: Cluster, options: BrokenServerOptions): Promise<Caught> {
  const { defect, accounts, slots, chance } = options;
  await cluster.ask((database) => database.query(`create sequence ${LOOKS}`));
  const record = openRecord(cluster, accounts, async (database) => {
    await database.query(`select nextval('${LOOKS}')`);
    return [];
  });
  const { bases } = cluster;
  const patients = accounts.map((account) =>
    patientOf({ account, bases, history: record.history, chance: chance.fork(account.name) }),
  );
  const nemeses = [killService(0, 80), killService(1, 80), killBackends];
  const unleashed = unleash(nemeses, cluster, chance.fork('nemeses'));
  const isSeen = () =>
    [...record.watch.violations].some((says) => woken[defect].includes(says.split(' ')[0] ?? '')) ||
    (woken[defect].includes(ownList.name) &&
      ownList.check({ operations: record.soFar(), rows: [], onceADay: new Set() }).length > 0);
  let seen = false;
  const looking = setInterval(() => (seen ||= isSeen()), LOOK_EVERY_MS);
  const goesOn = () => !seen && record.history.count() < OPERATIONS_AT_MOST;
  await runWorkload({ patients, slots, chance: chance.fork('wishes'), goesOn, thinkingMs: 40 });
  clearInterval(looking);
  await unleashed.stop();
  await cluster.heal();

  const { anomalies, operations } = await record.judged();
  const noticed = [...new Set(anomalies.map(({ checker }) => checker))];
  const caught = noticed.some((name) => woken[defect].includes(name));
  const unexpected = cluster.services.flatMap(({ ownEnds }) => ownEnds);
  return { caught, operations: operations.length, noticed, unexpected };
}
