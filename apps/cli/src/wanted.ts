import { isUuid } from '@clinic/service/server/ids.ts';
import { CommandRefused } from './command.ts';
import type { Given } from './given.ts';

const MOST = 1_000;

/** How many rows were asked for. */
export function wantedCount(given: Given, usual: number): number {
  const typed = given.text('limit');
  if (typed === null) return usual;
  const count = Number(typed);
  if (!Number.isInteger(count) || count < 1 || count > MOST)
    throw new CommandRefused(`--limit must be a number from 1 to ${MOST}.`);
  return count;
}

export const LIMIT_OPTION = {
  limit: { kind: 'text', what: `How many at most; up to ${MOST}.` },
} as const;

/** An id as the lists show it. */
export function wantedId(given: Given, what: string): string {
  const id = given.argument('id');
  if (!isUuid(id)) throw new CommandRefused(`'${id}' is no id of a ${what}.`);
  return id;
}

/** '1 appointment', '2 appointments'. */
export const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'}`;
