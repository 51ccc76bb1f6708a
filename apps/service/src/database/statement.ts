import type { Db } from './db.ts';

/** A statement under a name: the server parses and plans it once per connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

interface Rows<Row> {
  readonly rows: Row[];
}
interface ServerClient {
  on: unknown;
  query<Row>(config: {
    name: string;
    text: string;
    values: readonly unknown[];
  }): Promise<Rows<Row>>;
}
interface EmbeddedClient {
  query<Row>(text: string, values: readonly unknown[]): Promise<Rows<Row>>;
}

/**
 * Runs a statement on the connection behind a `Db` or `Tx`, past drizzle's query builder: for the
 * few statements that every booking or search goes through. Casts in the statement make both
 * engines answer the same types: `bigint` comes as a number, a `date` must be cast to text.
 */
export async function run<Row>(
  on: Db,
  statement: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  // drizzle keeps the connection on its session: the pool, a pooled client or PGlite's transaction.
  const { client } = (on as unknown as { session: { client: ServerClient | EmbeddedClient } })
    .session;
  const { rows } =
    'on' in client
      ? await client.query<Row>({ ...statement, values })
      : await client.query<Row>(statement.text, values);
  return rows;
}
