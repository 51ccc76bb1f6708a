import { join } from 'node:path';
import { type Database, type Db, type ReplicaStanding, databaseOn } from './db.ts';
import type { PostgresOptions } from './engine-postgres.ts';
import { migratePglite, migratePostgres } from './migrate.ts';
import type { Reach } from './pooler.ts';

/** How long opening a replica may take when its server is silent; no request waits for that. */
const OPENED_WITHIN_MS = 30_000;

export interface DatabaseOptions extends Omit<PostgresOptions, 'url' | 'reach'> {
  /** The address of PostgreSQL; without it the embedded engine is used. */
  readonly url?: string | undefined;
  /** The address of a streaming replica, which is read in the database's place (`readAside`). */
  readonly replicaUrl?: string | undefined;
  /** How long a read waits for the replica to catch up. */
  readonly replicaPatienceMs?: number;
  readonly onReplica?: (standing: ReplicaStanding) => void;
  /** Called with how the server is reached, as a word for the log. */
  readonly onReached?: (how: string) => void;
  /** The folder for the embedded engine's files; without it everything stays in memory. */
  readonly dataDir?: string | undefined;
}

/** Opens the database and brings it to the newest schema. */
export async function openDatabase({
  url,
  directUrl,
  replicaUrl,
  replicaPatienceMs,
  dataDir,
  onReached,
  onReplica = () => undefined,
  ...pool
}: DatabaseOptions = {}): Promise<Database> {
  if (url !== undefined) {
    const [{ openPostgres }, { leadToOneClinic, reachOf }] = await Promise.all([
      import('./engine-postgres.ts'),
      import('./pooler.ts'),
    ]);
    const reach = await reachOf(url);
    if (directUrl !== undefined && (await reachOf(directUrl)).kind === 'pooler')
      throw new Error('DATABASE_DIRECT_URL leads to a pooler. It must lead to PostgreSQL itself.');
    if (directUrl !== undefined && !(await leadToOneClinic(url, directUrl)))
      throw new Error('DATABASE_DIRECT_URL leads to another clinic than DATABASE_URL.');
    await migratePostgres(directUrl ?? url);
    onReached?.(wordFor(reach, directUrl));
    const engine = openPostgres({ url, reach, directUrl, ...pool });
    if (replicaUrl === undefined) return databaseOn(engine);
    const { createReplica } = await import('./replica.store.ts');
    const replica = createReplica({
      primary: engine.db,
      open: async () =>
        openPostgres({
          url: replicaUrl,
          reach: await reachOf(replicaUrl, OPENED_WITHIN_MS),
          ...pool,
        }),
      patienceMs: replicaPatienceMs,
      onStanding: onReplica,
    });
    const database = databaseOn(engine, replica);
    try {
      // A replica that is away or was promoted does not keep the service from starting.
      if ((await replica.standing()) === 'foreign')
        throw new Error('DATABASE_REPLICA_URL leads to another clinic than DATABASE_URL.');
      return database;
    } catch (error) {
      await database.close();
      throw error;
    }
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

/** Looks at a database of PostgreSQL as it stands, without bringing it to this version. */
export async function lookAt<T>(url: string, look: (db: Db) => Promise<T>): Promise<T> {
  const [{ openPostgres }, { reachOf }] = await Promise.all([
    import('./engine-postgres.ts'),
    import('./pooler.ts'),
  ]);
  const database = databaseOn(openPostgres({ url, reach: await reachOf(url), poolSize: 1 }));
  try {
    return await look(database.db);
  } finally {
    await database.close();
  }
}

/** `direct`, or `pooler` with whether it carries named statements and how commits become known. */
function wordFor(reach: Reach, directUrl: string | undefined): string {
  if (reach.kind === 'direct') return 'direct';
  const named = reach.namedStatements ? 'named-statements' : 'no-named-statements';
  return `pooler.${named}.${directUrl === undefined ? 'polling' : 'listening'}`;
}
