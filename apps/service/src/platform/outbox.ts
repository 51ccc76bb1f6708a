import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Database, Tx } from './db.ts';
import type { Log } from './log.ts';
import { outbox } from './schema.ts';
import { type Statement, run } from './statement.ts';

export type OutboxPayload = Readonly<Record<string, unknown>>;

/** `key` is the same at every try, so that what is done twice counts once. */
export type OutboxHandler = (payload: OutboxPayload, key: string) => Promise<void>;

/** What must happen after a commit, once and at last. */
export interface Outbox {
  /** Written with the transaction; done after it. `dueAt` in epoch seconds. */
  enqueue(tx: Tx, kind: string, payload: OutboxPayload, dueAt: number): Promise<void>;
  /** Each kind has one handler, registered by the module that enqueues it. */
  handle(kind: string, handler: OutboxHandler): void;
  start(): void;
  stop(): Promise<void>;
  /** Does everything that is due now, and gives how many rows were done. */
  drain(): Promise<number>;
}

type Leased = Pick<typeof outbox.$inferSelect, 'id' | 'kind' | 'payload' | 'attempts'>;

const enqueueRow: Statement = {
  name: 'outbox-enqueue',
  text: `insert into outbox (id, kind, payload, due_at_s) values ($1, $2, $3::text::jsonb, $4)`,
};

export interface OutboxParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

const POLL_MS = 1_000;
const BATCH = 10;
/** A worker that died gives its rows back after this long: longer than a batch of stalled mails. */
const LEASE_SECONDS = 180;
const LONGEST_PAUSE = 60 * 60;

/** 1, 2, 4 … minutes after the first, second, third failure, at most an hour. */
export const pauseAfter = (attempts: number): number =>
  Math.min(60 * 2 ** Math.max(0, attempts - 1), LONGEST_PAUSE);

export function createOutbox({ database, clock, ids, log }: OutboxParts): Outbox {
  const handlers = new Map<string, OutboxHandler>();
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<number> = Promise.resolve(0);
  let stopped = true;

  /** Leases rows instead of keeping a transaction open while the outside world is asked. */
  async function lease(now: number) {
    return database.inTransaction((tx) =>
      tx
        .update(outbox)
        .set({ dueAt: now + LEASE_SECONDS, attempts: sql`${outbox.attempts} + 1` })
        .where(
          sql`${outbox.id} in (
            select id from outbox where done_at_s is null and due_at_s <= ${now}
            order by due_at_s limit ${BATCH} for update skip locked)`,
        )
        .returning({
          id: outbox.id,
          kind: outbox.kind,
          payload: outbox.payload,
          attempts: outbox.attempts,
        }),
    );
  }

  async function attempt({ id, kind, payload, attempts }: Leased): Promise<boolean> {
    try {
      const handler = handlers.get(kind);
      if (!handler) throw new Error(`Nobody handles the outbox kind '${kind}'`);
      await handler(payload, id);
      return true;
    } catch (error) {
      log.trouble('outbox-failed', error);
      const dueAt = clock.now() + pauseAfter(attempts);
      await database.inTransaction((tx) =>
        tx
          .update(outbox)
          .set({ dueAt })
          .where(and(eq(outbox.id, id), isNull(outbox.doneAt))),
      );
      return false;
    }
  }

  async function workOff(): Promise<number> {
    let done = 0;
    for (;;) {
      const rows = await lease(clock.now());
      if (rows.length === 0) return done;
      const finished: string[] = [];
      for (const row of rows) if (await attempt(row)) finished.push(row.id);
      // One commit for the batch: a crash before it repeats at most these, under their keys.
      await database.inTransaction((tx) =>
        tx.update(outbox).set({ doneAt: clock.now() }).where(inArray(outbox.id, finished)),
      );
      done += finished.length;
    }
  }

  /** One worker per process at a time; a call during work starts when that work is over. */
  function drain(): Promise<number> {
    working = working.then(workOff, workOff);
    return working;
  }

  function poll() {
    timer = setTimeout(() => {
      drain()
        .catch((error: unknown) => log.trouble('outbox-stopped', error))
        .finally(() => {
          if (!stopped) poll();
        });
    }, POLL_MS);
    timer.unref();
  }

  return {
    async enqueue(tx, kind, payload, dueAt) {
      await run(tx, enqueueRow, [ids.uuid(), kind, JSON.stringify(payload), dueAt]);
    },
    handle(kind, handler) {
      if (handlers.has(kind)) throw new Error(`The outbox kind '${kind}' has a handler already`);
      handlers.set(kind, handler);
    },
    start() {
      if (!stopped) return;
      stopped = false;
      poll();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await working.catch(() => 0);
    },
    drain,
  };
}
