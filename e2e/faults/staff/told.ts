import type { Client } from 'pg';

import type { SaidOfMail } from '../../../apps/service/testing/on-oscar.ts';
import type { AppointmentRow, FakeOscar } from '@clinic/oscar/fake';

import type { Cluster } from '../clinic/cluster.ts';
import { type OwnRow, samePlace } from './judge.ts';
import { appointmentIn, isLive, standingBy } from './book.ts';
import type { Time } from './pace.ts';

/** Whether patients hear in time of what staff did to their appointments, and nothing waits or stands in vain. */
export interface Told {
  /** The services run. */
  begin(): void;
  /** Staff have touched it, just now. */
  touched(appointmentId: string): void;
  /** While the EMR does not answer as it should, nobody can be told. */
  answers(does: boolean): void;
  /** A process was killed at that second: what it was about to send is sent by another one once its lease is over. */
  killed(now: number): void;
  hears(mail: SaidOfMail['mail']): void;
  /** What staff deleted, and the desk's list has. */
  readonly atDesk: ReadonlySet<string>;
  /** The desk has decided, or has not in time. */
  decided(appointmentId: string, is: 'kept' | 'ended'): void;
  /** What the desk keeps, though OSCAR lacks it. */
  readonly kept: ReadonlySet<string>;
  /** How many syncs OSCAR has answered. */
  readonly turns: () => number;
  /** Resolves when everybody was told, or was not in time, but for those whom the clinic is confirming, and nothing is in vain. */
  all(): Promise<void>;
  readonly faults: readonly string[];
  /** Milliseconds from the deed until our tables had it, until the email, and until the desk's list had what was deleted. */
  readonly took: Readonly<Record<'tables' | 'emails' | 'lists', readonly number[]>>;
  stop(): Promise<void>;
}

export interface ToldOptions {
  readonly cluster: () => Cluster;
  readonly book: FakeOscar;
  readonly time: Time;
  /** Appointments of ours whose write was sent, and rows that are of staff's making. */
  readonly sent: ReadonlySet<string>;
  readonly byStaff: () => ReadonlySet<number>;
}

/** A moment of the run's time, and how many syncs had been answered by then. */
interface Moment {
  readonly ms: number;
  readonly turns: number;
}

interface Deed {
  /** Of the last thing that staff did to it, or of the booking where that came later. */
  at: Moment;
  isHeld: boolean;
  /** Since when our tables have it. */
  tables: Moment | null;
  /** It was deleted, and is to end: nobody asks the desk any more. */
  readonly isToEnd: boolean;
}

/** what staff do reaches the patient within a minute. */
export const BOUND_SECONDS = 60;
/** Of an email that a process which died had in its hands. */
const LEASE_SECONDS = 30;
/** two looks of a minute have missed what staff deleted. */
const LISTED_SECONDS = 120;
/** What ends by itself: a hold that waits for what was not sent, and a row of what was given up. */
const VAIN_SECONDS = 30;
/** Where a machine is slow so are syncs: none of these is over before as many were answered as belong into it. */
const TURN_SECONDS = 20;
/** As many syncs after the one that brought a change are over before its email is missed. */
const MAILED_TURNS = 1;
const LOOK_EVERY_SECONDS = 1;
/** Of how many looks one is at what stands in vain. */
const VAIN_EACH = 5;

const NEVER: Moment = { ms: -Infinity, turns: -Infinity };
const AWAY: Moment = { ms: Infinity, turns: Infinity };
const later = (one: Moment, other: Moment) => (one.ms > other.ms ? one : other);

