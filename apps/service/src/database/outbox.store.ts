import { and, eq, inArray, isNull } from 'drizzle-orm';
import { type Clock, type Ids, MailRefused } from '../server/ports.ts';
import { type Database, type Db, type Tx, part, sql, writeLast } from './db.ts';
import type { Log } from '../server/log.ts';
import { outbox } from './schema.ts';

export type OutboxPayload = Readonly<Record<string, unknown>>;

/** Says that a row cannot be done yet though nothing failed: its attempts are counted from zero again. */
export interface PutOff {
  readonly until: number;
}

/**
 * `key` is the same at every try, so that receivers can drop repetitions; `attempts` counts the tries, with
 * this one.
 */
export type OutboxHandler = (
  payload: OutboxPayload,
  key: string,
  attempts: number,
) => Promise<PutOff | void>;

/** The state of the outbox: what waits, and what was given up in the month that rows are kept. */
export interface OutboxStanding {
  /** Emails that are not sent yet. */
  readonly waiting: number;
  /** The waiting emails that were tried before, in vain. */
  readonly triedInVain: number;
  readonly failed: number;
  /** How many requests to the EMR wait. */
  readonly forEmr: number;
  /** The last few rows that failed. `at` is in epoch seconds; the payload names things by id alone. */
  readonly lastFailed: readonly {
    readonly kind: string;
    readonly payload: OutboxPayload;
    readonly at: number;
  }[];
}

type Leased = Pick<typeof outbox.$inferSelect, 'id' | 'kind' | 'payload' | 'attempts' | 'refusals'>;

interface OutboxParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

/** Emails, and requests to the EMR: these take longer, and no email waits for them. */
export type OutboxPart = 'emails' | 'forEmr';
/** How many rows are leased at once. */
const BATCHES: Readonly<Record<OutboxPart, number>> = { emails: 10, forEmr: 3 };
/**
 * The rows of a process that died are free again after this long, the most that an email is late by: longer
 * than one try takes, which for the EMR is several requests. A slow batch prolongs its lease.
 */
const LEASE_SECONDS: Readonly<Record<OutboxPart, number>> = { emails: 30, forEmr: 180 };
const PROLONG_AFTER_SECONDS = 5;
const LONGEST_PAUSE = 60 * 60;

/** 1, 2, 4 … minutes after the first, second, third failure, at most an hour. */
export const pauseAfter = (attempts: number): number =>
  Math.min(60 * 2 ** Math.max(0, attempts - 1), LONGEST_PAUSE);

/** An email that a mail server refused for good is tried 3 times in an hour: the refusal may be a mistake. */
const PAUSES_AFTER_REFUSAL = [20 * 60, 40 * 60];
const LAST_FAILED = 10;

export async function outboxStanding(db: Db): Promise<OutboxStanding> {
  const [standing] = await sql<OutboxStanding>(db)`
    select count(*) filter (where done_at_s is null and not is_for_emr) as waiting,
           count(*) filter (where done_at_s is null and not is_for_emr and attempts > 0) as "triedInVain",
           count(*) filter (where failed) as failed,
           count(*) filter (where done_at_s is null and is_for_emr) as "forEmr",
           (select coalesce(json_agg(failure), '[]')
              from (select kind, payload, done_at_s as at from outbox where failed
                     order by done_at_s desc limit ${LAST_FAILED}) failure) as "lastFailed"
      from (select done_at_s, attempts, failed, kind like '%-emr' as is_for_emr from outbox) all_of_it`;
  if (!standing) throw new Error('A count always has a row');
  return standing;
}

/** How many rows of each kind wait, and by how many seconds the longest due is late. */
export const outboxFigures = (db: Db, now: number) =>
  sql<{ readonly kind: string; readonly waiting: number; readonly lateSeconds: number }>(
    db,
    'outbox-figures',
  )`
    select kind, count(*)::int as waiting,
           greatest(0, ${now}::bigint - min(due_at_s))::int as "lateSeconds"
      from outbox where done_at_s is null group by kind`;

export type Outbox = ReturnType<typeof createOutbox>;

