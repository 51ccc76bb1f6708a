import { createClient } from '@clinic/contract/client';

import type { Slot } from '../history.ts';

const nameOf = (provider: string, start: number) => `${provider} ${start}`;

/** Reads days of the grid as a patient sees it: every slot, and which of them are taken. */
async function readGrid(base: string, token: string, from: string, to: string) {
  const client = createClient({ base, fetch, headers: () => ({ 'x-access-token': token }) });
  const result = await client('doctorSchedule', { query: { from, to, id: '-1' } });
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
