import { randomInt } from 'node:crypto';

import { type FaultArguments, PROOFS, readArguments } from './arguments.ts';
import { patientWaits } from '../../apps/service/testing/patient-waits.ts';
import type { ServiceOnOptions } from '../../apps/service/testing/service-on.ts';
import { type Chance, chanceFrom } from './chance.ts';
import { type Cluster, startCluster, startDurableServer } from './clinic/cluster.ts';
import { type PreparedClinic, prepareClinic } from './clinic/prepare.ts';
import { DEFECTS, type Defect, removeSteps } from './defects.ts';
import { judgePlanted } from './planted/judge-planted.ts';
import { runBroken } from './proofs/broken-servers.ts';
import { crush } from './proofs/crush.ts';
import { lostAnswers } from './proofs/lost-answers.ts';
import { rollingStop } from './proofs/rolling-stop.ts';
import { silence } from './proofs/silence.ts';
import { storm } from './proofs/storm.ts';
import { swap } from './proofs/swap.ts';
import { toldTruth } from './proofs/told-truth.ts';
import { type Finding, print, say } from './report.ts';

const STORMY_PATIENTS = 24;
/** Unless a watch sees the defect before. */
const BROKEN_SECONDS = 12;

const args = readArguments(process.argv.slice(2), randomInt(1_000_000));
say(`Faults with seed ${args.seed} (again with --seed ${args.seed})`);
const findings: Finding[] = [];
const add = (finding: Finding) => {
  print(finding);
  findings.push(finding);
};

const began = performance.now();
if (args.selfTest) add(plantedFinding());
const server = await startDurableServer();
try {
  const clinic = await prepareClinic(server, 500);
  const chance = chanceFrom(args.seed);
  const byName = proofs(args, clinic, chance);
  const run = async (name: string) => {
    const proof = args.proofs.includes(name) ? byName[name] : undefined;
    if (proof !== undefined) add(await proof().catch((error: unknown) => broke(name, error)));
  };
  // One after the other: two cores are few, and a slow start of a service is no fault.
  for (const name of PROOFS) await run(name);
  if (args.selfTest) add(await brokenFinding(clinic, chance).catch(brokeBrokenServers));
} finally {
  await server.stop();
}
const failed = findings.filter(({ faults }) => faults.length > 0).length;
say(`Faults took ${((performance.now() - began) / 1000).toFixed(0)} s`);
say(`${findings.length - failed} passed, ${failed} failed`);
// Timers of nemeses that were still waiting would keep the process.
process.exit(failed === 0 ? 0 : 1);

function proofs(
  { seconds, short }: FaultArguments,
  clinic: PreparedClinic,
  chance: Chance,
): Record<string, () => Promise<Finding>> {
  const { accounts, busySlots, crushedSlots } = clinic;
  const some = accounts.slice(0, STORMY_PATIENTS);
  const [one, other] = accounts;
  const days = new Map(busySlots.map((slot) => [slot.date, slot]));
  const apart = [...days.values()];
  if (one === undefined || other === undefined) throw new Error('Too few patients');
  const on = (proof: (cluster: Cluster) => Promise<Finding>) => () => onCluster(clinic, proof);
  return {
    storm: on((cluster) =>
      storm(cluster, {
        accounts: some,
        slots: busySlots,
        seconds,
        longestWait: short ? 6 : 10,
        chance: chance.fork('storm'),
      }),
    ),
    crush: on((cluster) =>
      crush(cluster, { accounts, slots: crushedSlots, chance: chance.fork('crush') }),
    ),
    swap: on((cluster) =>
      swap(cluster, {
        accounts: [one, other],
        slots: apart.slice(0, 3) as [(typeof apart)[0], (typeof apart)[0], (typeof apart)[0]],
        rounds: 200,
        chance: chance.fork('swap'),
      }),
    ),
    // Whoever waits long on a slow machine has not noticed a stop.
    stop: () =>
      onCluster(
        clinic,
        (cluster) =>
          rollingStop(cluster, {
            accounts: accounts.slice(0, 12),
            slots: busySlots,
            stops: short ? 2 : 4,
            chance: chance.fork('stop'),
          }),
        { waits: patientWaits },
      ),
    lost: on((cluster) =>
      lostAnswers(cluster, { account: one, slots: apart, chance: chance.fork('lost') }),
    ),
    told: on((cluster) =>
      toldTruth(cluster, {
        account: one,
        slots: busySlots,
        rounds: short ? 15 : 60,
        chance: chance.fork('told'),
      }),
    ),
    silence: on((cluster) =>
      silence(cluster, { accounts: some, slots: apart, chance: chance.fork('silence') }),
    ),
  };
}

async function onCluster<T>(
  clinic: PreparedClinic,
  proof: (cluster: Cluster) => Promise<T>,
  services: { readonly defect?: Defect; readonly waits?: ServiceOnOptions['waits'] } = {},
): Promise<T> {
  const databaseUrl = await clinic.copy();
  if (services.defect === 'no cells and no exclusion') await removeSteps(databaseUrl);
  const cluster = await startCluster({
    server: clinic.server,
    databaseUrl,
    ...services,
  });
  try {
    return await proof(cluster);
  } finally {
    await cluster.stop();
  }
}

function broke(title: string, error: unknown): Finding {
  const says = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { title, lines: ['The proof itself broke'], faults: [says] };
}

function brokeBrokenServers(error: unknown): Finding {
  return broke('Broken servers', error);
}

function plantedFinding(): Finding {
  const { rejected, bad, accepted, good, complaints } = judgePlanted();
  return {
    title: 'Planted histories',
    lines: [`${rejected} of ${bad} bad histories rejected`, `${accepted} of ${good} good accepted`],
    faults: complaints,
  };
}

async function brokenFinding(clinic: PreparedClinic, chance: Chance): Promise<Finding> {
  const lines: string[] = [];
  const faults: string[] = [];
  let all = 0;
  for (const defect of DEFECTS) {
    const { caught, operations, noticed, unexpected } = await onCluster(
      clinic,
      (cluster) =>
        runBroken(cluster, {
          defect,
          accounts: clinic.accounts.slice(0, STORMY_PATIENTS),
          slots: clinic.busySlots,
          seconds: BROKEN_SECONDS,
          chance: chance.fork(defect),
        }),
      { defect },
    );
    lines.push(
      `${defect}: ${caught ? 'caught by' : 'MISSED, only'} ${noticed.join(', ') || 'nothing'} in ${operations} operations`,
    );
    if (caught) all += 1;
    else faults.push(`The run did not catch '${defect}'`);
    faults.push(...unexpected);
  }

  return {
    title: 'Broken servers',
    lines: [...lines, `${all} of ${DEFECTS.length} broken servers caught`],
    faults,
  };
}
