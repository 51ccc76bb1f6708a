import { getTableColumns } from 'drizzle-orm';
import { type PgTable, bigint, customType, date } from 'drizzle-orm/pg-core';
import { type Part, part } from './db.ts';

/**
 * Column types for both engines. Money is integer cents. SQL does no time zone arithmetic and never reads the
 * clock. The exclusion constraint and the triggers, which drizzle cannot express, stand in the SQL of the
 * first migration.
 */

/** Ciphertext (in columns named `…_sealed`), hashes, MACs. */
export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => 'bytea',
});

/** Epoch seconds, in columns named `…_s`. */
export const seconds = (name: string) => bigint(name, { mode: 'number' });

/** A clinic date, 'YYYY-MM-DD'. */
export const day = (name: string) => date(name, { mode: 'string' });

/** The number of a database transaction. */
export const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' });

/** All columns of a table, which the statement calls `as`, under the names that its schema gives them. */
export const columnsOf = (table: PgTable, as: string): Part =>
  part([
    Object.entries(getTableColumns(table))
      .map(([name, column]) => {
        const cast = column.getSQLType() === 'date' ? '::text' : '';
        return `${as}.${column.name}${cast} as "${name}"`;
      })
      .join(', '),
  ]);
