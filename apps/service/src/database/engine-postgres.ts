import { drizzle } from 'drizzle-orm/node-postgres';
import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { begins } from '../server/observed.ts';
import { CommitOutcomeUnknown, type CommitBus, type Db, type Engine } from './db.ts';
import { connectObserved, nameOf, withCallback } from './observed-calls.ts';
import { pollingCommitBus } from './polling.store.ts';
import { type Reach, eachInTransaction } from './pooler.ts';
import { channelOf, notifyChannel } from './shared-names.store.ts';
import { sqlStateOf, whyWritesRefused } from './sqlstate.ts';

/** A connection that a pooler cannot make, or that the server ends. */
const SERVER_AWAY = /^(?:08|57P|53300)/;
/** The state of a statement that follows a failed one in the same transaction. */
const ABORTED_BEFORE = '25P02';

// Epoch seconds and counts fit a double; as text, the default, they would compare like text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface PostgresOptions {
  readonly url: string;
  /** How the address reaches the server (pooler.ts); directly by default. */
  readonly reach?: Reach;
  /** Reaches the server directly. Behind a pooler, without it, commits are polled (polling.store.ts). */
  readonly directUrl?: string | undefined;
  readonly poolSize?: number;
  readonly waits?: Waits;
  /** Called when an idle connection broke; the pool replaces it. */
  readonly onLostConnection?: () => void;
}

/** How long a transaction waits at most, in milliseconds (docs/booking-and-payment.md). */
export interface Waits {
  readonly lockMs: number;
  /** For a statement, for a connection before it, and for the pause until a transaction's next statement. */
  readonly statementMs: number;
}
const WAITS: Waits = { lockMs: 2_000, statementMs: 5_000 };
/** Our deadline is longer than the server's, so that a statement usually ends by the server's own answer. */
const LONGER_THAN_THE_SERVER = 1.2;
/** How long `answers` waits before it tells what is known so far. */
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
  const listening = listeningClients(deadlineMs, !isPooled || reach.namedStatements, isPooled);
  const pool = new pg.Pool({
    connectionString: url,
    Client: listening.Client,
    max: poolSize,
    connectionTimeoutMillis: statementMs,
    keepAlive: true,
    // Statements that a caller starts together are sent together; the answers come in their order.
    pipeline: true,
    // A pooler refuses settings of a connection, or gives the connection to other clients.
    ...(!isPooled && { options: asOptions(limits) }),
  });
  pool.on('error', () => onLostConnection?.());
  // A connection can fail before its user listens for errors, and an error without a listener ends the process.
  // Its next statement fails, and the pool discards it.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    connectedAt.set(client, performance.now());
  });
  const connectedAt = new WeakMap<pg.PoolClient, number>();
  let writesRefusedAt = 0;
  Object.assign(pool, { connect: connectObserved(pool) });
  const begin = isPooled ? beginWith(limits) : 'begin';
  if (isPooled) Object.assign(pool, { query: eachInTransaction(pool, begin) });
  /** A connection for writes: none from before a server refused them, as its name may lead to another by now. */
  async function connect(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await pool.connect();
      if ((connectedAt.get(client) ?? 0) >= writesRefusedAt) return client;
      client.release(true);
    }
  }
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
      const client = await connect();
      let broken: Error | undefined;
      const onError = (error: Error) => (broken = error);
      client.on('error', onError);
      let failedFirst: Error | undefined;
      const onFailed = (error: Error) => (failedFirst ??= error);
      client.connection.on('errorMessage', onFailed);
      let db = dbOf.get(client);
      if (!db) dbOf.set(client, (db = drizzle({ client })));
      // BEGIN is sent with the first statement. When it fails, no statement may run outside of a transaction.
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
        if (whyWritesRefused(error) === 'read-only') {
          writesRefusedAt = performance.now();
          broken ??= new Error('This server takes no writes', { cause: error });
        }
        // Of statements sent together, the first error may only say that another one failed before it.
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

/** Sets the limits for all transactions of a connection. */
const asOptions = (limits: Limits): string =>
  ['default_transaction_isolation=read\\ committed', ...settings(limits)]
    .map((each) => `-c ${each}`)
    .join(' ');

/** Sets the limits for one transaction: a pooler may run the next one on another connection. */
const beginWith = (limits: Limits): string =>
  [
    'begin isolation level read committed',
    ...settings(limits).map((each) => `set local ${each}`),
  ].join('; ');

const settings = (limits: Limits): string[] =>
  Object.entries(limits).map(([name, milliseconds]) => `${name}=${milliseconds}`);

/**
 * Sends COMMIT behind the last writes. If one of these fails, the server rolls back instead; only the answer
 * to COMMIT tells whether the transaction stands.
 */
