import type { Chance } from '../chance.ts';
import type { Cluster } from '../clinic/cluster.ts';
import { openRecord } from '../clinic/record.ts';
import { type Patient, type PatientAccount, insist, patientOf, pause } from '../clinic/patient.ts';
import type { Answered, Slot } from '../history.ts';
import { cutPatients, killBackends, killService } from '../nemesis/nemeses.ts';
import { unleash } from '../nemesis/unleash.ts';
import type { Finding } from '../report.ts';

export interface SwapOptions {
  readonly accounts: readonly [PatientAccount, PatientAccount];
  /** Two to swap and one to step aside to, on different days. */
  readonly slots: readonly [Slot, Slot, Slot];
  readonly rounds: number;
  readonly chance: Chance;
}

/** Far more than are needed while the other one waits for an answer, however fast each try is. */
const TRIES_AT_MOST = 2_000;

/** Two patients swap slots by rescheduling, over and over, while services die: each keeps one appointment. */
export async function swap(cluster: Cluster, options: SwapOptions): Promise<Finding> {
  const { accounts, slots, rounds, chance } = options;
  const record = openRecord(cluster, accounts, async (database) => {
    const { rows } = await database.query<{ says: string }>(
      `select 'patient ' || patient_id || ' has ' || count(*) || ' appointments while swapping' as says
         from appointment where state = 'booked' group by patient_id having count(*) <> 1`,
    );
    return rows.map(({ says }) => says);
  });
  const { bases } = cluster;
  const [one, other] = accounts.map((account) =>
    mover(patientOf({ account, bases, history: record.history, chance }), chance),
  ) as [Mover, Mover];

  await one.bookFirst(slots[0]);
  await other.bookFirst(slots[1]);
  // Gentle enough that most time goes into moves and not into waiting for somebody to ask.
  const nemeses = [
    killService(0, 80),
    killService(1, 80),
    { ...killBackends, every: [60, 160] as const },
    { ...cutPatients, every: [60, 160] as const },
  ];
  const unleashed = unleash(nemeses, cluster, chance.fork('nemeses'));
  const aside = slots[2];
  const unfinished: string[] = [];
  const began = performance.now();
  for (let round = 1; round <= rounds; round += 1) {
    const [from, to] = round % 2 === 1 ? [slots[0], slots[1]] : [slots[1], slots[0]];
    const done = await Promise.all([
      one.moveTo(aside).then(async (moved) => moved && (await one.moveTo(to))),
      other.moveTo(from),
    ]);
    if (!done.every(Boolean)) {
      const last = [one.lastAnswer(), other.lastAnswer()].map((answer) => JSON.stringify(answer));
      unfinished.push(`Round ${round} of the swap did not come to an end: ${last.join(' and ')}`);
      break;
    }
  }
  const took = performance.now() - began;
  await unleashed.stop();
  await cluster.heal();

  const verdict = await record.judged();
  const standing = verdict.rows.filter(({ state }) => state === 'booked');
  const whole = accounts.every(
    ({ name }) => standing.filter(({ patient }) => patient === name).length === 1,
  );
  return {
    title: `Two patients swap slots ${rounds} times under fire`,
    lines: [
      [...unleashed.strikes].map(([name, count]) => `${count} × ${name}`).join(', '),
      `${standing.length} visits stand at the end; ${(took / 1000).toFixed(1)} s`,
      ...verdict.lines,
    ],
    faults: [...verdict.faults, ...unfinished, ...(whole ? [] : ['A visit was lost or doubled'])],
  };
}

interface Mover {
  readonly bookFirst: (slot: Slot) => Promise<void>;
  /** True once the appointment has moved; a slot that the other has not left yet is tried again. */
  readonly moveTo: (slot: Slot) => Promise<boolean>;
  readonly lastAnswer: () => Answered | null;
}

function mover(patient: Patient, chance: Chance): Mover {
  let appointment = '';
  let wishes = 0;
  let last: Answered | null = null;
  const key = () => `${patient.account.name}-swap-${(wishes += 1)}`;
  const settled = async (ask: () => Promise<Answered>) => insist(ask, chance, TRIES_AT_MOST);
  return {
    lastAnswer: () => last,
    bookFirst: async (slot) => {
      const wish = key();
      appointment = (await settled(() => patient.book(slot, wish))).row ?? '';
    },
    moveTo: async (slot) => {
      for (let tries = 0; tries < TRIES_AT_MOST; tries += 1) {
        const wish = key();
        const answered = await settled(() => patient.move(appointment, slot, wish));
        last = answered;
        if (answered.outcome === 'ok' && answered.row !== undefined) {
          appointment = answered.row;
          return true;
        }
        if (answered.code !== 'slotTaken') return false;
        await pause(chance.between(2, 20));
      }
      return false;
    },
  };
}
