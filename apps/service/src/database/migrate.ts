import { fileURLToPath } from 'node:url';

const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url));
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
    await migrate(drizzle({ client }), { migrationsFolder });
  } finally {
    await client.end();
  }
}

/** The same for the embedded engine. */
export async function migratePglite(db: unknown): Promise<void> {
  const { migrate } = await import('drizzle-orm/pglite/migrator');
  await migrate(db as Parameters<typeof migrate>[0], { migrationsFolder });
}

export { migrationsFolder };
