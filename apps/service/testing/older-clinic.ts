import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { sql } from 'drizzle-orm';

import { type Database, type Db, databaseOn } from '../src/database/db.ts';
import { createPglite, pgliteEngine } from '../src/database/engine-pglite.ts';
import { openPostgres } from '../src/database/engine-postgres.ts';
import { migratePglite, migratePostgres, migrationsFolder } from '../src/database/migrate.ts';
import type { KeyMaterial } from '../src/security/keyring.ts';
import { patientWaits } from './patient-waits.ts';
import { newDatabaseUrl } from './test-database.ts';

/** A database that no migration was run on yet. */
export interface BlankDatabase {
  readonly database: Database;
  /** What every start of the service does first. */
  migrate(): Promise<void>;
  /** Runs the migrations of a folder, as an older version of the service did. */
  migrateAsOf(folder: string): Promise<void>;
  close(): Promise<void>;
}

/** On the engine that the tests run on. */
export const blankDatabase = (): Promise<BlankDatabase> =>
  process.env.TEST_DATABASE === 'postgres' ? blankPostgres() : blankPglite();

async function blankPglite(): Promise<BlankDatabase> {
  const { migrate } = await import('drizzle-orm/pglite/migrator');
  const engine = pgliteEngine(await createPglite({}));
  const database = databaseOn(engine);
  return {
    database,
    migrate: () => migratePglite(engine.db),
    migrateAsOf: (folder) =>
      migrate(engine.db as unknown as Parameters<typeof migrate>[0], { migrationsFolder: folder }),
    close: () => database.close(),
  };
}

/** On the server of the tests, for what needs its address. */
export async function blankPostgres(): Promise<BlankDatabase & { readonly url: string }> {
  const [{ Client }, { drizzle }, { migrate }, url] = await Promise.all([
    import('pg'),
    import('drizzle-orm/node-postgres'),
    import('drizzle-orm/node-postgres/migrator'),
    newDatabaseUrl(),
  ]);
  const database = databaseOn(openPostgres({ url, poolSize: 10, waits: patientWaits }));
  return {
    url,
    database,
    migrate: () => migratePostgres(url),
    async migrateAsOf(migrationsFolder) {
      const client = new Client(url);
      await client.connect();
      try {
        await migrate(drizzle({ client }), { migrationsFolder });
      } finally {
        await client.end();
      }
    },
    close: () => database.close(),
  };
}

/** What release 0.2.0 makes of a new database. */
export const migrateAsOfRelease020 = (blank: BlankDatabase): Promise<void> =>
  migrateFirst(blank, 10);

/** Runs the first so many of the migrations. */
export async function migrateFirst(blank: BlankDatabase, count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'older-migrations-'));
  try {
    cpSync(migrationsFolder, folder, { recursive: true });
    const path = join(folder, 'meta/_journal.json');
    const journal = JSON.parse(readFileSync(path, 'utf8')) as { entries: unknown[] };
    writeFileSync(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }));
    await blank.migrateAsOf(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The keys of the older clinic. */
export const OLDER_KEYS: KeyMaterial = {
  current: 'k1',
  index: 'k1',
  keys: { k1: Buffer.from('A clinic of before the baseline.').toString('base64') },
};

/**
 * A clinic that began with version 0.1.0 and was upgraded to 0.2.0: its rows and its journal of migrations as
 * INSERT statements, written at the builders' now.
 */
export async function anOlderClinic<Blank extends BlankDatabase = BlankDatabase>(
  given?: Blank,
): Promise<Blank> {
  const blank = given ?? ((await blankDatabase()) as Blank);
  await migrateAsOfRelease020(blank);
  const rows = fileURLToPath(new URL('older-clinic/rows.sql', import.meta.url));
  const statements = readFileSync(rows, 'utf8').trim().split('\n');
  await blank.database.inTransaction(async (tx) => {
    for (const each of statements) await tx.execute(sql.raw(each));
  });
  return blank;
}

/** Everything that the catalogue says of the schema, a line or more for each thing, in one order. */
export async function schemaOf(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ says: string }>(sql`
    select concat_ws(' ', 'column', t.relname, row_number() over (partition by t.oid order by a.attnum),
             a.attname, format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' end,
             pg_get_expr(d.adbin, d.adrelid), nullif(a.attidentity, '')) as says
      from pg_attribute a
      join pg_class t on t.oid = a.attrelid
      left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
     where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace
       and a.attnum > 0 and not a.attisdropped
    union all
    -- The server numbers the names of NOT NULL where two of them would be the same.
    select concat_ws(' ', 'constraint', conrelid::regclass,
             case when contype = 'n' then regexp_replace(conname, '\\d+$', '') else conname end,
             pg_get_constraintdef(oid))
      from pg_constraint where connamespace = 'public'::regnamespace
    union all
    select concat_ws(' ', 'relation', relkind, relname)
      from pg_class where relnamespace = 'public'::regnamespace
    union all
    select pg_get_indexdef(indexrelid)
      from pg_index join pg_class t on t.oid = indrelid where t.relnamespace = 'public'::regnamespace
    union all
    select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all
    select pg_get_functiondef(p.oid) from pg_proc p
     where pronamespace = 'public'::regnamespace
       and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
    union all
    select 'sequence ' || (to_jsonb(s) - 'last_value')::text
      from pg_sequences s where schemaname = 'public'
    union all
    select concat_ws(' ', 'extension', extname, extversion) from pg_extension`);
  return rows.map(({ says }) => says).sort();
}
