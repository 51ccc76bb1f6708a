import { getTableColumns, sql } from 'drizzle-orm';
import { type PgInsertValue, type PgTable, getTableConfig } from 'drizzle-orm/pg-core';
import type { Tx } from './db.ts';

/** Writes rows; where one with the primary key stands already, it becomes as given here. */
export async function putRows<Table extends PgTable>(
  tx: Tx,
  table: Table,
  rows: readonly PgInsertValue<Table>[],
): Promise<void> {
  const into: PgTable = table;
  const { columns, primaryKeys } = getTableConfig(into);
  const target = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
  const names = Object.entries(getTableColumns(into));
  const set = Object.fromEntries(
    names.map(([name, column]) => [name, sql`excluded.${sql.identifier(column.name)}`]),
  );
  await tx
    .insert(into)
    .values([...rows])
    .onConflictDoUpdate({ target, set });
}
