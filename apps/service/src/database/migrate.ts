import { DrizzleQueryError, type SQL, sql } from 'drizzle-orm';
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
  const standing = await standingOf(tx);
  if (standing.kind === 'half') throw new Error(`${standing.why} ${RESTORE_AGAIN}.`);
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
  const { place, journal, exists } = await findJournal(tx);
  if (!exists) {
    if (place === DRIZZLES_PLACE) await tx.execute(sql`create schema if not exists drizzle`);
    await tx.execute(sql`create table ${journal}
      (id serial primary key, hash text not null, created_at bigint)`);
  }
  return { journal, newest: await newestIn(tx, journal) };
}

async function findJournal(tx: Pick<Migrated, 'execute'>) {
  const place = await placeOfJournal(tx);
  const { rows } = await tx.execute<{ exists: boolean }>(
    sql`select to_regclass(quote_ident(${place}) || '.__drizzle_migrations') is not null as "exists"`,
  );
  const journal = sql`${sql.identifier(place)}.__drizzle_migrations`;
  return { place, journal, exists: rows[0]?.exists === true };
}

async function newestIn(tx: Pick<Migrated, 'execute'>, journal: SQL): Promise<number | null> {
  const { rows } = await tx.execute<{ newest: number | null }>(
    sql`select max(created_at)::float8 as newest from ${journal}`,
  );
  return rows[0]?.newest ?? null;
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

/** How a database compares with this version: `half` is what was left of a restore that did not end. */
export type Standing =
  { readonly kind: 'new' | 'older' | 'ready' } | { readonly kind: 'half'; readonly why: string };

export const RESTORE_AGAIN =
  'Restore the backup again, into an empty database and to its end; of one that was cut take the one before it (docs/operating.md, Restore)';

/**
 * How this database stands, of whatever version it is. A restore makes tables, rows, keys, indexes and triggers
 * in this order: one that did not end lacks some of what stands last.
 */
export async function standingOf(db: Pick<Migrated, 'execute'>): Promise<Standing> {
  const { journal, exists } = await findJournal(db);
  const newest = exists ? await newestIn(db, journal) : null;
  const has = await thingsIn(db);
  if (newest === null)
    return has.has('the table installation')
      ? half('has tables, and nothing says of which version they are')
      : { kind: 'new' };
  const all = readMigrationFiles({ migrationsFolder });
  const done = all.filter(({ folderMillis }) => folderMillis <= newest);
  // A newer version may have taken away what this one knows.
  if (newest > (all.at(-1)?.folderMillis ?? 0)) return { kind: 'ready' };
  const lacking = thingsMadeBy(done.flatMap(({ sql: statements }) => statements)).find(
    (thing) => !has.has(thing),
  );
  if (lacking !== undefined) return half(`lacks ${lacking}`);
  return { kind: done.length < all.length ? 'older' : 'ready' };
}

const half = (why: string): Standing => ({
  kind: 'half',
  why: `This database is half a restore: it ${why}.`,
});

/** What keeps the data whole: primary keys, unique indexes, exclusions and triggers; and every table. */
async function thingsIn(db: Pick<Migrated, 'execute'>): Promise<ReadonlySet<string>> {
  const { rows } = await db.execute<{ thing: string }>(sql`
    with own as (
      select oid, relname from pg_class
       where relkind = 'r' and relnamespace = to_regnamespace(quote_ident(current_schema())))
    select 'the table ' || relname as thing from own
    union all
    select case when c.contype is null or c.contype = 'u' then 'the index ' || i.relname
                when c.contype = 'p' then 'the primary key of ' || own.relname
                else 'the exclusion ' || i.relname end
      from own join pg_index on indrelid = own.oid join pg_class i on i.oid = indexrelid
      left join pg_constraint c on c.conindid = indexrelid and c.contype in ('p', 'u', 'x')
    union all
    select 'the trigger ' || tgname from own join pg_trigger on tgrelid = own.oid where not tgisinternal`);
  return new Set(rows.map(({ thing }) => thing));
}

/** The same of what these statements leave, in their order. */
function thingsMadeBy(statements: readonly string[]): readonly string[] {
  const things = new Set<string>();
  for (const text of statements) {
    for (const [, table, columns = ''] of text.matchAll(/^create table "(\w+)" \(([^]*?)^\)/gim)) {
      things.add(`the table ${table}`);
      if (/\bprimary key\b/i.test(columns)) things.add(`the primary key of ${table}`);
    }
    for (const [, name] of text.matchAll(/^create unique index "(\w+)"/gim))
      things.add(`the index ${name}`);
    for (const [, name] of text.matchAll(/^alter table .* add constraint "(\w+)" exclude /gim))
      things.add(`the exclusion ${name}`);
    for (const [, name] of text.matchAll(/^create trigger "(\w+)"/gim))
      things.add(`the trigger ${name}`);
    for (const [, kind = '', name] of text.matchAll(
      /^drop (table|index|trigger) (?:if exists )?"(\w+)"/gim,
    ))
      things.delete(`the ${kind.toLowerCase()} ${name}`);
    for (const [, kind = '', from, to] of text.matchAll(
      /^alter (table|index|trigger) "(\w+)"(?: on "\w+")? rename to "(\w+)"/gim,
    ))
      for (const what of [kind.toLowerCase(), 'primary key of'])
        if (things.delete(`the ${what} ${from}`)) things.add(`the ${what} ${to}`);
  }
  return [...things];
}
