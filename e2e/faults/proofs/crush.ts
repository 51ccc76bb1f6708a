import type { Chance } from '../chance.ts';
import type { Cluster } from '../clinic/cluster.ts';
import { freeSlots } from '../clinic/grid.ts';
import { openRecord } from '../clinic/record.ts';
import {
  type Patient,
  type PatientAccount,
  UNHURRIED_MS,
  insist,
  patientOf,
} from '../clinic/patient.ts';
import type { Slot } from '../history.ts';
import { type Finding, slowest } from '../report.ts';

export interface CrushOptions {
  readonly accounts: readonly PatientAccount[];
  readonly slots: readonly Slot[];
  readonly chance: Chance;
}

/** Everybody wants one of these first: every tenth slot. */
const FAVOURITES = 10;

/** Many patients for few slots at once; whoever loses tries the next slot that the grid shows free. */
export async function crush(cluster: Cluster, options: CrushOptions): Promise<Finding> {
  const { accounts, slots, chance } = options;
  const record = openRecord(cluster, accounts);
  const { bases } = cluster;
  const patients = accounts.map((account) => ({
    patient: patientOf({
      account,
      bases,
      history: record.history,
      chance: chance.fork(account.name),
      patienceMs: UNHURRIED_MS,
    }),
    token: account.token,
    base: chance.pick(bases),
    own: chance.fork(`${account.name} again`),
  }));

  const began = performance.now();
  const booked = await Promise.all(
    patients.map(async ({ patient, token, base, own }, index) => {
      let slot: Slot | undefined = slots[(index % FAVOURITES) * (slots.length / FAVOURITES)];
      while (slot !== undefined) {
        const wanted = slot;
        const wish = `${patient.account.name}-${wanted.start}`;
        const answered = await insist(() => patient.book(wanted, wish), own);
        if (answered.outcome === 'ok') return true;
        if (answered.code !== 'slotTaken') return unexpected(patient, answered.status);
        const free = await freeSlots(base, token, slots);
        slot = free.find(({ start }) => start > (slot?.start ?? 0)) ?? free[0];
      }
      return false;
    }),
  );
  const took = performance.now() - began;

  const verdict = await record.judged();
  const winners = booked.filter((one) => one).length;
  const filled = new Set(verdict.rows.map(({ provider, start }) => `${provider} ${start}`)).size;
  // Whoever is told at once to come again (503) has an answer, though not to what was asked.
  const times = verdict.operations
    .filter(({ status }) => status !== 503)
    .map(({ sentAt, answeredAt }) => answeredAt - sentAt);
  return {
    title: `${accounts.length} patients for ${slots.length} slots at once`,
    lines: [
      `${winners} booked, ${slots.length - filled} idle, ${(took / 1000).toFixed(1)} s in all`,
      `slowest answer ${(slowest(times) / 1000).toFixed(2)} s (aim: under 3 s)`,
      ...verdict.lines,
    ],
    faults: [
      ...verdict.faults,
      ...(winners === slots.length ? [] : [`${winners} patients were told they are booked`]),
      ...(filled === slots.length ? [] : [`${slots.length - filled} slots stay idle`]),
    ],
  };
}

function unexpected(patient: Patient, status: number | undefined): never {
  throw new Error(`${patient.account.name} was answered with ${status ?? 'nothing'}`);
}
