import { type Db, sql } from './db.ts';

export interface ServerFacts {
  /** 15.18 as 150018. */
  readonly version: number;
  /** How far the server's clock is before this host's; below 0 where it is behind. */
  readonly aheadMs: number;
  /** The clinic's; null where the role's search_path names none that is there. */
  readonly schema: string | null;
  /** Of other clinics on this database: those of which the role may use a table. */
  readonly open: readonly string[];
}

/** What the server says of itself. */
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
  // Half of the way there and back is the way there.
  const middle = (asked + Date.now()) / 2;
  return {
    version: row?.version ?? 0,
    aheadMs: (row?.ms ?? Number.NaN) - middle,
    schema: row?.schema ?? null,
    open: row?.open ?? [],
  };
}
