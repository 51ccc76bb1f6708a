import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** How the server is reached: by connections of its own, or through a pooler that gives one for each transaction. */
export type Reach =
  | { readonly kind: 'direct' }
  | {
      readonly kind: 'pooler';
      /** It carries the statements that have a name to whichever connection they are used on. */
      readonly namedStatements: boolean;
    };

/**
 * Asks the server itself. A pooler gives its clients numbers of its own, not those of the server's
 * processes. One that carries named statements gives the server names of its own for them. A server
 * that is silent is waited for, unless said otherwise.
 */
export const reachOf = (url: string, withinMs?: number): Promise<Reach> =>
  connected({ url, withinMs }, async (client) => {
    await client.query('begin');
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    if (rows[0]?.pid === processOf(client)) return { kind: 'direct' };
    const name = `reach-${randomUUID()}`;
    const text = 'select from pg_prepared_statements where name = $1';
    const { rowCount } = await client.query({ name, text, values: [name] });
    // Others are given this connection too.
    if (rowCount !== 0) await client.query(`deallocate ${client.escapeIdentifier(name)}`);
    await client.query('commit');
    return { kind: 'pooler', namedStatements: rowCount === 0 };
  });

/** Whether two addresses lead to one database, and to one schema in it: to one clinic. */
export async function leadToOneClinic(one: string, other: string): Promise<boolean> {
  const places = await Promise.all(
    [one, other].map((url) =>
      connected({ url }, (client) =>
        client.query<{ database: string; schema: string | null }>(
          'select current_database() as database, current_schema() as schema',
        ),
      ),
    ),
  );
  const [here, there] = places.map(({ rows }) => rows[0]);
  return here?.database === there?.database && here?.schema === there?.schema;
}

async function connected<T>(
  { url, withinMs }: { readonly url: string; readonly withinMs?: number | undefined },
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    ...(withinMs !== undefined && {
      connectionTimeoutMillis: withinMs,
      query_timeout: withinMs,
    }),
  });
  // What breaks the connection fails the statement under way, too.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** pg keeps the number that the protocol gives each client, to cancel by; its types leave it out. */
const processOf = (client: pg.Client): unknown =>
  'processID' in client ? client.processID : undefined;
