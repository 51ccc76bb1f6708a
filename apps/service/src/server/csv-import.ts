import { toClinic } from '@clinic/domain';
import type { ClinicDate } from '@clinic/domain';
import { z } from 'zod';
import type { Db, Tx } from '../database/db.ts';
import type { ServerPorts } from './server-ports.ts';
import { AS_TEXT, textOf } from './sheet-values.ts';
import { fieldOf, isText } from './table-columns.ts';
import {
  SAVE_AS_UTF8,
  type TableProblem,
  at,
  foldedName,
  readSheet,
  written,
} from './table-text.ts';
import { versionOfContent } from './version.ts';

/** One kind of file, what its columns are, and how its rows are read and written. */
export interface Importing<Row extends object> {
  /** The kind's name in the audit trail: 'providers'. */
  readonly what: string;
  /** A column may be missing from the file if its schema accepts undefined. */
  readonly columns: Columns<Row>;
  /** The columns by which a row is known: a row with the same replaces it. */
  readonly key: readonly (keyof Row & string)[];
  /** Columns of the key: a file replaces all of the rows that share them with one of its own. */
  readonly whole?: readonly (keyof Row & string)[];
  /** Finds what is wrong across rows, or against what the clinic has already. */
  readonly check: (
    tx: Tx,
    rows: readonly TableRow<Row>[],
    today: ClinicDate,
  ) => Promise<readonly TableProblem[]> | readonly TableProblem[];
  readonly write: (tx: Tx, rows: readonly Row[]) => Promise<void>;
  /** What the clinic has, in such a form that importing it again changes nothing. */
  readonly kept: (db: Db) => Promise<readonly Readonly<Record<keyof Row, FieldValue>>[]>;
}

export type FieldValue = string | number | boolean | null | readonly string[];

type Columns<Row> = { readonly [Name in keyof Row]: z.ZodType<Row[Name], string | undefined> };

/** A row of a file with these columns. */
export type RowOf<Fields extends Readonly<Record<string, z.ZodType>>> = {
  readonly [Name in keyof Fields]: z.output<Fields[Name]>;
};

export interface TableRow<Row> {
  readonly line: number;
  readonly row: Row;
}

/** A row of a table as its file has it, before or after an import. */
export interface ChangedRow {
  readonly is: 'new' | 'old';
  readonly fields: readonly string[];
}

export interface Imported {
  readonly rows: number;
  readonly problems: readonly TableProblem[];
  /** The rows that the file adds, and the clinic's rows that they replace; empty when there are problems. */
  readonly changes: readonly ChangedRow[];
  /** A hash of the changes: the same file on the same table has the same version. */
  readonly version: string;
  readonly isImported: boolean;
}

/**
 * Imports all rows or none: with problems, the database stays as it was. `wanted` is the version of the
 * changes that a person was shown: any other changes are rolled back. Null is a dry run that only reports the
 * changes; 'any' accepts whatever the file changes.
 */
export async function importTable<Row extends object>(
  { database, appendAudit }: Pick<ServerPorts, 'database' | 'appendAudit'>,
  file: Importing<Row>,
  bytes: Uint8Array,
  { actor, now, wanted }: { actor: string; now: number; wanted: string | null },
): Promise<Imported> {
  const { what, columns, check, write } = file;
  const nothing = { rows: 0, changes: [], version: '', isImported: false };
  const read = readTable(bytes, columns);
  if (read.problems.length > 0)
    return { ...nothing, problems: read.problems.slice(0, MOST_PROBLEMS) };
  return database.inTransaction<Imported>(async (tx, rollBack) => {
    const before = await linesOf(tx, file);
    const lost = lossesOf(read.rows, columns, before);
    const problems = lost.length > 0 ? lost : await check(tx, read.rows, toClinic(now).date);
    if (problems.length > 0) return { ...nothing, problems: problems.slice(0, MOST_PROBLEMS) };
    const rows = read.rows.map(({ row }) => row);
    await write(tx, rows);
    const changes = changesBetween(before, await linesOf(tx, file));
    const version = versionOfContent(changes);
    const done = { rows: rows.length, problems, changes, version };
    if (wanted !== 'any' && wanted !== version) {
      // Sent again after a lost answer, the file has nothing left to change: the import was done before.
      const isDone = wanted !== null && changes.length === 0;
      return rollBack({ ...done, isImported: isDone });
    }
    const subject = `import:${what}`;
    const of = (is: ChangedRow['is']) =>
      changes.flatMap((change) => (change.is === is ? [change.fields] : [])).slice(0, MOST_NAMED);
    const details = {
      rows: rows.length,
      changed: changes.length,
      removed: of('old'),
      added: of('new'),
    };
    await appendAudit(tx, { actor, action: 'imported', subject, details, at: now });
    return { ...done, isImported: true };
  });
}

