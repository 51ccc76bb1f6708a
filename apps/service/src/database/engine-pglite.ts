import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import type { Db, Engine } from './db.ts';

export const createPglite = (options: PGliteOptions): Promise<PGlite> =>
  PGlite.create({ ...options, extensions: { btree_gist } });

/** The embedded engine; without a folder everything is gone when it closes. One connection. */
export async function openPglite(folder: string | null): Promise<Engine> {
  return pgliteEngine(await createPglite(folder === null ? {} : { dataDir: folder }));
}

export function pgliteEngine(client: PGlite): Engine {
  const db = drizzle({ client });
  return {
    kind: 'pglite',
    db,
    transaction: (work) => db.transaction((tx) => work(tx as unknown as Db)),
    answers: () =>
      db.execute(sql`select 1`).then(
        () => true,
        () => false,
      ),
    close: () => client.close(),
  };
}
