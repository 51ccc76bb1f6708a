import { join } from 'node:path';
import { type Database, type ReplicaStanding, databaseOn } from './db.ts';
import type { PostgresOptions } from './engine-postgres.ts';
import { migratePglite, migratePostgres } from './migrate.ts';
import type { Reach } from './reach.ts';

/** A replica that is silent for so long is opened anew; nobody waits for that. */
const OPENED_WITHIN_MS = 30_000;

export interface DatabaseOptions extends Omit<PostgresOptions, 'url' | 'reach'> {
  /** PostgreSQL; without it the embedded engine. */
  readonly url?: string | undefined;
  /** A streaming replica of it, which is read in its place (`readAside`). */
  readonly replicaUrl?: string | undefined;
  /** How long a read waits for what the replica lacks. */
  readonly replicaPatienceMs?: number;
  readonly onReplica?: (standing: ReplicaStanding) => void;
  /** Told how the server is reached, as a word for the log. */
  readonly onReached?: (how: string) => void;
  /** Where the embedded engine keeps its files; without it everything stays in memory. */
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
      import('./reach.ts'),
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
      // One that is away, or was promoted, keeps no clinic closed.
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

/** `direct`, or `pooler` with what it carries and whether others' commits are heard or looked for. */
function wordFor(reach: Reach, directUrl: string | undefined): string {
  if (reach.kind === 'direct') return 'direct';
  const named = reach.namedStatements ? 'named-statements' : 'no-named-statements';
  return `pooler.${named}.${directUrl === undefined ? 'polling' : 'listening'}`;
}