/** The rows of a table as texts, in the order of its columns. */
export const linesOf = async <Row extends object>(db: Db, { columns, kept }: Importing<Row>) => {
  const names = Object.keys(columns) as (keyof Row & string)[];
  return (await kept(db)).map((row) => names.map((name) => wordsOf(row[name])));
};

/** The rows that are gone and the new ones, by name: a changed row counts as both. */
function changesBetween(before: readonly string[][], after: readonly string[][]): ChangedRow[] {
  const less = (some: readonly string[][], others: readonly string[][]) => {
    const known = new Set(others.map((fields) => JSON.stringify(fields)));
    return some.filter((fields) => !known.has(JSON.stringify(fields)));
  };
  const byName = (one: ChangedRow, other: ChangedRow) =>
    (one.fields[0] ?? '').localeCompare(other.fields[0] ?? '');
  return [
    ...less(before, after).map((fields) => ({ is: 'old' as const, fields })),
    ...less(after, before).map((fields) => ({ is: 'new' as const, fields })),
  ].sort(byName);
}

/** Writes what the clinic has as a file that an import can read. */
export async function exportTable<Row extends object>(
  db: Db,
  file: Importing<Row>,
): Promise<{ readonly rows: number; readonly bytes: Uint8Array }> {
  const rows = await linesOf(db, file);
  const columns = Object.values<z.ZodType>(file.columns);
  const fields = rows.map((row) => columns.map((column, at) => fieldOf(column, row[at] ?? '')));
  return { rows: rows.length, bytes: Buffer.from(written([Object.keys(file.columns), ...fields])) };
}

export function wordsOf(value: FieldValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return Array.isArray(value) ? value.join(' ') : String(value ?? '');
}

/** A problem for each row whose key an earlier row has already. */
export function doubled<Row>(
  rows: readonly TableRow<Row>[],
  column: keyof Row & string,
  names: readonly (keyof Row)[] = [column],
): TableProblem[] {
  const firstLines = new Map<string, number>();
  return rows.flatMap(({ row, line }) => {
    const key = names.map((name) => String(row[name])).join(' ');
    const before = firstLines.get(key);
    if (before === undefined) firstLines.set(key, line);
    return before === undefined ? [] : [{ line, column, why: `stands in line ${before} already` }];
  });
}

const MOST_BYTES = 5 * 1024 * 1024;
const MOST_PROBLEMS = 50;
/** The most removed, and added, rows that the audit trail names beside their number. */
const MOST_NAMED = 200;

type Cells = Readonly<Record<string, string>>;

/** Reads a CSV file with a header: every row, or everything that is wrong with it. */
function readTable<Row extends object>(bytes: Uint8Array, columns: Columns<Row>) {
  const rows: (TableRow<Row> & { readonly cells: Cells })[] = [];
  const refused = (...problems: TableProblem[]) => ({ rows, problems });
  if (bytes.byteLength > MOST_BYTES) return refused(at(1, '1', 'the file is larger than 5 MB'));
  const known = Object.keys(columns) as (keyof Row & string)[];
  const sheet = readSheet(bytes, known);
  if (sheet.rows === undefined) return refused(sheet.problem);
  const [header, ...rest] = sheet.rows;
  if (!header) return refused(at(1, '1', 'the file is empty'));
  const names = header.fields.map(
    (field) => known.find((name) => foldedName(name) === foldedName(field)) ?? field,
  );
  const wrongHeader = headerProblems(names, columns).map((each) => ({
    ...each,
    line: header.line,
  }));
  if (wrongHeader.length > 0) return refused(...wrongHeader);
  if (rest.length === 0) return refused(at(header.line + 1, names[0] ?? '1', 'there is no row'));

  const shape = z.object(columns);
  const problems: TableProblem[] = [];
  const accepts = (name: string) =>
    known.some((each) => each === name && columns[each].safeParse('').success);
  for (const { fields, line, isCut } of rest) {
    // Excel leaves out separators after the last cell that has something in it.
    const isShort = fields.length < names.length && !isCut;
    const isWhole = isShort && names.slice(fields.length).every(accepts);
    if (fields.length !== names.length && !isWhole) {
      const column = names[fields.length] ?? String(names.length + 1);
      const why = `the row has ${fields.length} cells, the header ${names.length}`;
      problems.push(at(line, column, why));
      continue;
    }
    const cells = Object.fromEntries(names.map((name, n) => [name, fields[n] ?? '']));
    const read = shape.safeParse(cells);
    if (read.success) rows.push({ line, row: read.data as Row, cells });
    const issues = read.error?.issues ?? [];
    problems.push(...issues.map(({ path, message }) => at(line, String(path[0]), message)));
  }
  return { rows, problems };
}