export function openTold({ cluster, book, time, sent, byStaff }: ToldOptions): Told {
  const pending = new Map<string, Deed>();
  const mails = new Set<string>();
  const atDesk = new Set<string>();
  const kept = new Set<string>();
  const faults: string[] = [];
  const took = { tables: [] as number[], emails: [] as number[], lists: [] as number[] };
  const over = new AbortController();
  const begun = Promise.withResolvers<void>();
  let calm: Moment = NEVER;
  let killed: Moment = NEVER;
  let looks = 0;
  let turns = 0;
  let answeredAt: number | null = null;

  const now = (): Moment => ({ ms: time.pace.steady, turns });
  const msSince = (since: Moment) => Math.max(0, time.pace.steady - since.ms);
  const isOver = (since: Moment, seconds: number) =>
    msSince(since) > seconds * 1000 && turns - since.turns > seconds / TURN_SECONDS;
  const deeds = (id: string, isToEnd: boolean) =>
    pending.set(id, { at: now(), isHeld: false, tables: null, isToEnd });

  const rowsOf = async (database: Client, ids: readonly string[]) => {
    const { rows } = await database.query<OwnRow & { readonly listed: boolean }>(
      `select id, state, a.provider_id, a.start_s, end_s, sequence,
              g.listed_at_s is not null and g.kept_at_s is null as listed
         from appointment a left join emr_gone g
              on (g.appointment_id, g.provider_id, g.start_s) = (a.id, a.provider_id, a.start_s)
        where id = any($1::uuid[])`,
      [ids],
    );
    return rows;
  };

  /** Whether an email about it was taken by a process that died, also before staff touched it again. */
  const isInDeadHands = async (database: Client, id: string) => {
    if (isOver(killed, LEASE_SECONDS + BOUND_SECONDS)) return false;
    const { rowCount } = await database.query(
      `select from outbox where done_at_s is null and attempts > 0 and payload->>'appointmentId' = $1`,
      [id],
    );
    return rowCount !== 0;
  };

  /** Each change of an appointment has a number, and so has the email that tells of it. */
  const isMailed = ({ id, state, sequence }: OwnRow) => {
    // Its own patient moved it, or hears in the answer that it is not booked.
    if (state === 'released' || state === 'rescheduled') return true;
    const events = stands(state) ? ['rescheduled', 'notCancelled', 'booked'] : ['cancelled'];
    return events.some((event) => mails.has(`appointment:${event}:${id}:${sequence}`));
  };

  const look = async (database: Client) => {
    const there = standingBy(book);
    for (const row of await rowsOf(database, [...pending.keys(), ...atDesk])) {
      // Its patient has cancelled it meanwhile.
      if (!stands(row.state) && atDesk.delete(row.id)) deeds(row.id, false);
      const deed = pending.get(row.id);
      if (deed === undefined) continue;
      // Nobody was told of it yet.
      deed.isHeld = row.state === 'held';
      if (deed.isHeld) deed.at = now();
      const since = later(deed.at, calm);
      const entry = there.get(row.id);
      if (!agrees(row, entry)) deed.tables = null;
      else {
        deed.tables ??= now();
        if (isMailed(row)) {
          took.tables.push(Math.max(0, deed.tables.ms - since.ms));
          took.emails.push(msSince(since));
          pending.delete(row.id);
          continue;
        }
      }
      const isGone = entry === undefined && stands(row.state) && !deed.isToEnd;
      if (isGone && row.listed) {
        took.lists.push(msSince(since));
        atDesk.add(row.id);
        pending.delete(row.id);
        continue;
      }
      const lease = deed.tables !== null && killed.ms >= deed.at.ms ? LEASE_SECONDS : 0;
      const allowed = isGone ? LISTED_SECONDS : BOUND_SECONDS + lease;
      if (!isOver(since, allowed)) continue;
      // Where syncs are so slow that the bound ends with this one, its emails are still on their way.
      const isOnItsWay = deed.tables !== null && turns - deed.tables.turns <= MAILED_TURNS;
      if (isOnItsWay) continue;
      if (deed.tables !== null && (await isInDeadHands(database, row.id))) continue;
      const what = isGone
        ? 'The desk does not hear'
        : deed.tables === null
          ? 'Our tables do not have'
          : 'No email tells';
      const place = entry ? `row ${entry.id} on ${entry.date}, ${entry.status}` : 'none';
      faults.push(
        `${what} what staff did to ${row.id} (${row.state}, there ${place}) after ${allowed} s and ${turns - since.turns} syncs`,
      );
      pending.delete(row.id);
    }
  };

  // Of what a process that was killed had begun to send, nobody knows that it was not sent.
  let killedUntil = 0;
  /** What must end soon, since when. */
  let vain = new Map<string, Moment>();
  const lookAtVain = async (database: Client) => {
    if (calm === AWAY) return vain.clear();
    const live = book.memory.appointments.filter((row) => isLive(row) && !byStaff().has(row.id));
    const ids = live.flatMap((row) => appointmentIn(row) ?? []);
    const { rows } = await database.query<{ id: string; state: string }>(
      `select id, state from appointment
        where (state = 'held' and confirming and (emr_unsent_until_s is not null or changed_at_s > $2))
           or (state = 'released' and id = any($1::uuid[]))`,
      [ids, killedUntil],
    );
    const found = rows.filter(({ id, state }) => state === 'released' || !sent.has(id));
    vain = new Map(found.map(({ id }) => [id, vain.get(id) ?? now()]));
    for (const { id, state } of found) {
      const since = vain.get(id);
      if (since === undefined || !isOver(since, VAIN_SECONDS)) continue;
      const what = state === 'held' ? 'waits for what was not sent' : 'was given up and stands';
      faults.push(`${id} ${what} after ${VAIN_SECONDS} s`);
      vain.set(id, AWAY);
    }
  };

  const looking = (async () => {
    await begun.promise;
    while (!over.signal.aborted) {
      looks += 1;
      await cluster().ask(async (database) => {
        const last = await readTurn(database);
        if (last !== answeredAt) turns += 1;
        answeredAt = last;
        await look(database);
        if (looks % VAIN_EACH === 0) await lookAtVain(database);
      });
      await time.passes(LOOK_EVERY_SECONDS);
    }
  })();

  return {
    faults,
    took,
    turns: () => turns,
    begin: () => begun.resolve(),
    touched: (id) => deeds(id, false),
    atDesk,
    kept,
    decided(id, is) {
      atDesk.delete(id);
      if (is === 'kept') kept.add(id);
      else deeds(id, true);
    },
    answers(does) {
      calm = does ? now() : AWAY;
    },
    killed(at) {
      killed = now();
      killedUntil = at + 1;
    },
    hears({ key }) {
      mails.add(key);
    },
    async all() {
      await cluster().ask(lookAtVain);
      const isOpen = () =>
        [...pending.values()].some(({ isHeld }) => !isHeld) ||
        [...vain.values()].some((since) => since !== AWAY);
      while (isOpen()) await time.passes(LOOK_EVERY_SECONDS);
    },
    stop: async () => {
      over.abort();
      begun.resolve();
      await looking;
    },
  };
}

/** When OSCAR last answered a sync; null before the first. */
export async function readTurn(database: Client): Promise<number | null> {
  const { rows } = await database.query<{ at: number | null }>(
    `select (value::jsonb->'answeredAt')::int as at from installation where key = 'emr-sync'`,
  );
  return rows[0]?.at ?? null;
}

const stands = (state: string) => state === 'booked' || state === 'registered';

const agrees = (row: OwnRow, there: AppointmentRow | undefined): boolean =>
  row.state !== 'held' &&
  (there === undefined ? !stands(row.state) : !stands(row.state) || samePlace(row, there));
