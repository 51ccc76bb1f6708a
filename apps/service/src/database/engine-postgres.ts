import { drizzle } from 'drizzle-orm/node-postgres';
import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { begins } from '../server/observed.ts';
import { CommitOutcomeUnknown, type CommitBus, type Db, type Engine } from './db.ts';
import { connectObserved, nameOf, telling } from './observed-calls.ts';
import { pollingCommitBus } from './polling.store.ts';
import type { Reach } from './reach.ts';
import { channelOf, notifyChannel } from './shared-names.store.ts';
import { sqlStateOf } from './sqlstate.ts';

/** A statement before it failed in the same transaction. */
const ABORTED_BEFORE = '25P02';

// Epoch seconds and counts fit a double; as text they would compare like text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface PostgresOptions {
  readonly url: string;
  /** How the address reaches the server (reach.ts); directly unless said otherwise. */
  readonly reach?: Reach;
  /** Reaches the server directly. Behind a pooler one cannot listen without it, and looks instead (polling.store.ts). */
  readonly directUrl?: string | undefined;
  readonly poolSize?: number;
  readonly waits?: Waits;
  /** An idle connection broke; the pool replaces it. */
  readonly onLostConnection?: () => void;
}

/** How long a transaction waits at most, in milliseconds (docs/booking-and-payment.md). */
export interface Waits {
  readonly lockMs: number;
  /** For a statement, for a connection before it, and for what comes next in a transaction. */
  readonly statementMs: number;
}
const WAITS: Waits = { lockMs: 2_000, statementMs: 5_000 };
/** The server's own deadline passes first, so that what ends a statement as a rule is its answer. */
const LONGER_THAN_THE_SERVER = 1.2;
/** Whoever asks whether the database answers is told in time what is known so far. */
const PROBE_MS = 1_000;

export function openPostgres({
  url,
  reach = { kind: 'direct' },
  directUrl = reach.kind === 'direct' ? url : undefined,
  poolSize = 20,
  waits: { lockMs, statementMs } = WAITS,
  onLostConnection,
}: PostgresOptions): Engine {
  const deadlineMs = statementMs * LONGER_THAN_THE_SERVER;
  const limits = {
    lock_timeout: lockMs,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: statementMs,
  };
  const isPooled = reach.kind === 'pooler';
  const listening = listeningClients(deadlineMs, !isPooled || reach.namedStatements);
  const pool = new pg.Pool({
    connectionString: url,
    Client: listening.Client,
    max: poolSize,
    connectionTimeoutMillis: statementMs,
    keepAlive: true,
    // Statements that a work starts together go out together; answers come in their order.
    pipeline: true,
    // A pooler refuses what is set for a connection, or gives the connection to others.
    ...(!isPooled && { options: asOptions(limits) }),
  });
  pool.on('error', () => onLostConnection?.());
  // A connection can end before whoever asked for it listens, and an error that nobody hears ends
  // the process. Its next statement fails, and the pool lets go of it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  Object.assign(pool, { connect: connectObserved(pool) });
  const begin = isPooled ? beginWith(limits) : 'begin';
  if (isPooled) Object.assign(pool, { query: eachInTransaction(pool, begin) });
  const dbOf = new WeakMap<pg.PoolClient, Db>();
  let probe: Promise<unknown> | null = null;

  const db = drizzle({ client: pool });
  return {
    db,
    bus:
      directUrl === undefined
        ? pollingCommitBus(db)
        : postgresCommitBus(directUrl, db, statementMs),
    async answers() {
      probe ??= pool
        .query('select 1')
        .catch(() => undefined)
        .finally(() => (probe = null));
      await Promise.race([probe, pause(PROBE_MS, undefined, { ref: false })]);
      return listening.silentForMs() < statementMs;
    },
    async transaction(work, lastWrites) {
      const client = await pool.connect();
      let broken: Error | undefined;
      const onError = (error: Error) => (broken = error);
      client.on('error', onError);
      let failedFirst: Error | undefined;
      const onFailed = (error: Error) => (failedFirst ??= error);
      client.connection.on('errorMessage', onFailed);
      let db = dbOf.get(client);
      if (!db) dbOf.set(client, (db = drizzle({ client })));
      // It goes out with the first statement. Where it fails, no other is to run alone in its place.
      const begun = client.query(begin);
      begun.catch((error: Error) => client.connection.stream.destroy(error));
      try {
        const value = await work(db);
        await begun;
        await commit(client, lastWrites?.());
        return value;
      } catch (error) {
        if (!(error instanceof CommitOutcomeUnknown))
          await client.query('rollback').catch((failed: Error) => (broken ??= failed));
        else broken = error;
        // Of statements that went out in one go another may be heard first, which only says that.
        throw sqlStateOf(error) === ABORTED_BEFORE ? (failedFirst ?? error) : error;
      } finally {
        client.off('error', onError);
        client.connection.off('errorMessage', onFailed);
        client.release(broken);
      }
    },
    connections: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    close: () => pool.end(),
  };
}