/** What differs from what the clinic has only by what spreadsheets lose: a number's zeros, letters. */
function lossesOf(
  rows: readonly { readonly line: number; readonly cells: Cells }[],
  columns: Readonly<Record<string, z.ZodType>>,
  kept: readonly (readonly string[])[],
): TableProblem[] {
  return Object.entries(columns).flatMap(([name, column], place) => {
    if (!isText(column)) return [];
    const values = new Set(kept.map((fields) => fields[place] ?? ''));
    const present = new Set(rows.map(({ cells }) => textOf(cells[name] ?? '')));
    const missing = [...values].filter((value) => !present.has(value));
    const lost = new Map(
      missing.flatMap((value) => lossyForms(value).map((less) => [less, value])),
    );
    return rows.flatMap(({ line, cells }) => {
      const cell = cells[name] ?? '';
      const value = lost.get(cell.replace(/(?<=^\d+)[.,]0+$/, '').replace(/\?+/g, '?'));
      const isThere = cell === value || (cell.includes('?') && values.has(cell));
      return value === undefined || isThere ? [] : [at(line, name, mayBe(cell, value))];
    });
  });
}

const mayBe = (cell: string, kept: string) =>
  cell.includes('?')
    ? `'${cell}' may be '${kept}', of which letters were lost; write it, and ${SAVE_AS_UTF8}`
    : `'${cell}' may be ${kept}, whose zeros a spreadsheet has changed; write ${kept}, ${AS_TEXT} (or have ${kept} in the file too)`;

/** What a spreadsheet makes of a text as a number, and what a file without UTF-8 makes of its letters. */
function lossyForms(value: string): string[] {
  if (/^\d+(?:\.\d+)?(?:e\d+)?$/i.test(value)) return [String(Number(value))];
  if (/^\p{ASCII}*$/u.test(value)) return [];
  return [/[^\p{ASCII}?]|\?/gu, /[^\u0020-\u007e\u00a0-\u00ffŒœŠšŽžŸ€–—‘’“”…]|\?/gu]
    .map((letters) => value.replace(letters, '?').replace(/\?+/g, '?'))
    .filter((less) => less !== value && less.includes('?'));
}

/** Why a provider is not known; one whose zeros a spreadsheet took is named. */
export function noProvider(id: string, known: readonly string[]): string {
  const meant = known.find((each) => each.startsWith('0') && each.replace(/^0+/, '') === id);
  return `no provider has the id '${id}'${meant === undefined ? '' : `; ${mayBe(id, meant)}`}`;
}

function headerProblems<Row>(names: readonly string[], columns: Columns<Row>): TableProblem[] {
  const known = Object.keys(columns) as (keyof Row & string)[];
  const unknown = `no such column; known are ${known.join(', ')}`;
  const missing = known.filter((name) => !names.includes(name) && !columns[name].isOptional());
  return [
    ...names.flatMap((name, index) => {
      if (!Object.hasOwn(columns, name)) return at(1, name || String(index + 1), unknown);
      return names.indexOf(name) === index ? [] : at(1, name, 'the column stands there twice');
    }),
    ...missing.map((name) => at(1, name, 'the column is missing')),
  ];
}
