import type { Platform } from '../platform.ts';
import type { Tx } from '../database/db.ts';
import { type Columns, type TableProblem, type TableRow, readTable } from './csv-table.ts';

export type ImportPorts = Pick<Platform, 'database' | 'appendAudit'>;

/** One kind of file, what its columns are, and how its rows are written. */
export interface Importing<Row extends object> {
  /** 'providers', as the trail names it. */
  readonly what: string;
  readonly columns: Columns<Row>;
  /** What is wrong across rows, or against what the clinic has already. */
  readonly check: (
    tx: Tx,
    rows: readonly TableRow<Row>[],
    today: string,
  ) => Promise<readonly TableProblem[]>;
  readonly write: (tx: Tx, rows: readonly Row[]) => Promise<void>;
}

export type Imported =
  | { readonly kind: 'imported'; readonly rows: number }
  | { readonly kind: 'problems'; readonly problems: readonly TableProblem[] };

/** All rows, or none: what is wrong is said row by row, and the database is as before. */
export async function importTable<Row extends object>(
  { database, appendAudit }: ImportPorts,
  { what, columns, check, write }: Importing<Row>,
  bytes: Uint8Array,
  who: { readonly actor: string; readonly now: number; readonly today: string },
): Promise<Imported> {
  const read = readTable(bytes, columns);
  if (read.kind === 'problems') return read;
  return database.inTransaction<Imported>(async (tx) => {
    const problems = await check(tx, read.rows, who.today);
    if (problems.length > 0) return { kind: 'problems', problems };
    await write(
      tx,
      read.rows.map(({ row }) => row),
    );
    await appendAudit(tx, {
      actor: who.actor,
      action: 'imported',
      subject: `import:${what}`,
      details: { rows: read.rows.length },
      at: who.now,
    });
    return { kind: 'imported', rows: read.rows.length };
  });
}

/** Rows that say the same thing twice. */
export function doubled<Row>(
  rows: readonly TableRow<Row>[],
  column: keyof Row & string,
  keyOf: (row: Row) => string = (row) => String(row[column]),
): TableProblem[] {
  const firstLines = new Map<string, number>();
  return rows.flatMap(({ row, line }) => {
    const key = keyOf(row);
    const before = firstLines.get(key);
    if (before === undefined) firstLines.set(key, line);
    return before === undefined ? [] : [{ line, column, why: `stands in line ${before} already` }];
  });
}
