import { randomBytes } from 'node:crypto';
import { type Database, type Db, type Tx, hasRows, part, sql, writeLast } from './db.ts';

// Small facts about the installation itself, each stored under a key.

/** Null when the fact was never written, or was removed. */
export async function readFact(db: Db, key: string): Promise<string | null> {
  const [row] = await sql<{ value: string }>(db, 'fact-read')`
    select value from installation where key = ${key}`;
  return row?.value ?? null;
}

/** The values of these keys in their order; null for those that were never written. */
export async function readFacts(
  db: Db,
  keys: readonly string[],
): Promise<readonly (string | null)[]> {
  const rows = await sql<{ key: string; value: string }>(db, 'facts-read')`
    select key, value from installation where key = any(${[...keys]}::text[])`;
  const values = new Map(rows.map(({ key, value }) => [key, value]));
  return keys.map((key) => values.get(key) ?? null);
}

/** The facts whose keys begin with this, in the order of their keys. */
export const factsBeginningWith = (db: Db, start: string) =>
  sql<{ key: string; value: string }>(db, 'facts-beginning')`
    select key, value from installation where starts_with(key, ${start}) order by key`;

export async function writeFact(tx: Tx, key: string, value: string): Promise<void> {
  await sql(tx, 'fact-write')`
    insert into installation (key, value) values (${key}, ${value})
        on conflict (key) do update set value = excluded.value`;
}

/** The fact, locked until the transaction ends; `first` is written if it never was. */
export async function lockFact(tx: Tx, key: string, first: string): Promise<string> {
  await sql(tx, 'fact-write-first')`
    insert into installation (key, value) values (${key}, ${first}) on conflict (key) do nothing`;
  const [row] = await sql<{ value: string }>(tx, 'fact-lock')`
    select value from installation where key = ${key} for update`;
  return row?.value ?? first;
}

/** True when there was such a fact. */
export const removeFact = (tx: Tx, key: string) =>
  hasRows(sql(tx, 'fact-remove')`
    delete from installation where key = ${key} returning key`);

const MORE_THAN_A_PAGE_HAS_LEFT = 6_144;

/** Writes what does not fit into the room that a full disk still has within its tables. */
export const tryToWrite = (database: Pick<Database, 'inTransaction'>): Promise<void> =>
  database.inTransaction(async (tx) => {
    const value = randomBytes(MORE_THAN_A_PAGE_HAS_LEFT).toString('base64');
    writeLast(
      tx,
      'fact-try',
      part`
        insert into installation (key, value) values ('write-tried', ${value})
            on conflict (key) do update set value = excluded.value`,
    );
  });
