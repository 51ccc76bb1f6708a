import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Db } from './db.ts';

/** A connection that only drizzle's own ways are asked of. */
type Migrated = Omit<Db, '$client'>;

/** The baseline, and every change of the schema since. */
export const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url));
/** The migrations before the baseline, for databases that have begun with them (docs/migrations.md). */
const beforeBaselineFolder = join(migrationsFolder, 'before-baseline');
/** Any number that no other program on this database uses; one process migrates at a time. */
const MIGRATION_LOCK = 7_318_201;

/** Brings a PostgreSQL database to the schema, on a connection of its own without time limits. */
export async function migratePostgres(url: string): Promise<void> {
  const [{ default: pg }, { drizzle }, { migrate }] = await Promise.all([
    import('pg'),
    import('drizzle-orm/node-postgres'),
    import('drizzle-orm/node-postgres/migrator'),
  ]);
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query('set client_min_messages to warning');
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const db = drizzle({ client });
    await migrateFrom(db, (folder) => migrate(db, { migrationsFolder: folder }));
  } finally {
    await client.end();
  }
}

/** The same for the embedded engine. */
export async function migratePglite(db: Migrated): Promise<void> {
  const { migrate } = await import('drizzle-orm/pglite/migrator');
  await migrateFrom(db, (folder) =>
    migrate(db as unknown as Parameters<typeof migrate>[0], { migrationsFolder: folder }),
  );
}

/**
 * A database older than the baseline gets what is left of the migrations before it, in one
 * transaction. The last of them stands in its journal at the baseline's time, so that the baseline
 * is not run on it.
 */
async function migrateFrom(
  db: Migrated,
  migrate: (folder: string) => Promise<void>,
): Promise<void> {
  const [baseline] = readMigrationFiles({ migrationsFolder });
  const newest = await newestMigration(db);
  if (baseline && newest !== null && newest < baseline.folderMillis)
    await migrate(beforeBaselineFolder);
  await migrate(migrationsFolder);
}

/** The time of the newest migration that the database has had, or null for a new database. */
async function newestMigration(db: Migrated): Promise<number | null> {
  const journal = await db.execute<{ exists: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as "exists"`,
  );
  if (journal.rows[0]?.exists !== true) return null;
  const { rows } = await db.execute<{ newest: number | null }>(
    sql`select max(created_at)::float8 as newest from drizzle.__drizzle_migrations`,
  );
  return rows[0]?.newest ?? null;
}
