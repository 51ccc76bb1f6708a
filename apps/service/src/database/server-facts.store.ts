import { type Db, sql } from './db.ts';

export interface ServerFacts {
  /** 150018 for version 15.18. */
  readonly version: number;
  /** How many milliseconds the server's clock is ahead of this host's; negative when it is behind. */
  readonly aheadMs: number;
  /** The clinic's schema; null when the role's search_path names no existing one. */
  readonly schema: string | null;
  /** The schemas of other clinics on this database of which the role may use a table. */
  readonly open: readonly string[];
}

/** Asks the server for these facts. */
export async function serverFacts(db: Pick<Db, '$client'>): Promise<ServerFacts> {
  const asked = Date.now();
  const [row] = await sql<{ version: number; ms: number } & Pick<ServerFacts, 'schema' | 'open'>>(
    db,
  )`
    select current_setting('server_version_num')::int as version,
           extract(epoch from clock_timestamp())::float8 * 1000 as ms,
           current_schema()::text as schema,
           array(select distinct n.nspname::text
                   from pg_namespace n join pg_class t on t.relnamespace = n.oid
                  where n.nspname <> current_schema() and t.relkind = 'r'
                    and exists (select from pg_class i
                                 where i.relnamespace = n.oid and i.relname = 'installation')
                    and has_schema_privilege(n.oid, 'usage')
                    and has_table_privilege(t.oid, 'select, insert, update, delete')
                  order by 1) as open`;
  // Assumes that the question took half of the round trip.
  const middle = (asked + Date.now()) / 2;
  return {
    version: row?.version ?? 0,
    aheadMs: (row?.ms ?? Number.NaN) - middle,
    schema: row?.schema ?? null,
    open: row?.open ?? [],
  };
}
