import { DrizzleQueryError, sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Db } from './db.ts';
import { lockFor } from './shared-names.store.ts';
import { sqlStateOf } from './sqlstate.ts';

/** A connection that is used only through drizzle's own methods. */
type Migrated = Omit<Db, '$client'>;

/** The baseline, and every change of the schema since. */
export const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url));

/**
 * How long a migration waits for each of its tables. It gives up before PostgreSQL looks for a deadlock, a second
 * after a request began to wait for a table that the migration has: no request is ended for it.
 */
const TABLE_WAIT_MS = 300;
const MOST_TRIES = 90;
const BETWEEN_TRIES_MS = 1_000;
/** The errors that mean that somebody holds a table that the migration changes. */
const IN_USE = new Set(['55P03', '40P01']);

/**
 * Migrates a PostgreSQL database to the newest schema, each migration in its own transaction: its locks are
 * released before the next one begins, so that an older version can serve meanwhile. Each transaction takes
 * the migration lock, so a second process waits and finds nothing left to do, even behind a pooler. When a
 * table is in use, the transaction is rolled back at once and tried again, with that table first: a request
 * that has it may wait for one that the migration had taken before, and so may the next request.
 */
export async function migratePostgres(url: string): Promise<void> {
  const [{ withClient }, { drizzle }] = await Promise.all([
    import('./pooler.ts'),
    import('drizzle-orm/node-postgres'),
  ]);
  await withClient({ connectionString: url }, async (client) => {
    const db = drizzle({ client });
    // Behind a pooler, another client may have used a statement's name on this connection before.
    const $client: Db['$client'] = {
      query: (statement) => client.query({ ...statement, name: '' }),
    };
    const migrateOne = (first: string | null) =>
      db.transaction(async (tx) => {
        await tx.execute(sql`set local client_min_messages = warning; set local lock_timeout = 0;
          set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`);
        await lockFor('migration', { $client });
        await tx.execute(sql.raw(`set local lock_timeout = ${TABLE_WAIT_MS}`));
        if (first !== null)
          await tx.execute(sql`lock table ${sql.identifier(first)} in access exclusive mode`);
        return migrateIn(tx, 1);
      });
    let first: string | null = null;
    for (let tries = 1; ;) {
      try {
        if ((await migrateOne(first)) === 0) return;
        tries = 1;
        first = null;
      } catch (error) {
        if (!IN_USE.has(sqlStateOf(error) ?? '')) throw error;
        first = tableOf(error) ?? first;
        if (tries === MOST_TRIES)
          throw new Error(
            `The database cannot be brought up to date: ${tries} times a table was in use. End what holds it (pg_stat_activity shows it) and start again.`,
            { cause: error },
          );
        tries += 1;
        await pause(BETWEEN_TRIES_MS);
      }
    }
  });
}

/** The table that the failed statement of a migration changes. */
function tableOf(error: unknown): string | null {
  const statement = error instanceof DrizzleQueryError ? error.query : '';
  return (
    /^\s*(?:alter table|update|create [^;]*? on|lock table) "(\w+)"/i.exec(statement)?.[1] ?? null
  );
}

/** The same for the embedded engine, which no other process uses: runs all due migrations, or none. */
export const migratePglite = (db: Migrated): Promise<void> =>
  db.transaction(async (tx) => void (await migrateIn(tx, Infinity)));

/**
 * Runs the first `most` migrations that are due, and returns how many it ran. The journal is drizzle's. A
 * database that began with 0.1 and was upgraded to 0.2.0 has the baseline's time in it.
 */
async function migrateIn(tx: Pick<Migrated, 'execute'>, most: number): Promise<number> {
  const all = readMigrationFiles({ migrationsFolder });
  const { journal, newest } = await journalOf(tx);
  if (newest !== null && newest < (all[0]?.folderMillis ?? 0))
    throw new Error(
      'The database is one of version 0.1: start version 0.2.0 on it once, and then this version.',
    );
  const due = all
    .filter(({ folderMillis }) => newest === null || newest < folderMillis)
    .slice(0, most);
  for (const { folderMillis, hash, sql: statements } of due) {
    for (const each of statements) await tx.execute(sql.raw(each));
    await tx.execute(sql`insert into ${journal} (hash, created_at)
      values (${hash}, ${folderMillis})`);
  }
  return due.length;
}

/** The schema in which drizzle keeps its journal by default: one for the whole database. */
const DRIZZLES_PLACE = 'drizzle';

/** The journal, created if missing, and the time of the newest migration in it. */
async function journalOf(tx: Pick<Migrated, 'execute'>) {
  const place = await placeOfJournal(tx);
  const journal = sql`${sql.identifier(place)}.__drizzle_migrations`;
  const { rows } = await tx.execute<{ exists: boolean }>(
    sql`select to_regclass(quote_ident(${place}) || '.__drizzle_migrations') is not null as "exists"`,
  );
  if (rows[0]?.exists !== true) {
    if (place === DRIZZLES_PLACE) await tx.execute(sql`create schema if not exists drizzle`);
    await tx.execute(sql`create table ${journal}
      (id serial primary key, hash text not null, created_at bigint)`);
  }
  const noted = await tx.execute<{ newest: number | null }>(
    sql`select max(created_at)::float8 as newest from ${journal}`,
  );
  return { journal, newest: noted.rows[0]?.newest ?? null };
}

/**
 * The schema of the journal: the clinic's own, so that each clinic on a database has a journal. Release 0.2.0
 * looks for it in drizzle's schema: that is kept for 'public' and for schemas that 0.2.0 has filled.
 */
async function placeOfJournal(tx: Pick<Migrated, 'execute'>): Promise<string> {
  const { rows } = await tx.execute<{
    schema: string | null;
    mayFill: boolean;
    hasOwn: boolean;
    isFilled: boolean;
  }>(
    sql`select current_schema() as schema,
               has_schema_privilege(current_schema(), 'create') as "mayFill",
               to_regclass(quote_ident(current_schema()) || '.__drizzle_migrations') is not null
                 as "hasOwn",
               to_regclass(quote_ident(current_schema()) || '.installation') is not null
                 as "isFilled"`,
  );
  const [found] = rows;
  if (!found?.schema || (!found.mayFill && !found.isFilled))
    throw new Error(
      'The database has no schema for the clinic: the search_path of its role names none first that is there and that it may fill.',
    );
  const { schema, hasOwn, isFilled } = found;
  return schema === 'public' || (isFilled && !hasOwn) ? DRIZZLES_PLACE : schema;
}
