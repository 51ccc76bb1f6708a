import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { type WritesRefused, failureOf, whyWritesRefused } from './sqlstate.ts';

interface Rows<Row> {
  readonly rows: Row[];
}

interface RowsHKT extends PgQueryResultHKT {
  readonly type: Rows<this['row']>;
}

/** A connection or a pool; the server parses and plans a named statement once per connection. */
export interface Client {
  query(statement: { name: string; text: string; values: unknown[] }): Promise<Rows<unknown>>;
}

/** For reads. Writes belong in a transaction. */
export type Db = PgDatabase<RowsHKT> & { readonly $client: Client };

declare const insideTransaction: unique symbol;
/** Only `inTransaction` makes one, so a store that takes a `Tx` cannot run outside of one. */
export type Tx = Db & { readonly [insideTransaction]: true };

/** A part of a statement, with the values of its parameters. */
export interface Part {
  readonly texts: readonly string[];
  readonly values: readonly unknown[];
}

/** Makes a part for `sql` or another part; called with one text, it inserts a word known at runtime. */
export function part(texts: readonly string[], ...values: readonly unknown[]): Part {
  return { texts, values };
}

const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && 'texts' in value && 'values' in value;

function write({ texts, values }: Part, parameters: unknown[]): string {
  return texts.reduce((written, next, at) => {
    const value = values[at - 1];
    if (isPart(value)) return written + write(value, parameters) + next;
    return `${written}$${parameters.push(value)}${next}`;
  });
}

/**
 * Runs a statement that is written as a template: a value becomes a parameter, a part its text. The text
 * under one name must always be the same, whatever the values; without a name it is planned anew. Casts in
 * the statement make both engines return the same types: `bigint` comes as a number, a `date` is cast to text.
 */
export function sql<Row = unknown>(on: Pick<Db, '$client'>, name = '') {
  return async (texts: readonly string[], ...values: readonly unknown[]): Promise<Row[]> => {
    const parameters: unknown[] = [];
    const text = write({ texts, values }, parameters);
    return (await on.$client.query({ name, text, values: parameters })).rows as Row[];
  };
}

/** The first row of a statement, or null. */
export const firstOf = async <Row>(rows: PromiseLike<readonly Row[]>): Promise<Row | null> =>
  (await rows)[0] ?? null;

/** The row of a statement that always has one. */
export async function onlyRowOf<Row>(rows: PromiseLike<readonly Row[]>): Promise<Row> {
  const [row] = await rows;
  if (row === undefined) throw new Error('This statement always has a row');
  return row;
}

/** Whether a statement has returned a row, such as that of a change which was made. */
export const hasRows = async (rows: PromiseLike<readonly unknown[]>): Promise<boolean> =>
  (await rows).length > 0;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** True when a uuid column can be queried with the text; any other text is an unknown id. */
export const isUuid = (text: string): boolean => UUID.test(text);

/**
 * Batches questions that come at the same time. A question that arrives while a batch is under way waits and
 * goes out with all others that wait, so its answer is never older than the question. `askAll` answers in the
 * order of the questions. With `patienceMs` no question waits longer than that for the batch before it; then
 * several calls of `askAll` run at once.
 */
