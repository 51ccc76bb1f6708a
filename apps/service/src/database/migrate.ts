import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Db } from './db.ts';
import { sqlStateOf } from './sqlstate.ts';

/** A connection that only drizzle's own ways are asked of. */
type Migrated = Omit<Db, '$client'>;

/** The baseline, and every change of the schema since. */
export const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url));
/** The migrations before the baseline, for databases that have begun with them (docs/migrations.md). */
const beforeBaselineFolder = join(migrationsFolder, 'before-baseline');
/** Any number that no other program on this database uses; one process migrates at a time. */
const MIGRATION_LOCK = 7_318_201;

/** Shorter than a patient's own wait for a lock: whoever queues behind a migration is served yet. */
const TABLE_WAIT_MS = 1_000;
const MOST_TRIES = 60;
const BETWEEN_TRIES_MS = 1_000;
/** Somebody holds a table that the migration changes. */
const IN_USE = new Set(['55P03', '40P01']);

/**
 * Brings a PostgreSQL database to the schema. The lock and all that is due are one transaction, so a
 * second process waits and finds nothing left to do, also where a pooler gives out the connections. A
 * table that is in use is let go of at once and tried again.
 */
export async function migratePostgres(url: string): Promise<void> {
  const [{ default: pg }, { drizzle }] = await Promise.all([
    import('pg'),
    import('drizzle-orm/node-postgres'),
  ]);
  const client = new pg.Client(url);
  // What breaks the connection fails the statement under way, too.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const db = drizzle({ client });
    for (let tries = 1; ; tries++) {
      try {
        return await db.transaction(async (tx) => {
          await tx.execute(sql`set local client_min_messages = warning; set local lock_timeout = 0;
            set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`);
          await tx.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
          await tx.execute(sql.raw(`set local lock_timeout = ${TABLE_WAIT_MS}`));
          await migrateIn(tx);
        });
      } catch (error) {
        if (!IN_USE.has(sqlStateOf(error) ?? '')) throw error;
        if (tries === MOST_TRIES)
          throw new Error(
            `The database cannot be brought up to date: ${tries} times a table was in use. End what holds it (pg_stat_activity shows it) and start again.`,
            { cause: error },
          );
        await pause(BETWEEN_TRIES_MS);
      }
    }
  } finally {
    await client.end();
  }
}

/** The same for the embedded engine. */
export const migratePglite = (db: Migrated): Promise<void> => db.transaction(migrateIn);

/**
 * A database older than the baseline gets what is left of the migrations before it. The last of them
 * stands in the journal at the baseline's time, so that the baseline is not run on it. The journal is
 * drizzle's.
 */
async function migrateIn(tx: Pick<Migrated, 'execute'>): Promise<void> {
  const sinceBaseline = readMigrationFiles({ migrationsFolder });
  let newest = await newestMigration(tx);
  if (newest === null) {
    await tx.execute(sql`create schema if not exists drizzle`);
    await tx.execute(sql`create table if not exists drizzle.__drizzle_migrations
      (id serial primary key, hash text not null, created_at bigint)`);
  }
  const isOlder = newest !== null && newest < (sinceBaseline[0]?.folderMillis ?? 0);
  const before = isOlder ? readMigrationFiles({ migrationsFolder: beforeBaselineFolder }) : [];
  for (const { folderMillis, hash, sql: statements } of [...before, ...sinceBaseline]) {
    if (newest !== null && newest >= folderMillis) continue;
    for (const each of statements) await tx.execute(sql.raw(each));
    await tx.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at)
      values (${hash}, ${folderMillis})`);
    newest = folderMillis;
  }
}

/** The time of the newest migration that the database has had, or null for a new database. */
async function newestMigration(db: Pick<Migrated, 'execute'>): Promise<number | null> {
  const journal = await db.execute<{ exists: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as "exists"`,
  );
  if (journal.rows[0]?.exists !== true) return null;
  const { rows } = await db.execute<{ newest: number | null }>(
    sql`select max(created_at)::float8 as newest from drizzle.__drizzle_migrations`,
  );
  return rows[0]?.newest ?? null;
}
