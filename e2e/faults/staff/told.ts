import type { Client } from 'pg';

import type { SaidOfMail } from '../../../apps/service/testing/on-oscar.ts';
import type { AppointmentRow, FakeOscar } from '@clinic/oscar/fake';

import type { Cluster } from '../clinic/cluster.ts';
import { pause } from '../clinic/patient.ts';
import { type OwnRow, samePlace } from './judge.ts';
import { appointmentIn, isLive, standingBy } from './book.ts';

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
  /** Milliseconds since it began, as all of this counts them. */
  now(): number;
  /** Resolves when everybody was told, or was not in time, but for those whom the clinic is confirming, and nothing is in vain. */
  all(): Promise<void>;
  readonly faults: readonly string[];
  /** Milliseconds from the deed until our tables had it, and until the email. */
  readonly took: { readonly tables: readonly number[]; readonly emails: readonly number[] };
  stop(): Promise<void>;
}

export interface ToldOptions {
  readonly cluster: () => Cluster;
  readonly book: FakeOscar;
  /** Appointments of ours whose write was sent, and rows that are of staff's making. */
  readonly sent: ReadonlySet<string>;
  readonly byStaff: () => ReadonlySet<number>;
  /** Milliseconds within which tables and emails have it. */
  readonly boundMs: number;
  /** Milliseconds more where a process died that may have had the email in its hands. */
  readonly leaseMs: number;
}

interface Deed {
  /** Of the last thing that staff did to it, or of the booking where that came later. */
  at: number;
  isHeld: boolean;
  tablesMs: number | null;
}

const LOOK_EVERY_MS = 100;
/** Of how many looks one is at what stands in vain. */
const VAIN_EACH = 5;

