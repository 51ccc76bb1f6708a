import { sql } from 'drizzle-orm';
import type { Database } from '../src/database/db.ts';
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

/** The whole database, table by table, each row as JSON. */
export async function everyRow(clinic: Where): Promise<ReadonlyMap<string, readonly string[]>> {
  const tables = new Map<string, readonly string[]>();
  for (const name of await tableNames(clinic))
    tables.set(name, await rowsIn(clinic.database, name));
  return tables;
}

/** Without the links that the sealer puts to the trail meanwhile: they are no request's doing. */
async function rowsIn({ db }: Database, table: string): Promise<string[]> {
  const { rows } = await db.execute<{ row: string }>(
    sql`select (to_jsonb(t) - 'chain')::text as row from ${sql.identifier(table)} as t order by 1`,
  );
  return rows.map(({ row }) => row).filter((row) => !row.includes('"audit-head"'));
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
