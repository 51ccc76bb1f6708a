import { join } from 'node:path';
import { type Database, databaseOn } from './db.ts';
import type { PostgresOptions } from './engine-postgres.ts';
import { migratePglite, migratePostgres } from './migrate.ts';

export interface DatabaseOptions extends Omit<PostgresOptions, 'url'> {
  /** PostgreSQL; without it the embedded engine. */
  readonly url?: string | undefined;
  /** Where the embedded engine keeps its files; without it everything stays in memory. */
  readonly dataDir?: string | undefined;
}

/** Opens the database and brings it to the newest schema. */
export async function openDatabase({
  url,
  dataDir,
  ...pool
}: DatabaseOptions = {}): Promise<Database> {
  if (url !== undefined) {
    const { openPostgres } = await import('./engine-postgres.ts');
    await migratePostgres(url);
    return databaseOn(openPostgres({ url, ...pool }));
  }
  const [{ openPglite }, { lockFolder }] = await Promise.all([
    import('./engine-pglite.ts'),
    import('../server/folder-lock.ts'),
  ]);
  const unlock = dataDir === undefined ? () => undefined : lockFolder(dataDir);
  try {
    const engine = await openPglite(dataDir === undefined ? null : join(dataDir, 'database'));
    await migratePglite(engine.db);
    const close = () => engine.close().finally(unlock);
    return databaseOn({ ...engine, close });
  } catch (error) {
    unlock();
    throw error;
  }
}
