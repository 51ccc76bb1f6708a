import { getTableColumns, sql } from 'drizzle-orm';
import { type PgInsertValue, type PgTable, getTableConfig } from 'drizzle-orm/pg-core';
import type { Tx } from './db.ts';

/** A statement has 65,535 parameters at most, and none of our tables has 60 columns. */
const ROWS_AT_ONCE = 1_000;

/** Writes rows; a row with the same primary key is overwritten. */
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
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await tx
      .insert(into)
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .onConflictDoUpdate({ target, set });
}
