import type { Client } from 'pg';

import type { SyncState } from '../../../apps/service/testing/on-oscar.ts';
import { violations } from '../../../apps/service/testing/invariants.ts';
import { toInstant } from '@clinic/domain';
import type { AppointmentRow, FakeOscar } from '@clinic/oscar/fake';

import type { Cluster } from '../clinic/cluster.ts';
import { appointmentIn, isExpected, isLive, overlap, siteOf, standingBy } from './book.ts';
import type { Time } from './pace.ts';
import type { Reception } from './reception.ts';

/** How often it is asked whether all is quiet: of what never ends alone more often. */
const LOOKS_AT_MOST = 1_000;

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
  { now, kept }: { readonly now: number; readonly kept: ReadonlySet<string> },
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
    if (entry === undefined) {
      if (!kept.has(id)) faults.push(`called booked: ${id}, which OSCAR lacks`);
    } else if (!samePlace(row, entry))
      faults.push(`called booked: ${id}, which OSCAR has elsewhere`);
  }
  for (const row of live) {
    const id = appointmentIn(row);
    if (id === null || reception.byStaff.has(row.id)) continue;
    const state = own.find((each) => each.id === id)?.state;
    // Whom staff received at the time from which the patient has just moved, they keep there.
    const isKept = state === 'rescheduled' && !isExpected(row);
    if (!booked.has(id) && !isKept)
      faults.push(`left in OSCAR: row ${row.id} of ${id}, which is ${state}`);
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

/** What we wrote and staff did not put elsewhere, and is not of its doctor's site: the day sheet there leaves it out. */
export const ofNoSite = (book: FakeOscar, reception: Reception): string[] =>
  book.memory.appointments
    .filter(
      (row) =>
        appointmentIn(row) !== null &&
        !reception.byStaff.has(row.id) &&
        reception.placedAt(row) === row.id &&
        row.location !== siteOf(row.providerNo),
    )
    .map(
      ({ id, providerNo, location }) => `row ${id} of ${providerNo} is of the site '${location}'`,
    );

/** What is under way, and how far the sync has come. */
interface Left {
  readonly appointments: number;
  readonly outbox: number;
  readonly payments: number;
  readonly turn: SyncState;
}

/**
 * Until nothing is held, sent, paid or cancelled any more, and all days of OSCAR were read since; null
 * then, or what is left when it was asked often enough.
 */
export async function untilQuiet(cluster: Cluster, time: Time): Promise<string | null> {
  const movedOnAt = time.now();
  for (let looks = 1; ; looks += 1) {
    const [left] = await cluster.ask(async (database) => {
      const { rows } = await database.query<Left>(
        `select (select count(*)::int from appointment
                  where state = 'held' or cancel_asked_at_s is not null) as appointments,
                (select count(*)::int from outbox where done_at_s is null) as outbox,
                (select count(*)::int from payment
                  where state in ('created', 'requires_action', 'declined', 'cancelling',
                                  'capturing', 'capture_failed', 'refund_pending')) as payments,
                (select value::jsonb from installation where key = 'emr-sync') as turn`,
      );
      return rows;
    });
    if (left !== undefined && isQuiet(left, movedOnAt)) return null;
    if (looks === LOOKS_AT_MOST) return JSON.stringify({ movedOnAt, ...left });
    await time.passes(1);
  }
}

const isQuiet = ({ appointments, outbox, payments, turn }: Left, movedOnAt: number): boolean =>
  appointments + outbox + payments === 0 &&
  turn.wholeAt >= movedOnAt &&
  turn.reread.length === 0 &&
  turn.cancelled.length === 0;