type Limits = Readonly<Record<string, number>>;

/** For every transaction of a connection. */
const asOptions = (limits: Limits): string =>
  ['default_transaction_isolation=read\\ committed', ...settings(limits)]
    .map((each) => `-c ${each}`)
    .join(' ');

/** For one transaction: a pooler may give the next one another connection. */
const beginWith = (limits: Limits): string =>
  [
    'begin isolation level read committed',
    ...settings(limits).map((each) => `set local ${each}`),
  ].join('; ');

const settings = (limits: Limits): string[] =>
  Object.entries(limits).map(([name, milliseconds]) => `${name}=${milliseconds}`);

/**
 * In place of the pool's own `query`: a statement alone is a transaction too, for its time limits.
 * The three go out together: it is one way there and back, as before.
 */
function eachInTransaction(pool: pg.Pool, begin: string) {
  return async (...statement: unknown[]): Promise<unknown> => {
    const client = await pool.connect();
    const [begun, answered, ended] = await Promise.allSettled([
      client.query(begin),
      client.query(...(statement as [string])),
      client.query('commit'),
    ]);
    const failed = [answered, begun, ended].find((each) => each.status === 'rejected');
    client.release(failed?.reason as Error | undefined);
    if (answered.status === 'rejected' || failed) throw failed?.reason;
    return answered.value;
  };
}

/**
 * COMMIT goes out behind the last writes. One that fails makes it a ROLLBACK; whether it stands
 * is known by the answer to COMMIT alone.
 */
async function commit(client: pg.PoolClient, lastWrites?: Promise<unknown>): Promise<void> {
  const [written, ended] = await Promise.allSettled([lastWrites, client.query('commit')]);
  if (ended.status === 'rejected') {
    const error: unknown = ended.reason;
    // An error that the server reports is an answer, but for those that say that the connection is
    // lost: 57P… of the server, 08… of a pooler. Anything else left us without one.
    if (error instanceof pg.DatabaseError && !/^(57P|08)/.test(error.code ?? '')) throw error;
    throw new CommitOutcomeUnknown({ cause: error });
  }
  if (written.status === 'rejected') throw written.reason;
  // A transaction that failed unnoticed answers COMMIT with ROLLBACK.
  if (ended.value.command === 'ROLLBACK')
    throw new Error('COMMIT rolled back: an error was swallowed');
}

/** The server was asked and did not answer in time; the connection is gone. */
class ConnectionSilent extends Error {
  override readonly name = 'ConnectionSilent';
  readonly code = 'ETIMEDOUT';
  constructor() {
    super('The database did not answer in time');
  }
}

/**
 * Connections to one server that notice when it does not answer, in place of pg's own, for a pool or
 * alone. A firewall that forgets a connection, or a server process that is frozen, says nothing, and pg
 * would wait for ever. A connection whose statement has no answer after `deadlineMs` is destroyed,
 * never used again: a late answer would be taken for that of another statement. With it go the idle
 * ones that nobody has heard since it was asked, for what silenced one silenced others.
 */
