import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** How the server is reached: directly, or through a pooler that lends a connection for each transaction. */
export type Reach =
  | { readonly kind: 'direct' }
  | {
      readonly kind: 'pooler';
      /** True when the pooler prepares named statements on every connection that uses them. */
      readonly namedStatements: boolean;
    };

/**
 * Finds out by asking the server. A pooler gives its clients process ids of its own, not those of the
 * server's processes. One that carries named statements renames them on the server. Waits for a silent server
 * without limit, unless `withinMs` is given.
 */
export const reachOf = (connectionString: string, withinMs?: number): Promise<Reach> => {
  const timeouts = withinMs !== undefined && {
    connectionTimeoutMillis: withinMs,
    query_timeout: withinMs,
  };
  return withClient({ connectionString, ...timeouts }, async (client) => {
    await client.query('begin');
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    if (rows[0]?.pid === processOf(client)) return { kind: 'direct' };
    const name = `reach-${randomUUID()}`;
    const text = 'select from pg_prepared_statements where name = $1';
    const { rowCount } = await client.query({ name, text, values: [name] });
    // The pooler lends this connection to others, too.
    if (rowCount !== 0) await client.query(`deallocate ${client.escapeIdentifier(name)}`);
    await client.query('commit');
    return { kind: 'pooler', namedStatements: rowCount === 0 };
  });
};

/** True when two addresses lead to the same schema of the same database: to one clinic. */
export async function leadToOneClinic(one: string, other: string): Promise<boolean> {
  const places = await Promise.all(
    [one, other].map((connectionString) =>
      withClient({ connectionString }, (client) =>
        client.query<{ database: string; schema: string | null }>(
          'select current_database() as database, current_schema() as schema',
        ),
      ),
    ),
  );
  const [here, there] = places.map(({ rows }) => rows[0]);
  return here?.database === there?.database && here?.schema === there?.schema;
}

/** Does some work on a connection of its own. To close it rolls back an open transaction. */
export async function withClient<T>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(config);
  // What breaks the connection also fails the statement under way.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** pg keeps the process id that the protocol gives a client for cancelling; its types leave it out. */
const processOf = (client: pg.Client): unknown =>
  'processID' in client ? client.processID : undefined;

/**
 * Replaces the pool's own `query`: even a single statement runs in a transaction, for its time limits. The
 * three statements are sent together, so they still take one round trip.
 */
export function eachInTransaction(pool: pg.Pool, begin: string) {
  return async (...statement: unknown[]): Promise<unknown> => {
    const client = await pool.connect();
    const [begun, answered, ended] = await Promise.allSettled([
      client.query(begin),
      client.query(...(statement as [string])),
      client.query('commit'),
    ]);
    const failed = [answered, begun, ended].find((each) => each.status === 'rejected');
    client.release(failed?.reason as Error | undefined);
    if (answered.status === 'rejected' || failed) throw failed?.reason;
    return answered.value;
  };
}
