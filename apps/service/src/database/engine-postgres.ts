import { drizzle } from 'drizzle-orm/node-postgres';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { postgresCommitBus } from './commit-bus-postgres.ts';
import { CommitOutcomeUnknown, type Ask, type Db, type Engine } from './db.ts';
import { listeningClients } from './listening-client.ts';

// Epoch seconds and counts fit a double; as text they would compare like text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface PostgresOptions {
  readonly url: string;
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

const dbOn = (client: pg.Pool | pg.PoolClient): Db => {
  const ask: Ask = async <Row>(name: string, text: string, values: readonly unknown[]) => {
    const { rows } = await client.query({ name, text, values: [...values] });
    return rows as Row[];
  };
  return Object.assign(drizzle({ client }), { ask });
};

export function openPostgres({
  url,
  poolSize = 20,
  waits: { lockMs, statementMs } = WAITS,
  onLostConnection,
}: PostgresOptions): Engine {
  const deadlineMs = statementMs * LONGER_THAN_THE_SERVER;
  const listening = listeningClients(deadlineMs);
  const pool = new pg.Pool({
    connectionString: url,
    Client: listening.Client,
    max: poolSize,
    connectionTimeoutMillis: statementMs,
    keepAlive: true,
    // Statements that a work starts together go out together; answers come in their order.
    pipeline: true,
    options: `-c lock_timeout=${lockMs} -c statement_timeout=${statementMs} -c idle_in_transaction_session_timeout=${statementMs} -c default_transaction_isolation=read\\ committed`,
  });
  pool.on('error', () => onLostConnection?.());
  // A connection can end before whoever asked for it listens, and an error that nobody hears ends
  // the process. Its next statement fails, and the pool lets go of it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const dbOf = new WeakMap<pg.PoolClient, Db>();
  let probe: Promise<unknown> | null = null;

  return {
    kind: 'postgres',
    db: dbOn(pool),
    bus: postgresCommitBus(url, pool, statementMs),
    async answers() {
      probe ??= pool
        .query('select 1')
        .catch(() => undefined)
        .finally(() => (probe = null));
      await Promise.race([probe, pause(PROBE_MS, undefined, { ref: false })]);
      return listening.silentForMs() < statementMs;
    },
    async transaction(work) {
      const client = await pool.connect();
      let broken: Error | undefined;
      const onError = (error: Error) => (broken = error);
      client.on('error', onError);
      let db = dbOf.get(client);
      if (!db) dbOf.set(client, (db = dbOn(client)));
      try {
        await client.query('begin');
        const value = await work(db);
        await commit(client);
        return value;
      } catch (error) {
        if (!(error instanceof CommitOutcomeUnknown))
          await client.query('rollback').catch((failed: Error) => (broken ??= failed));
        else broken = error;
        throw error;
      } finally {
        client.off('error', onError);
        client.release(broken);
      }
    },
    close: () => pool.end(),
  };
}

async function commit(client: pg.PoolClient): Promise<void> {
  try {
    const { command } = await client.query('commit');
    // A transaction that failed unnoticed answers COMMIT with ROLLBACK.
    if (command === 'ROLLBACK') throw new Error('COMMIT rolled back: an error was swallowed');
  } catch (error) {
    // An error that the server reports is an answer; anything else left us without one.
    if (error instanceof pg.DatabaseError && !error.code?.startsWith('57P')) throw error;
    if (error instanceof Error && error.message.startsWith('COMMIT rolled back')) throw error;
    throw new CommitOutcomeUnknown({ cause: error });
  }
}
