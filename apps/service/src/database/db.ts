import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { type CommitBus, commitsOver } from './commits.ts';
import { sqlStateOf, failureOf } from './sqlstate.ts';

interface Rows<Row> {
  readonly rows: Row[];
}

interface RowsHKT extends PgQueryResultHKT {
  readonly type: Rows<this['row']>;
}

/** Sends a statement under a name, which the server parses and plans once per connection. */
export type Ask = <Row>(name: string, text: string, values: readonly unknown[]) => Promise<Row[]>;

/** Reads. Writes belong into a transaction. */
export type Db = PgDatabase<RowsHKT> & { readonly ask: Ask };

declare const insideTransaction: unique symbol;
/** Only `inTransaction` makes one, so a store that takes a `Tx` cannot run outside of one. */
export type Tx = Db & { readonly [insideTransaction]: true };

/** Gives up everything done so far and answers this instead. */
export type RollBack<T> = (answer: T) => never;
export type Work<T> = (tx: Tx, rollBack: RollBack<T>) => Promise<T>;

export type Outcome<T> =
  | { readonly kind: 'committed'; readonly value: T }
  | { readonly kind: 'conflict'; readonly constraint: string | null };

export interface Database {
  readonly engine: 'pglite' | 'postgres';
  /** Throws inside a transaction, where the embedded engine's one connection would wait for itself. */
  readonly db: Db;
  /**
   * READ COMMITTED. Throws `DatabaseConflict` for a broken constraint and for what three more tries
   * could not serialise, `CommitOutcomeUnknown` when the connection was lost or silent at COMMIT.
   */
  inTransaction<T>(work: Work<T>): Promise<T>;
  /** The same, with a conflict as a value. */
  inTransactionOrConflict<T>(work: Work<T>): Promise<Outcome<T>>;
  /** Inside a transaction: done as soon as it is committed, or may be; never where it was given up. */
  afterCommit(tell: () => void): void;
  /**
   * Whether it answers: no once it was asked for 5 seconds and answered nothing at all. Tells within
   * a second or so. A pool that is full is no reason: overload would take every process out at once.
   */
  answers(): Promise<boolean>;
  /** Told soon after each commit on this database, whichever process made it; some more than once. */
  onCommit(listener: () => void): void;
  /** Words to the other processes on this database, a hint that may be lost. */
  tellOthers(words: string): void;
  onTold(listener: (words: string) => void): void;
  close(): Promise<void>;
}

/** Somebody else was first: a slot, a hold, a request key. */
export class DatabaseConflict extends Error {
  override readonly name = 'DatabaseConflict';
  readonly constraint: string | null;
  constructor(constraint: string | null, options?: ErrorOptions) {
    super('Another transaction was first', options);
    this.constraint = constraint;
  }
}

/** Everything may have been written, or nothing: look the request key up before repeating. */
export class CommitOutcomeUnknown extends Error {
  override readonly name = 'CommitOutcomeUnknown';
  constructor(options?: ErrorOptions) {
    super('The database did not say what became of a COMMIT', options);
  }
}

/** What one engine does; the rest is the same for both. */
export interface Engine {
  readonly kind: Database['engine'];
  readonly db: Db;
  /** BEGIN, work, COMMIT or ROLLBACK. */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>;
  answers(): Promise<boolean>;
  close(): Promise<void>;
  /** An engine that no other process can share has none. */
  readonly bus?: CommitBus;
}

const MOST_RETRIES = 3;

class RolledBack extends Error {
  readonly answer: unknown;
  constructor(answer: unknown) {
    super('Rolled back on purpose');
    this.answer = answer;
  }
}

export function databaseOn(engine: Engine): Database {
  /** What waits for the commit of the transaction that one is inside. */
  const inside = new AsyncLocalStorage<(() => void)[]>();
  const commits = commitsOver(engine.bus);

  async function once<T>(work: Work<T>): Promise<T> {
    const rollBack: RollBack<T> = (answer) => {
      throw new RolledBack(answer);
    };
    const waiting: (() => void)[] = [];
    const tell = () => {
      for (const one of waiting) one();
    };
    try {
      const value = await inside.run(waiting, () =>
        engine.transaction((db) => work(db as Tx, rollBack)),
      );
      tell();
      return value;
    } catch (error) {
      if (error instanceof RolledBack) return error.answer as T;
      if (error instanceof CommitOutcomeUnknown) tell();
      throw error;
    }
  }

  async function inTransaction<T>(work: Work<T>): Promise<T> {
    if (inside.getStore()) throw new Error('A transaction inside a transaction: hand the Tx on');
    for (let retries = 0; ; retries++) {
      try {
        const value = await once(work);
        commits.note();
        return value;
      } catch (error) {
        if (error instanceof CommitOutcomeUnknown) {
          commits.note();
          throw error;
        }
        const failure = failureOf(error);
        if (failure?.kind === 'conflict')
          throw new DatabaseConflict(failure.constraint, { cause: error });
        if (failure?.kind !== 'retry') throw error;
        if (retries === MOST_RETRIES)
          throw new DatabaseConflict(sqlStateOf(error), { cause: error });
        await pause(5 * 2 ** retries * (1 + Math.random()));
      }
    }
  }

  return {
    engine: engine.kind,
    get db() {
      if (inside.getStore()) throw new Error('The outer database inside a transaction: use the Tx');
      return engine.db;
    },
    inTransaction,
    async inTransactionOrConflict(work) {
      try {
        return { kind: 'committed', value: await inTransaction(work) };
      } catch (error) {
        if (!(error instanceof DatabaseConflict)) throw error;
        return { kind: 'conflict', constraint: error.constraint };
      }
    },
    afterCommit(tell) {
      const waiting = inside.getStore();
      if (!waiting) throw new Error('No transaction whose commit could be waited for');
      waiting.push(tell);
    },
    answers: () => engine.answers(),
    onCommit: (listener) => commits.on(listener),
    tellOthers: (words) => commits.tellOthers(words),
    onTold: (listener) => commits.onTold(listener),
    async close() {
      await commits.close();
      await engine.close();
    },
  };
}
