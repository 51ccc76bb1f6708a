import type { Client } from 'pg';

import { violations } from '../../../apps/service/testing/invariants.ts';
import { toInstant } from '@clinic/domain';
import type { AppointmentRow, FakeOscar } from '@clinic/oscar/fake';

import { appointmentIn, isLive, overlap, standingBy } from './book.ts';
import type { Reception } from './reception.ts';

/** An appointment as our tables have it. */
export interface OwnRow {
  readonly id: string;
  readonly state: string;
  readonly provider_id: string;
  readonly start_s: string;
  readonly end_s: string;
  readonly sequence: number;
}

export const readOwn = async (database: Client): Promise<readonly OwnRow[]> => {
  const { rows } = await database.query<OwnRow>(
    'select id, state, provider_id, start_s, end_s, sequence from appointment',
  );
  return rows;
};

/** Rows of OSCAR end with their last minute or second; of ours the end is exclusive. */
const spanOf = ({ date, start, end }: AppointmentRow) => ({
  from: toInstant(date, clockOf(Math.floor(start / 60))),
  to: toInstant(date, clockOf(Math.floor(end / 60) + 1)),
});
const clockOf = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Whether our tables have it where OSCAR does. */
export function samePlace(own: OwnRow, there: AppointmentRow): boolean {
  const { from, to } = spanOf(there);
  return (
    own.provider_id === there.providerNo && Number(own.start_s) === from && Number(own.end_s) === to
  );
}

/** What our tables and OSCAR have when all is quiet, and where they part. */
export async function judge(
  database: Client,
  book: FakeOscar,
  reception: Reception,
  now: number,
): Promise<string[]> {
  const there = standingBy(book);
  const own = await readOwn(database);
  const booked = new Map(
    own
      .filter(({ state }) => state === 'booked' || state === 'registered')
      .map((row) => [row.id, row]),
  );
  const live = book.memory.appointments.filter(isLive);
  const faults = own
    .filter(({ state }) => state === 'held')
    .map(({ id }) => `not quiet: ${id} is still held`);
  for (const [id, row] of booked) {
    const entry = there.get(id);
    if (entry === undefined) faults.push(`called booked: ${id}, which OSCAR lacks`);
    else if (!samePlace(row, entry)) faults.push(`called booked: ${id}, which OSCAR has elsewhere`);
  }
  for (const row of live) {
    const id = appointmentIn(row);
    if (id === null || reception.byStaff.has(row.id)) continue;
    if (!booked.has(id)) faults.push(`left in OSCAR: row ${row.id} of ${id}, which is not booked`);
    if (there.get(id) !== row)
      faults.push(`written twice: ${id} stands in row ${row.id} beside row ${there.get(id)?.id}`);
    // Whoever was moved by staff stands where they put it, and whom they received in spite of another stays.
    if (reception.placedAt(row) !== row.id || reception.receivedBeside.has(row.id)) continue;
    for (const other of live)
      if (other !== row && overlap(row, other) && reception.placedAt(other) < row.id)
        faults.push(
          `our write came second: row ${row.id} (${row.status}) of ${id} over row ${other.id} (${other.status})`,
        );
  }
  return [...faults, ...(await violations({ $client: database }, now))];
}