async function commit(client: pg.PoolClient, lastWrites?: Promise<unknown>): Promise<void> {
  const [written, ended] = await Promise.allSettled([lastWrites, client.query('commit')]);
  if (ended.status === 'rejected') {
    const error: unknown = ended.reason;
    // An error that the server reports is an answer, except when it says that the connection is lost (57P… of
    // the server, 08… of a pooler). After any other error the outcome is unknown.
    if (error instanceof pg.DatabaseError && !/^(57P|08)/.test(error.code ?? '')) throw error;
    throw new CommitOutcomeUnknown({ cause: error });
  }
  if (written.status === 'rejected') throw written.reason;
  // The server answers COMMIT with ROLLBACK when a statement failed and its error was swallowed.
  if (ended.value.command === 'ROLLBACK')
    throw new Error('COMMIT rolled back: an error was swallowed');
}

/** The server did not answer a request in time; its connection is destroyed. */
class ConnectionSilent extends Error {
  override readonly name = 'ConnectionSilent';
  readonly code = 'ETIMEDOUT';
  constructor() {
    super('The database did not answer in time');
  }
}

/**
 * Makes a replacement of pg's Client, for a pool or alone, that notices when the server does not answer. A
 * firewall that forgets a connection, or a frozen server process, says nothing, and pg would wait for ever. A
 * connection whose statement has no answer after `deadlineMs` is destroyed, as a late answer would be taken
 * for the next statement's. Idle connections that received nothing since that statement are destroyed with it:
 * what silenced one has silenced others.
 */
function listeningClients(deadlineMs: number, namesHold = true, isPooled = false) {
  const clients = new Set<ListeningClient>();
  let waiting = 0;
  /** When the server was first asked since its last answer; null while no answer is due. */
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

    // pg declares a dozen overloads of each call; all end in one callback or one promise.
    override connect(...given: unknown[]): never {
      asks();
      const onAnswer = (error: unknown) => {
        this.#lastHeardAt = performance.now();
        // A pooler lets everybody in, whatever has become of the server.
        if (error || isPooled) unanswered();
        else answered();
      };
      return withCallback(given, onAnswer, (all) => super.connect(...(all as []))) as never;
    }

    override query(...given: unknown[]): never {
      asks();
      this.#waiting += 1;
      if (this.#waiting === 1) this.#await();
      const ends = begins('statement', () => nameOf(given[0]));
      const onAnswer = (error: unknown) => {
        ends(error);
        this.#waiting -= 1;
        if (this.#waiting === 0) clearTimeout(this.#deadline);
        if (error && !isAnswer(error)) return unanswered();
        answered();
        this.#lastHeardAt = performance.now();
        // The server begins the next statement only now.
        if (this.#waiting > 0) this.#await();
      };
      this.#sendTogether();
      const asked = namesHold ? given : withoutName(given);
      return withCallback(asked, onAnswer, (all) => super.query(...(all as [string]))) as never;
    }

    /** Destroys the socket when the server does not close the connection in time. */
    override end(...given: unknown[]): never {
      const goodbye = setTimeout(() => this.#socket.destroy(), deadlineMs).unref();
      this.#socket.once('close', () => clearTimeout(goodbye));
      return super.end(...(given as [])) as unknown as never;
    }

    /** Sends statements of one tick in one packet: each packet costs a system call on both sides. */
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
      // After a stall of this process, reads the answers that came meanwhile before giving up.
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
     * For how long the server has answered nothing, counted from the first request, or connection attempt,
     * since its last answer; 0 when all requests were answered. Waiting for a connection of a full pool does
     * not count as a request.
     */
    silentForMs: (): number => (askedAt === null ? 0 : performance.now() - askedAt),
  };
}

/** An error that the server reports, but not one that a pooler or the server's end reports in its place. */
const isAnswer = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !SERVER_AWAY.test(error.code ?? '');

/** Drops the name, so that the statement is parsed anew on whichever connection it reaches. */
const withoutName = ([statement, ...rest]: readonly unknown[]): unknown[] =>
  typeof statement === 'object' && statement !== null && 'name' in statement
    ? [{ ...statement, name: undefined }, ...rest]
    : [statement, ...rest];

const AGAIN_MS = 1_000;

/**
 * LISTEN and NOTIFY on a connection of its own. A payload is the sender's id, and words if there are any. As
 * a connection that only listens would not notice a silent server, it runs a query every `waitMs`, and is
 * replaced when the answer takes as long again.
 */
function postgresCommitBus(url: string, db: Db, waitMs: number): CommitBus {
  const self = randomUUID();
  const { Client } = listeningClients(waitMs);
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function connect(onNotice: (words: string | null) => void): Promise<void> {
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
      timer = setTimeout(() => void connect(onNotice), AGAIN_MS);
      timer.unref();
    };
    mine.on('error', lost);
    mine.on('end', lost);
    mine.on('notification', ({ payload = '' }) => {
      const [from, ...words] = payload.split(' ');
      if (from !== self) onNotice(words.length === 0 ? null : words.join(' '));
    });
    try {
      await mine.connect();
      const channel = await channelOf({ $client: mine });
      await mine.query(`listen ${mine.escapeIdentifier(channel)}`);
      onNotice(null);
    } catch {
      lost();
      await mine.end().catch(() => undefined);
    }
  }

  return {
    async notify(words) {
      const payload = words === undefined ? self : `${self} ${words}`;
      if (!closed) await notifyChannel(db, payload);
    },
    listen(onNotice) {
      if (!closed) void connect(onNotice);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