/** Performs what must happen after a commit: each row is tried until it is done or given up. */
export function createOutbox({ database, clock, ids, log }: OutboxParts) {
  const handlers = new Map<string, OutboxHandler>();
  const working = { emails: Promise.resolve(0), forEmr: Promise.resolve(0) };

  /** Leases rows, instead of keeping a transaction open during the requests to other systems. */
  const lease = (which: OutboxPart, now: number) =>
    database.inTransaction(
      (tx) => sql<Leased>(tx, 'outbox-lease')`
        update outbox set due_at_s = ${now + LEASE_SECONDS[which]}, attempts = attempts + 1
         where id in (
                 select id from outbox
                  where done_at_s is null and due_at_s <= ${now}
                    and kind like '%-emr' = ${which === 'forEmr'}
                  order by due_at_s limit ${BATCHES[which]} for update skip locked)
        returning id, kind, payload, attempts, refusals`,
    );

  /** Prolongs the lease, and returns the rows that no other process took meanwhile. */
  async function prolong(which: OutboxPart, ids: Iterable<string>, before: number, now: number) {
    const kept = await database.inTransaction(
      (tx) => sql<Pick<Leased, 'id'>>(tx, 'outbox-prolong')`
        update outbox set due_at_s = ${now + LEASE_SECONDS[which]}
         where id = any(${[...ids]}::uuid[]) and done_at_s is null
           and due_at_s = ${before + LEASE_SECONDS[which]}
        returning id`,
    );
    return new Set(kept.map(({ id }) => id));
  }

  async function attempt(row: Leased): Promise<boolean> {
    const { id, kind, payload, attempts } = row;
    try {
      const handler = handlers.get(kind);
      if (!handler) throw new Error(`Nobody handles the outbox kind '${kind}'`);
      const putOff = await handler(payload, id, attempts);
      if (putOff) await change(id, { dueAt: putOff.until, attempts: 0 });
      return !putOff;
    } catch (error) {
      if (error instanceof MailRefused) await refused(row, error);
      else {
        log.error('outbox-failed', error);
        await change(id, { dueAt: clock.now() + pauseAfter(attempts) });
      }
      return false;
    }
  }

  async function refused({ id, refusals: before }: Leased, error: MailRefused): Promise<void> {
    const now = clock.now();
    const refusals = before + 1;
    const pause = PAUSES_AFTER_REFUSAL[before];
    if (pause !== undefined) {
      log.event('mail-refused');
      return change(id, { refusals, dueAt: now + pause });
    }
    log.error('mail-failed', error);
    return change(id, { refusals, failed: true, doneAt: now });
  }

  async function change(id: string, columns: Partial<typeof outbox.$inferInsert>): Promise<void> {
    await database.inTransaction((tx) =>
      tx
        .update(outbox)
        .set(columns)
        .where(and(eq(outbox.id, id), isNull(outbox.doneAt))),
    );
  }

  async function workOff(which: OutboxPart): Promise<number> {
    let done = 0;
    for (;;) {
      let leasedAt = clock.now();
      const rows = await lease(which, leasedAt);
      if (rows.length === 0) return done;
      let ours = new Set(rows.map(({ id }) => id));
      const finished: string[] = [];
      for (const row of rows) {
        const now = clock.now();
        if (now - leasedAt >= PROLONG_AFTER_SECONDS) {
          ours = await prolong(which, ours, leasedAt, now);
          leasedAt = now;
        }
        if (!ours.has(row.id)) continue;
        if (await attempt(row)) finished.push(row.id);
        else ours.delete(row.id);
      }
      // One commit for the batch: after a crash before it, at most these rows repeat, under their keys.
      await database.inTransaction((tx) =>
        tx.update(outbox).set({ doneAt: clock.now() }).where(inArray(outbox.id, finished)),
      );
      done += finished.length;
    }
  }

  /** Each part has one worker per process at a time; a call during its work starts after that work. */
  function drainPart(which: OutboxPart): Promise<number> {
    const work = () => workOff(which);
    return (working[which] = working[which].then(work, work));
  }

  return {
    /** Writes a row with the transaction; it is done after the commit. `dueAt` is in epoch seconds. */
    async enqueue(tx: Tx, kind: string, payload: OutboxPayload, dueAt: number): Promise<void> {
      writeLast(
        tx,
        'outbox-enqueue',
        part`
          insert into outbox (id, kind, payload, due_at_s)
          values (${ids.uuid()}, ${kind}, ${JSON.stringify(payload)}::text::jsonb, ${dueAt})`,
      );
    },
    /** Each kind has one handler, registered by the module that enqueues it. */
    handle(kind: string, handler: OutboxHandler): void {
      if (handlers.has(kind)) throw new Error(`The outbox kind '${kind}' has a handler already`);
      handlers.set(kind, handler);
    },
    /** Does everything of one part or both that is due now, and returns how many rows were done. */
    async drain(which?: OutboxPart): Promise<number> {
      if (which !== undefined) return drainPart(which);
      const [emails, forEmr] = await Promise.all([drainPart('emails'), drainPart('forEmr')]);
      return emails + forEmr;
    },
  };
}

/** The rows of the outbox and how they stand, as a part for another module's statement. */
export const OUTBOX = part`(select kind, payload, done_at_s, failed from outbox)`;

/** Deletes rows that were done or given up more than 30 days ago. */
export const spentEmails = (now: number) =>
  part`delete from outbox where done_at_s < ${now - 30 * 86_400}`;