export function openTold({ cluster, book, sent, byStaff, ...bounds }: ToldOptions): Told {
  const { boundMs, leaseMs } = bounds;
  const pending = new Map<string, Deed>();
  const mails = new Set<string>();
  const faults: string[] = [];
  const took = { tables: [] as number[], emails: [] as number[] };
  const over = new AbortController();
  let calmAt = 0;
  let killedAt = -Infinity;
  let looks = 0;
  const begun = Promise.withResolvers<void>();
  /**
   * Time is counted in looks, of which each service is asked for an answer: where a machine has too
   * much to do they come later, and so does all that the services do.
   */
  const now = () => looks * LOOK_EVERY_MS;
  const servicesAnswer = () =>
    Promise.all(
      cluster().services.map(async (service) => {
        const port = service.port();
        if (port === null) return null;
        // One that was just killed does not answer.
        return fetch(`http://127.0.0.1:${port}/healthz`).then(
          (answer) => answer.text(),
          () => null,
        );
      }),
    );

  const rowsOf = (ids: readonly string[]) =>
    cluster().ask(async (database: Client) => {
      const { rows } = await database.query<OwnRow>(
        `select id, state, provider_id, start_s, end_s, sequence from appointment where id = any($1::uuid[])`,
        [ids],
      );
      return rows;
    });

  /** Whether an email about it was taken by a process that died, also before staff touched it again. */
  const isInDeadHands = (id: string) =>
    now() - killedAt <= leaseMs + boundMs &&
    cluster().ask(async (database: Client) => {
      const { rows } = await database.query(
        `select id from outbox where done_at_s is null and attempts > 0 and payload->>'appointmentId' = $1`,
        [id],
      );
      return rows.length > 0;
    });

  /** Each change of an appointment has a number, and so has the email that tells of it. */
  const isMailed = ({ id, state, sequence }: OwnRow) => {
    // Its own patient moved it, or hears in the answer that it is not booked.
    if (state === 'released' || state === 'rescheduled') return true;
    const events = stands(state) ? ['rescheduled', 'notCancelled', 'booked'] : ['cancelled'];
    return events.some((event) => mails.has(`appointment:${event}:${id}:${sequence}`));
  };

  const look = async (at: number) => {
    if (pending.size === 0) return;
    const there = standingBy(book);
    for (const row of await rowsOf([...pending.keys()])) {
      const deed = pending.get(row.id);
      if (deed === undefined) continue;
      // Nobody was told of it yet.
      deed.isHeld = row.state === 'held';
      if (deed.isHeld) deed.at = at;
      const since = Math.max(deed.at, calmAt);
      if (!agrees(row, there.get(row.id))) deed.tablesMs = null;
      else {
        deed.tablesMs ??= Math.max(0, at - since);
        if (isMailed(row)) {
          took.tables.push(deed.tablesMs);
          took.emails.push(Math.max(0, at - since));
          pending.delete(row.id);
          continue;
        }
      }
      const lease = killedAt >= deed.at ? leaseMs : 0;
      const allowed = deed.tablesMs === null ? boundMs : boundMs + lease;
      if (at - since <= allowed) continue;
      if (deed.tablesMs !== null && (await isInDeadHands(row.id))) continue;
      const what = deed.tablesMs === null ? 'Our tables do not have' : 'No email tells';
      const entry = there.get(row.id);
      const stands = entry ? `row ${entry.id} on ${entry.date}, ${entry.status}` : 'none';
      faults.push(
        `${what} what staff did to ${row.id} (${row.state}, there ${stands}) after ${allowed} ms`,
      );
      pending.delete(row.id);
    }
  };

  // What a process that was killed was about to send, nobody knows not to have been sent.
  let killedUntil = 0;
  /** What must end soon, since when: holds that wait for what was not sent, and rows of what was given up. */
  let vain = new Map<string, number>();
  const lookAtVain = async (at: number) => {
    if (calmAt === Infinity) return vain.clear();
    const live = book.memory.appointments.filter((row) => isLive(row) && !byStaff().has(row.id));
    const ids = live.flatMap((row) => appointmentIn(row) ?? []);
    const found = await cluster().ask(async (database: Client) => {
      const { rows } = await database.query<{ id: string; state: string }>(
        `select id, state from appointment
          where (state = 'held' and confirming and changed_at_s > $2)
             or (state = 'released' and id = any($1::uuid[]))`,
        [ids, killedUntil],
      );
      return rows.filter(({ id, state }) => state === 'released' || !sent.has(id));
    });
    vain = new Map(found.map(({ id }) => [id, vain.get(id) ?? at]));
    for (const { id, state } of found) {
      if (at - (vain.get(id) ?? at) <= boundMs) continue;
      const what = state === 'held' ? 'waits for what was not sent' : 'was given up and stands';
      faults.push(`${id} ${what} after ${boundMs} ms`);
      vain.set(id, Infinity);
    }
  };

  const looking = (async () => {
    await begun.promise;
    while (!over.signal.aborted) {
      looks += 1;
      await look(now());
      if (looks % VAIN_EACH === 0) await lookAtVain(now());
      await servicesAnswer();
      await pause(LOOK_EVERY_MS);
    }
  })();

  return {
    faults,
    took,
    now,
    begin: () => begun.resolve(),
    touched(id) {
      pending.set(id, { at: now(), isHeld: false, tablesMs: null });
    },
    answers(does) {
      calmAt = does ? now() : Infinity;
    },
    killed(at) {
      killedAt = now();
      killedUntil = at + 1;
    },
    hears({ key }) {
      mails.add(key);
    },
    async all() {
      await lookAtVain(now());
      const isOpen = () =>
        [...pending.values()].some(({ isHeld }) => !isHeld) ||
        [...vain.values()].some((since) => since < Infinity);
      while (isOpen()) await pause(LOOK_EVERY_MS);
    },
    stop: async () => {
      over.abort();
      begun.resolve();
      await looking;
    },
  };
}

const stands = (state: string) => state === 'booked' || state === 'registered';

const agrees = (row: OwnRow, there: AppointmentRow | undefined): boolean =>
  row.state !== 'held' &&
  (there === undefined ? !stands(row.state) : !stands(row.state) || samePlace(row, there));
