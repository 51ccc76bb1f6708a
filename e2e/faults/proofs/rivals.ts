import type { Chance } from '../chance.ts';
import type { Cluster } from '../clinic/cluster.ts';
import { type PatientAccount, UNHURRIED_MS, patientOf } from '../clinic/patient.ts';
import { openRecord } from '../clinic/record.ts';
import type { Slot } from '../history.ts';
import { type Finding, slowest } from '../report.ts';

export interface RivalsOptions {
  readonly accounts: readonly PatientAccount[];
  /** Times of all lengths, over each other. */
  readonly slots: readonly Slot[];
  readonly rounds: number;
  readonly chance: Chance;
}

/** Rivals hold overlapping times of mixed lengths at once, each at either service, round after round. */
export async function rivals(cluster: Cluster, options: RivalsOptions): Promise<Finding> {
  const { accounts, slots, rounds, chance } = options;
  const record = openRecord(cluster, accounts);
  const { bases } = cluster;
  const patients = accounts.map((account) => {
    const own = chance.fork(account.name);
    const { history } = record;
    return patientOf({ account, bases, history, chance: own, patienceMs: UNHURRIED_MS });
  });
  const wrong: string[] = [];
  let held = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const asked = await Promise.all(
      patients.map(async (patient) => {
        const slot = chance.pick(slots);
        return { patient, slot, ...(await patient.hold(slot)) };
      }),
    );
    const won = asked.filter(({ outcome }) => outcome === 'ok');
    for (const { patient, slot, outcome, code } of asked) {
      if (outcome === 'ok') continue;
      const who = `Round ${round}: ${patient.account.name}`;
      if (code !== 'slotTaken') wrong.push(`${who} was answered with ${code ?? 'nothing'}`);
      if (!won.some((winner) => winner.slot.start < slot.end && slot.start < winner.slot.end))
        wrong.push(`${who} lost a time that nobody has`);
    }
    held += won.length;
    await Promise.all(won.map(({ patient }) => patient.release()));
  }
  const verdict = await record.judged();
  const waits = verdict.operations
    .filter(({ call }) => call === 'hold')
    .map(({ sentAt, answeredAt }) => answeredAt - sentAt);
  return {
    title: `${accounts.length} rivals for overlapping times of mixed lengths, ${rounds} rounds`,
    lines: [
      `${held} held, ${waits.length - held} refused; longest wait ${slowest(waits).toFixed(0)} ms (aim: under 1 s)`,
      ...verdict.lines,
    ],
    faults: [...verdict.faults, ...wrong],
  };
}
