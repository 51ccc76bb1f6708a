import { PGlite, type PGliteOptions, type Transaction } from '@electric-sql/pglite';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import type { Client, Db, Engine } from './db.ts';

export const createPglite = (options: PGliteOptions): Promise<PGlite> =>
  PGlite.create({ ...options, extensions: { btree_gist } });

/** Opens the embedded engine, which has one connection; without a folder all data is lost when it closes. */
export async function openPglite(folder: string | null): Promise<Engine> {
  return pgliteEngine(await createPglite(folder === null ? {} : { dataDir: folder }));
}

const dbOn = (client: PGlite | Transaction): Db =>
  // drizzle takes a transaction of the engine for a client like the engine itself.
  Object.assign(drizzle({ client: client as PGlite }), {
    $client: { query: ({ text, values }) => client.query(text, values) } satisfies Client,
  });

export function pgliteEngine(client: PGlite): Engine {
  const db = dbOn(client);
  return {
    db,
    transaction: (work, lastWrites) =>
      client.transaction(async (tx) => {
        const value = await work(dbOn(tx));
        await lastWrites?.();
        return value;
      }),
    answers: () =>
      db.execute(sql`select 1`).then(
        () => true,
        () => false,
      ),
    close: () => client.close(),
  };
}
