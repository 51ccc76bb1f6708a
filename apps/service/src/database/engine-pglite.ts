import { PGlite, type PGliteOptions, type Transaction } from '@electric-sql/pglite';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import type { Ask, Db, Engine } from './db.ts';

export const createPglite = (options: PGliteOptions): Promise<PGlite> =>
  PGlite.create({ ...options, extensions: { btree_gist } });

/** The embedded engine; without a folder everything is gone when it closes. One connection. */
export async function openPglite(folder: string | null): Promise<Engine> {
  return pgliteEngine(await createPglite(folder === null ? {} : { dataDir: folder }));
}

const dbOn = (client: PGlite | Transaction): Db => {
  const ask: Ask = async <Row>(_name: string, text: string, values: readonly unknown[]) =>
    (await client.query<Row>(text, [...values])).rows;
  // To drizzle a transaction of the engine is a client like the engine itself.
  return Object.assign(drizzle({ client: client as PGlite }), { ask });
};

export function pgliteEngine(client: PGlite): Engine {
  const db = dbOn(client);
  return {
    kind: 'pglite',
    db,
    transaction: (work) => client.transaction((tx) => work(dbOn(tx))),
    answers: () =>
      db.execute(sql`select 1`).then(
        () => true,
        () => false,
      ),
    close: () => client.close(),
  };
}
