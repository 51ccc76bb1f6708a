import { type CallResult, createClient } from '@clinic/contract/client';

import type { Slot } from '../history.ts';
import { pause } from './patient.ts';

const nameOf = (provider: string, start: number) => `${provider} ${start}`;

/** While the service is busy: far more than are needed. */
const TRIES_AT_MOST = 100;

/** Reads days of the grid as a patient sees it: every slot, and which of them are taken. */
async function readGrid(base: string, token: string, from: string, to: string) {
  const client = createClient({ base, fetch, headers: () => ({ 'x-access-token': token }) });
  const ask = () => client('doctorSchedule', { query: { from, to, id: '-1' } });
  let result = await ask();
  for (let tries = 1; tries < TRIES_AT_MOST && isBusy(result); tries += 1) {
    await pause(100);
    result = await ask();
  }
  if (result.kind !== 'answer') throw new Error(`The grid did not come: ${JSON.stringify(result)}`);
  const days = result.answer.extras;
  const slots = days.flatMap(({ date, providers }) =>
    providers.flatMap(({ doctor, schedule }) =>
      schedule.map(({ start, end }): Slot => ({ provider: doctor, start, end, date })),
    ),
  );
  const taken = new Set(
    days.flatMap(({ providers }) =>
      providers.flatMap(({ booked }) => booked.map(({ doctor, start }) => nameOf(doctor, start))),
    ),
  );
  return { slots, taken };
}

const isBusy = (result: CallResult<'doctorSchedule'>) =>
  result.kind === 'refusal' && result.status === 503;

/** All slots of a span of clinic days. */
export async function allSlots(base: string, token: string, from: string, to: string) {
  return (await readGrid(base, token, from, to)).slots;
}

/** Those of the given slots, all on one day, that the grid shows free, in their order. */
export async function freeSlots(base: string, token: string, slots: readonly Slot[]) {
  const day = slots[0]?.date ?? '';
  const { taken } = await readGrid(base, token, day, slots.at(-1)?.date ?? day);
  return slots.filter(({ provider, start }) => !taken.has(nameOf(provider, start)));
}
