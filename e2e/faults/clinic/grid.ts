import { type CallResult, createClient } from '@clinic/contract/client';

import type { Slot } from '../history.ts';
import { pause } from './patient.ts';

const nameOf = ({ provider, start, end }: Slot) => `${provider} ${start} ${end}`;

/** What the patient may choose of a type, over a span of clinic days. */
export async function slotsOf(
  base: string,
  token: string,
  type: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<Slot[]> {
  const client = createClient({ base, fetch, headers: () => ({ 'x-access-token': token }) });
  const ask = () => client('doctorSchedule', { query: { from, to, id: '-1', type } });
  let result = await ask();
  while (isBusy(result)) {
    await pause(100);
    result = await ask();
  }
  if (result.kind !== 'answer') throw new Error(`The grid did not come: ${JSON.stringify(result)}`);
  return result.answer.extras.flatMap(({ date, providers }) =>
    providers.flatMap(({ doctor, schedule }) =>
      schedule.map(({ start, end }): Slot => ({ type, provider: doctor, start, end, date })),
    ),
  );
}

const isBusy = (result: CallResult<'doctorSchedule'>) =>
  result.kind === 'unreachable' || (result.kind === 'refusal' && result.status === 503);

/** Those of the given slots, all of one type and day, that the grid shows free, in their order. */
export async function freeSlots(base: string, token: string, slots: readonly Slot[]) {
  const [first] = slots;
  if (first === undefined) return [];
  const day = { from: first.date, to: first.date };
  const free = new Set((await slotsOf(base, token, first.type, day)).map(nameOf));
  return slots.filter((slot) => free.has(nameOf(slot)));
}
