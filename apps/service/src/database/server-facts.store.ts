import { type Db, sql } from './db.ts';

export interface ServerFacts {
  /** 15.18 as 150018. */
  readonly version: number;
  /** How far the server's clock is before this host's; below 0 where it is behind. */
  readonly aheadMs: number;
}

/** What the server says of itself. */
export async function serverFacts(db: Pick<Db, '$client'>): Promise<ServerFacts> {
  const asked = Date.now();
  const [row] = await sql<{ version: number; ms: number }>(db)`
    select current_setting('server_version_num')::int as version,
           extract(epoch from clock_timestamp())::float8 * 1000 as ms`;
  // Half of the way there and back is the way there.
  const middle = (asked + Date.now()) / 2;
  return { version: row?.version ?? 0, aheadMs: (row?.ms ?? Number.NaN) - middle };
}