function listeningClients(deadlineMs: number, namesHold = true) {
  const clients = new Set<ListeningClient>();
  let waiting = 0;
  /** When the server was asked first since it answered last. */
  let askedAt: number | null = null;

  const asks = () => {
    waiting += 1;
    askedAt ??= performance.now();
  };
  const answered = () => {
    waiting -= 1;
    askedAt = waiting > 0 ? performance.now() : null;
  };
  const unanswered = () => {
    waiting -= 1;
  };

  class ListeningClient extends pg.Client {
    readonly #socket: Socket;
    #waiting = 0;
    #isGathering = false;
    #awaitingSince = 0;
    #lastHeardAt = performance.now();
    #deadline: NodeJS.Timeout | undefined;

    constructor(config?: pg.ClientConfig) {
      const socket = new Socket();
      super({ ...config, stream: () => socket });
      this.#socket = socket;
      clients.add(this);
      socket.once('close', () => {
        clearTimeout(this.#deadline);
        clients.delete(this);
      });
    }

    // pg declares a dozen forms of each call; all end in one callback or one promise.
    override connect(...given: unknown[]): never {
      asks();
      const heard = (error: unknown) => {
        this.#lastHeardAt = performance.now();
        if (error) unanswered();
        else answered();
      };
      return telling(given, heard, (all) => super.connect(...(all as []))) as never;
    }

    override query(...given: unknown[]): never {
      asks();
      this.#waiting += 1;
      if (this.#waiting === 1) this.#await();
      const ends = begins('statement', () => nameOf(given[0]));
      const heard = (error: unknown) => {
        ends(error);
        this.#waiting -= 1;
        if (this.#waiting === 0) clearTimeout(this.#deadline);
        // What the server says is an answer; what else goes wrong is none.
        if (error && !(error instanceof pg.DatabaseError)) return unanswered();
        answered();
        this.#lastHeardAt = performance.now();
        // The server turns to the next one only now.
        if (this.#waiting > 0) this.#await();
      };
      this.#sendTogether();
      const asked = namesHold ? given : withoutName(given);
      return telling(asked, heard, (all) => super.query(...(all as [string]))) as never;
    }

    /** A goodbye is not waited for longer. */
    override end(...given: unknown[]): never {
      const goodbye = setTimeout(() => this.#socket.destroy(), deadlineMs).unref();
      this.#socket.once('close', () => clearTimeout(goodbye));
      return super.end(...(given as [])) as unknown as never;
    }

    /** What is asked in one go goes out in one packet: each costs a call of the system on both sides. */
    #sendTogether(): void {
      if (this.#isGathering) return;
      this.#isGathering = true;
      const { stream } = this.connection;
      stream.cork();
      process.nextTick(() => {
        this.#isGathering = false;
        stream.uncork();
      });
    }

    #await(): void {
      const since = performance.now();
      this.#awaitingSince = since;
      clearTimeout(this.#deadline);
      // A process that stood still itself reads first what came meanwhile.
      this.#deadline = setTimeout(() => setImmediate(() => this.#giveUp(since)), deadlineMs);
    }

    #giveUp(since: number): void {
      if (this.#waiting === 0 || this.#awaitingSince !== since) return;
      for (const client of clients)
        if (client === this || (client.#waiting === 0 && client.#lastHeardAt <= since))
          client.#socket.destroy(new ConnectionSilent());
    }
  }

  const Client: new (config?: pg.ClientConfig) => pg.Client = ListeningClient;
  return {
    Client,
    /**
     * Since the server was asked something, a connection included, and has answered nothing at all;
     * 0 when whatever was asked last was answered. Who waits for a connection of a full pool has not
     * asked yet.
     */
    silentForMs: (): number => (askedAt === null ? 0 : performance.now() - askedAt),
  };
}

/** A statement without a name is parsed anew on whichever connection it reaches. */
const withoutName = ([statement, ...rest]: readonly unknown[]): unknown[] =>
  typeof statement === 'object' && statement !== null && 'name' in statement
    ? [{ ...statement, name: undefined }, ...rest]
    : [statement, ...rest];

const AGAIN_MS = 1_000;

/**
 * LISTEN and NOTIFY, on a connection of its own. What is said is who says it, and words if any.
 * Nobody hears a connection fall silent that only listens: it is asked something every `waitMs`,
 * and made anew when it has not answered after as long again.
 */
function postgresCommitBus(url: string, db: Db, waitMs: number): CommitBus {
  const self = randomUUID();
  const { Client } = listeningClients(waitMs);
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function connect(heard: (words: string | null) => void): Promise<void> {
    const mine = new Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: waitMs,
    });
    client = mine;
    const asking = setInterval(() => {
      mine.query('select 1').catch(() => undefined);
    }, waitMs).unref();
    const lost = () => {
      clearInterval(asking);
      if (client !== mine) return;
      client = null;
      if (closed) return;
      timer = setTimeout(() => void connect(heard), AGAIN_MS);
      timer.unref();
    };
    mine.on('error', lost);
    mine.on('end', lost);
    mine.on('notification', ({ payload = '' }) => {
      const [from, ...words] = payload.split(' ');
      if (from !== self) heard(words.length === 0 ? null : words.join(' '));
    });
    try {
      await mine.connect();
      const channel = await channelOf({ $client: mine });
      await mine.query(`listen ${mine.escapeIdentifier(channel)}`);
      heard(null);
    } catch {
      lost();
      await mine.end().catch(() => undefined);
    }
  }

  return {
    async notify(words) {
      const said = words === undefined ? self : `${self} ${words}`;
      if (!closed) await notifyChannel(db, said);
    },
    listen(heard) {
      if (!closed) void connect(heard);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
