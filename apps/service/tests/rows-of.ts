import { sql } from 'drizzle-orm';
import type { TwoPatients } from './two-patients.ts';
import { idsOf } from './two-patients.ts';

type Where = Pick<TwoPatients, 'database'>;

export async function tableNames({ database }: Where): Promise<string[]> {
  const { rows } = await database.db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = current_schema() order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Every column of every table, as SQL and as JavaScript would write it. */
export async function columnNames({ database }: Where): Promise<string[]> {
  const { rows } = await database.db.execute<{ name: string }>(
    sql`select distinct column_name as name from information_schema.columns
        where table_schema = current_schema() order by 1`,
  );
  const camel = (name: string) =>
    name.replace(/_s$/, '').replace(/_(\w)/g, (_, email: string) => email.toUpperCase());
  return [...new Set(rows.flatMap(({ name }) => [name, camel(name)]))];
}

/**
 * The whole database, table by table, each row as a line of JSON; in one statement, as each costs.
 * Without the links that the sealer puts to the trail meanwhile: they are no request's doing.
 */
export async function everyRow(clinic: Where): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = await tableNames(clinic);
  const ofTable = (name: string) =>
    sql`select ${name}::text as name, string_agg(row, E'\\n' order by row) as lines
          from (select (to_jsonb(t) - 'chain')::text as row from ${sql.identifier(name)} as t) as rows
         where row not like '%"audit-head"%'`;
  const { rows } = await clinic.database.db.execute<{ name: string; lines: string | null }>(
    sql.join(names.map(ofTable), sql` union all `),
  );
  return new Map(rows.map(({ name, lines }) => [name, lines?.split('\n') ?? []]));
}

/** The rows that name the other patient or one of the other's things, the asker's own apart. */
export async function rowsOfOther(clinic: TwoPatients): Promise<readonly string[]> {
  const ids = idsOf(clinic.other);
  return [...(await everyRow(clinic))].flatMap(([table, rows]) =>
    rows
      .filter((row) => ids.some((id) => row.includes(id)))
      .filter((row) => !row.includes(clinic.asker.row.id))
      .map((row) => `${table} ${row}`),
  );
}

/** Which tables differ between two looks. */
export function changedTables(
  before: ReadonlyMap<string, readonly string[]>,
  after: ReadonlyMap<string, readonly string[]>,
): string[] {
  return [...after.keys()].filter(
    (table) => before.get(table)?.join('\n') !== after.get(table)?.join('\n'),
  );
}