export function batched<Question, Answer>(
  askAll: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  patienceMs?: number,
): (question: Question) => Promise<Answer> {
  let waiting: (PromiseWithResolvers<Answer> & { readonly question: Question })[] = [];
  /** The batch that the waiting questions wait for. */
  let underWay: symbol | null = null;

  async function askWaiting(): Promise<void> {
    const asked = waiting;
    waiting = [];
    const mine = (underWay = Symbol());
    const startNext = () => {
      if (underWay !== mine) return;
      underWay = null;
      if (waiting.length > 0) void askWaiting();
    };
    const patience =
      patienceMs === undefined ? undefined : setTimeout(startNext, patienceMs).unref();
    try {
      const answers = await askAll(asked.map(({ question }) => question));
      for (const [at, { resolve }] of asked.entries()) resolve(answers[at] as Answer);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
    clearTimeout(patience);
    startNext();
  }

  return (question) => {
    const asked = { question, ...Promise.withResolvers<Answer>() };
    waiting.push(asked);
    if (underWay === null) void askWaiting();
    return asked.promise;
  };
}

/** Rolls the transaction back and returns this answer instead. */
export type RollBack<T> = (answer: T) => never;
export type Work<T> = (tx: Tx, rollBack: RollBack<T>) => Promise<T>;

export type Outcome<T> =
  | { readonly kind: 'committed'; readonly value: T }
  | { readonly kind: 'conflict'; readonly constraint: string | null };

/** How many connections are open, how many of them are idle, and how many requests wait for one. */
export interface Connections {
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface Database {
  /** Throws inside a transaction, where the embedded engine's one connection would wait for itself. */
  readonly db: Db;
  /**
   * Runs large reads on the replica, when there is one and it has all that the database had at this call;
   * when `read` fails on the replica, it runs again on the database. `read` must not write.
   */
  readAside<T>(read: (db: Db) => Promise<T>): Promise<T>;
  /** How the replica stands now; null when there is none. */
  replicaStanding(): Promise<ReplicaStanding | null>;
  /**
   * READ COMMITTED, tried three more times where it could not be serialised. Throws `DatabaseConflict`
   * for a broken constraint, `CommitOutcomeUnknown` when the connection was lost or silent at COMMIT.
   */
  inTransaction<T>(work: Work<T>): Promise<T>;
  /** Like `inTransaction`, with a conflict as a value. */
  inTransactionOrConflict<T>(work: Work<T>): Promise<Outcome<T>>;
  /** Call it in a transaction: `tell` runs once it committed or may have, and never after a rollback. */
  afterCommit(tell: () => void): void;
  /**
   * False once the database was asked for 5 seconds and answered nothing at all. Resolves within a second or
   * so. A full pool does not make it false: overload would take every process out at once.
   */
  answers(): Promise<boolean>;
  /** Why the server took no write the last time that this process tried; null once it took one. */
  writesRefused(): WritesRefused | null;
  /** This process's connections. The embedded engine has one of its own, which is not counted. */
  connections(): Connections;
  /** Called soon after each commit on this database, by whichever process; after some more than once. */
  onCommit(listener: () => void): void;
  /** Sends words to the other processes on this database, as a hint that may be lost. */
  tellOthers(words: string): void;
  onTold(listener: (words: string) => void): void;
  close(): Promise<void>;
}

/** `promoted` takes writes itself; `foreign` belongs to another server, or leads to another clinic. */
export type ReplicaStanding = 'caught-up' | 'behind' | 'silent' | 'promoted' | 'foreign';

/** A copy that is read in place of the database that takes the writes (replica.store.ts). */
export interface Replica {
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  standing(): Promise<ReplicaStanding>;
  close(): Promise<void>;
}

/** Another transaction was first: it took the slot, the hold or the request key. */
export class DatabaseConflict extends Error {
  override readonly name = 'DatabaseConflict';
  readonly constraint: string | null;
  constructor(constraint: string | null, options?: ErrorOptions) {
    super('Another transaction was first', options);
    this.constraint = constraint;
  }
}

/** Everything may have been written, or nothing: look up the request key before repeating. */
export class CommitOutcomeUnknown extends Error {
  override readonly name = 'CommitOutcomeUnknown';
  constructor(options?: ErrorOptions) {
    super('The database did not say what became of a COMMIT', options);
  }
}

/** Tells other processes on the same database that something was committed, and receives the same from them. */
export interface CommitBus {
  /** Without words it says that something was committed. */
  notify(words?: string): Promise<void>;
  /** Listens until the bus closes; a lost connection is made again. */
  listen(onNotice: (words: string | null) => void): void;
  close(): Promise<void>;
}

/** What differs between the engines; the rest is the same for both. */
export interface Engine {
  readonly db: Db;
  /** BEGIN, work, COMMIT or ROLLBACK. `lastWrites` go out before COMMIT, which need not wait. */
  transaction<T>(work: (db: Db) => Promise<T>, lastWrites?: () => Promise<unknown>): Promise<T>;
  answers(): Promise<boolean>;
  connections?(): Connections;
  close(): Promise<void>;
  /** Absent for an engine that no other process can share. */
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

function rollBack(answer: unknown): never {
  throw new RolledBack(answer);
}

const lastWritesOf = new WeakMap<Db, (() => Promise<unknown>)[]>();

/**
 * Runs a statement after everything else in the transaction, sent together with its COMMIT. For writes that
 * nothing in the transaction reads; when the statement fails, the transaction is rolled back.
 */
export function writeLast(tx: Tx, name: string, statement: Part): void {
  const writes = lastWritesOf.get(tx);
  if (!writes) throw new Error('No transaction that could write last');
  // The statement must be sent when this returns, or COMMIT would overtake it: drizzle's own are sent later.
  writes.push(() => sql(tx, name)`${statement}`);
}

export function databaseOn(engine: Engine, replica?: Replica): Database {
  /** The callbacks that wait for the commit of the current transaction. */
  const inside = new AsyncLocalStorage<(() => void)[]>();
  const { note, close: closeNotices, ...notices } = noticesOver(engine.bus);
  /** Ends with what certainly wrote: a full disk lets the others pass. */
  let refused: WritesRefused | null = null;

  async function inTransaction<T>(work: Work<T>): Promise<T> {
    if (inside.getStore()) throw new Error('A transaction inside a transaction: hand the Tx on');
    for (let retries = 0; ; retries++) {
      const waiting: (() => void)[] = [];
      const committed = () => {
        note();
        for (const tell of waiting) tell();
      };
      try {
        const lastWrites: (() => Promise<unknown>)[] = [];
        const value = await inside.run(waiting, () =>
          engine.transaction(
            (db) => {
              lastWritesOf.set(db, lastWrites);
              return work(db as Tx, rollBack);
            },
            () => Promise.all(lastWrites.map((write) => write())),
          ),
        );
        committed();
        if (lastWrites.length > 0) refused = null;
        return value;
      } catch (error) {
        if (error instanceof RolledBack) return error.answer as T;
        if (error instanceof CommitOutcomeUnknown) {
          committed();
          throw error;
        }
        refused = whyWritesRefused(error) ?? refused;
        const failure = failureOf(error);
        if (failure?.kind === 'conflict')
          throw new DatabaseConflict(failure.constraint, { cause: error });
        // What could not be serialised is no conflict: nobody else has what it asked for.
        if (failure?.kind !== 'retry' || retries === MOST_RETRIES) throw error;
        await pause(5 * 2 ** retries * (1 + Math.random()));
      }
    }
  }

  function outerDb(): Db {
    if (inside.getStore()) throw new Error('The outer database inside a transaction: use the Tx');
    return engine.db;
  }

  return {
    get db() {
      return outerDb();
    },
    async readAside(read) {
      const db = outerDb();
      return replica ? replica.read(read) : read(db);
    },
    replicaStanding: async () => (await replica?.standing()) ?? null,
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
    writesRefused: () => refused,
    connections: () => engine.connections?.() ?? { open: 0, idle: 0, waiting: 0 },
    ...notices,
    async close() {
      await closeNotices();
      await replica?.close();
      await engine.close();
    },
  };
}

/** A notification costs the whole server a moment: the first goes out at once, then one for all of this time. */
const GATHER_MS = 50;

/** Tells listeners in this process and in the others of commits, and the others of words. */
function noticesOver(bus: CommitBus | undefined) {
  const listeners = new Set<() => void>();
  const toldListeners = new Set<(words: string) => void>();
  const underWay = new Set<Promise<void>>();
  let listening = false;
  let timer: NodeJS.Timeout | undefined;
  let untold = false;
  const tell = () => {
    for (const listener of listeners) listener();
  };
  /** A lost notification loses nothing: processes that miss it look by themselves soon enough. */
  const notify = (words?: string) => {
    const sent = (bus?.notify(words) ?? Promise.resolve())
      .catch(() => undefined)
      .finally(() => underWay.delete(sent));
    underWay.add(sent);
  };
  const listen = () => {
    if (listening) return;
    listening = true;
    bus?.listen((words) => {
      if (words === null) return tell();
      for (const listener of toldListeners) listener(words);
    });
  };
  const tellAll = () => {
    untold = false;
    tell();
    notify();
    timer = setTimeout(() => {
      timer = undefined;
      if (untold) tellAll();
    }, GATHER_MS).unref();
  };
  return {
    /** Notes that something was committed in this process. */
    note: () => {
      if (timer !== undefined) untold = true;
      else if (bus !== undefined || listeners.size > 0) tellAll();
    },
    onCommit: (listener: () => void) => {
      listeners.add(listener);
      listen();
    },
    tellOthers: (words: string) => notify(words),
    onTold: (listener: (words: string) => void) => {
      toldListeners.add(listener);
      listen();
    },
    close: async () => {
      if (untold) notify();
      clearTimeout(timer);
      await Promise.all(underWay);
      listeners.clear();
      toldListeners.clear();
      await bus?.close();
    },
  };
}
