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

/** A part of a statement, with the values of its parameters. */
export interface Part {
  readonly texts: readonly string[];
  readonly values: readonly unknown[];
}

/** Writes a part, for `sql` or for another part. */
export function part(texts: TemplateStringsArray, ...values: readonly unknown[]): Part {
  return { texts, values };
}

const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && 'texts' in value && 'values' in value;

function write({ texts, values }: Part, parameters: unknown[]): string {
  return texts.reduce((written, next, at) => {
    const value = values[at - 1];
    if (isPart(value)) return written + write(value, parameters) + next;
    return `${written}$${parameters.push(value)}${next}`;
  });
}

/**
 * Runs a statement that is written as a template: a value becomes a parameter, a part its text. Under
 * one name the text is always the same, whatever the values are.
 */
export function sql<Row = unknown>(on: Db, name: string) {
  return async (texts: TemplateStringsArray, ...values: readonly unknown[]): Promise<Row[]> => {
    const parameters: unknown[] = [];
    const text = write({ texts, values }, parameters);
    return run<Row>(on, { name, text }, parameters);
  };
}
