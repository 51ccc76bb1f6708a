import type { Chance } from '../chance.ts';
import type { Cluster } from '../clinic/cluster.ts';
import { openRecord } from '../clinic/record.ts';
import { type PatientAccount, patientOf, pause } from '../clinic/patient.ts';
import { runWorkload } from '../clinic/workload.ts';
import type { Slot } from '../history.ts';
import { allNemeses } from '../nemesis/nemeses.ts';
import { unleash } from '../nemesis/unleash.ts';
import type { Finding } from '../report.ts';

export interface StormOptions {
  readonly accounts: readonly PatientAccount[];
  readonly slots: readonly Slot[];
  readonly seconds: number;
  /** Seconds between two kills of one service, at most. */
  readonly longestWait: number;
  readonly chance: Chance;
}

const OPERATIONS_AT_LEAST = 1000;
const KILLS_AT_LEAST = 10;
/** A slow machine takes its time until there were enough of both; only a clinic that hangs takes longer. */
const AT_LONGEST_MS = 600_000;

/** Everything goes wrong at once while patients book, and nobody is booked twice or forgotten. */
export async function storm(cluster: Cluster, options: StormOptions): Promise<Finding> {
  const { accounts, slots, seconds, longestWait, chance } = options;
  const record = openRecord(cluster, accounts);
  const { bases } = cluster;
  const patients = accounts.map((account) =>
    patientOf({ account, bases, history: record.history, chance: chance.fork(account.id) }),
  );

  const unleashed = unleash(allNemeses(longestWait), cluster, chance.fork('nemeses'));
  const kills = () => unleashed.strikes.get('kill -9') ?? 0;
  const ends = performance.now() + seconds * 1000;
  const enough = () => record.history.count() >= OPERATIONS_AT_LEAST && kills() >= KILLS_AT_LEAST;
  const goesOn = () =>
    performance.now() < ends || (!enough() && performance.now() < ends + AT_LONGEST_MS);

  await runWorkload({ patients, slots, chance: chance.fork('wishes'), goesOn, thinkingMs: 60 });
  await unleashed.stop();
  await cluster.heal();
  await afterwards(() => Promise.all(patients.map((patient) => patient.list())));

  const verdict = await record.judged();
  const short = [
    ...(verdict.operations.length < OPERATIONS_AT_LEAST ? ['Too few operations to say much'] : []),
    ...(kills() < KILLS_AT_LEAST ? [`Only ${kills()} kills`] : []),
  ];
  return {
    title: `Storm of ${seconds} s: two services, ${accounts.length} patients, ${slots.length} slots`,
    lines: [
      [...unleashed.strikes].map(([name, count]) => `${count} × ${name}`).join(', '),
      ...verdict.lines,
    ],
    faults: [...verdict.faults, ...short],
  };
}

/** Everybody looks once more when all is quiet; the services may need a moment to find the database. */
async function afterwards(look: () => Promise<readonly { outcome: string }[]>) {
  for (let tries = 0; tries < 240; tries += 1) {
    const answers = await look();
    if (answers.every(({ outcome }) => outcome === 'ok')) return;
    await pause(250);
  }
  throw new Error('The services did not recover within a minute after the storm');
}
