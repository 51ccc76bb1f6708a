import { isUtf8 } from 'node:buffer';
import {
  ELIGIBILITIES,
  isAppointmentTypeCode,
  isClinicDate,
  toClinic,
  withoutControls,
} from '@clinic/domain';
import type { ClinicDate } from '@clinic/domain';
import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import type { Db, Tx } from '../database/db.ts';
import type { Platform } from '../platform.ts';
import { versionOfContent } from './version.ts';

/** One kind of file, what its columns are, and how its rows are read and written. */
export interface Importing<Row extends object> {
  /** The kind's name in the audit trail: 'providers'. */
  readonly what: string;
  /** A column may be missing from the file if its schema accepts undefined. */
  readonly columns: Columns<Row>;
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

type FieldValue = string | number | boolean | null | readonly string[];

type Columns<Row> = { readonly [Name in keyof Row]: z.ZodType<Row[Name], string | undefined> };

/** A row of a file with these columns. */
export type RowOf<Fields extends Readonly<Record<string, z.ZodType>>> = {
  readonly [Name in keyof Fields]: z.output<Fields[Name]>;
};

export interface TableRow<Row> {
  readonly line: number;
  readonly row: Row;
}

/** Where in the file something is wrong; `why` completes a sentence. */
export interface TableProblem {
  readonly line: number;
  readonly column: string;
  readonly why: string;
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
  { database, appendAudit }: Pick<Platform, 'database' | 'appendAudit'>,
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
    const problems = await check(tx, read.rows, toClinic(now).date);
    if (problems.length > 0) return { ...nothing, problems: problems.slice(0, MOST_PROBLEMS) };
    const rows = read.rows.map(({ row }) => row);
    const before = await linesOf(tx, file);
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
    const details = { rows: rows.length };
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
  const keyOf = (fields: readonly string[]) => JSON.stringify(fields);
  const [had, has] = [before, after].map((rows) => new Set(rows.map(keyOf))) as [
    Set<string>,
    Set<string>,
  ];
  const gone = before.filter((fields) => !has.has(keyOf(fields)));
  const come = after.filter((fields) => !had.has(keyOf(fields)));
  const byName = (one: ChangedRow, other: ChangedRow) =>
    (one.fields[0] ?? '').localeCompare(other.fields[0] ?? '');
  return [
    ...gone.map((fields) => ({ is: 'old' as const, fields })),
    ...come.map((fields) => ({ is: 'new' as const, fields })),
  ].sort(byName);
}

/** Writes what the clinic has as a file that an import can read. */
export async function exportTable<Row extends object>(
  db: Db,
  file: Importing<Row>,
): Promise<{ readonly rows: number; readonly bytes: Uint8Array }> {
  const rows = await linesOf(db, file);
  const lines = [Object.keys(file.columns), ...rows.map((row) => row.map(asText))];
  const text = lines.map((line) => `${line.map(quoted).join()}\n`).join('');
  return { rows: rows.length, bytes: Buffer.from(text) };
}

function wordsOf(value: FieldValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return Array.isArray(value) ? value.join(' ') : String(value ?? '');
}

/** S-17: writing marks a text that a spreadsheet would take for a formula; reading removes the mark. */
const asText = (words: string): string => (/^'*\s*[=+\-@]/.test(words) ? `'${words}` : words);
const withoutMark = (words: string): string => words.replace(/^'(?='*\s*[=+\-@])/, '');

const quoted = (words: string): string =>
  /[",\n]/.test(words) ? `"${words.replaceAll('"', '""')}"` : words;

/**
 * Rows as CSV for a spreadsheet: a text that would be a formula gets a mark before it, and control characters
 * are dropped (S-17). Numbers stay numbers.
 */
export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  rows
    .map((row) => {
      const fields = row.map((field) =>
        typeof field === 'number' ? String(field) : quoted(asText(withoutControls(field))),
      );
      return `${fields.join()}\n`;
    })
    .join('');

/** A problem for each row whose key an earlier row has already. */
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

const MOST_BYTES = 5 * 1024 * 1024;
const MOST_PROBLEMS = 50;

/** Reads a CSV file with a header: every row, or everything that is wrong with it. */
function readTable<Row extends object>(bytes: Uint8Array, columns: Columns<Row>) {
  const rows: TableRow<Row>[] = [];
  const refused = (...problems: TableProblem[]) => ({ rows, problems });
  if (bytes.byteLength > MOST_BYTES) return refused(at(1, '1', 'the file is larger than 5 MB'));
  const text = Buffer.from(bytes).toString('utf8');
  if (!isUtf8(bytes) || bytes.includes(0)) return refused(firstUnreadable(text));
  let records;
  try {
    records = recordsOf(text);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return refused(quotationProblem(error));
  }
  const [header, ...rest] = records;
  if (!header) return refused(at(1, '1', 'the file is empty'));
  const names = header.fields;
  const wrongHeader = headerProblems(names, columns);
  if (wrongHeader.length > 0) return refused(...wrongHeader);
  if (rest.length === 0) return refused(at(2, names[0] ?? '1', 'there is no row'));

  const shape = z.object(columns);
  const problems: TableProblem[] = [];
  for (const { fields, line } of rest) {
    if (fields.length !== names.length) {
      const column = names[fields.length] ?? String(names.length + 1);
      const why = `the row has ${fields.length} cells, the header ${names.length}`;
      problems.push(at(line, column, why));
      continue;
    }
    const read = shape.safeParse(Object.fromEntries(names.map((name, n) => [name, fields[n]])));
    if (read.success) rows.push({ line, row: read.data as Row });
    const issues = read.error?.issues ?? [];
    problems.push(...issues.map(({ path, message }) => at(line, String(path[0]), message)));
  }
  return { rows, problems };
}

const at = (line: number, column: string, why: string): TableProblem => ({ line, column, why });

/** The records of an RFC 4180 text, each with the line on which it ends; empty lines are skipped. */
function recordsOf(text: string) {
  const records: { readonly fields: readonly string[]; readonly line: number }[] = [];
  parse(text, {
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    on_record(fields: readonly string[], { lines }) {
      records.push({ fields: fields.map((field) => withoutMark(field.trim())), line: lines });
      return null;
    },
  });
  return records;
}

function quotationProblem({ code, lines, column }: CsvError): TableProblem {
  const why =
    code === 'CSV_QUOTE_NOT_CLOSED'
      ? 'a quotation mark is opened and never closed'
      : 'a quotation mark stands where none may stand';
  return at(Number(lines ?? 1), String(Number(column ?? 0) + 1), why);
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

/** Finds the first byte that is not UTF-8, in a text that was decoded in spite of it. */
function firstUnreadable(text: string): TableProblem {
  const lines = (text.split(/[\uFFFD\0]/, 1)[0] ?? '').split('\n');
  const fields = (lines.at(-1) ?? '').split(',');
  const why = 'the text is not UTF-8; save the file as UTF-8';
  return at(lines.length, String(fields.length), why);
}

const mustBe = (what: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    `must be ${what}, not '${String(input).slice(0, 40)}'`,
});

const matching = (form: RegExp, what: string) =>
  z.string().regex(form, { ...mustBe(what), abort: true });

/** Text for people. */
export const words = (most: number) =>
  z
    .string()
    .refine((text) => Array.from(text).length <= most, `is longer than ${most} characters`)
    .refine((text) => !/\p{Cc}/u.test(text), 'holds a control character');

export const filledWords = (most: number) => words(most).min(1, 'is empty');

/** A character of a day's template; `_`, for time without work, is not among them. */
export const character = matching(/^[A-Za-z0-9]$/, 'one letter or digit');

export const identifier = matching(/^[\w.-]{1,40}$/, '1 to 40 letters, digits, dots or dashes');

/** Yes or no; an empty column means no. */
export const yesOrNo = matching(/^(yes|no)?$/i, 'yes or no')
  .transform((said) => said.toLowerCase() === 'yes')
  .prefault('');

export const providerStatus = matching(/^[01]?$/, '1 (active) or 0')
  .transform((status) => status || '1')
  .prefault('');

export const date = z.string().refine(isClinicDate, mustBe('a date such as 2026-12-01'));

/** The index in this list is the weekday's number: Sunday is 0. */
export const WEEKDAYS = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const;

/** A weekday's name, read as its number; Sunday is 0. */
export const weekday = matching(
  new RegExp(`^(${WEEKDAYS.join('|')})$`, 'i'),
  'a weekday such as Monday',
).transform((name) =>
  WEEKDAYS.findIndex((weekday) => weekday.toLowerCase() === name.toLowerCase()),
);

/** A time of day from 00:00 to 23:59. */
export const clockTime = matching(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time such as 09:30');

/** A time of day on the 5-minute grid, up to 24:00. */
export const gridTime = matching(
  /^([01]\d|2[0-3]):[0-5]\d$|^24:00$/,
  'a time such as 09:30',
).refine((time) => Number(time.slice(3)) % 5 === 0, {
  error: ({ input }) => `must lie on the 5-minute grid, not '${String(input)}'`,
});

/** Yes or no; an empty column means yes. */
export const yesUnlessNo = matching(/^(yes|no)?$/i, 'yes or no')
  .transform((said) => said.toLowerCase() !== 'no')
  .prefault('');

/** The length of an appointment, or of the gap between two. */
export const minutes = matching(/^\d{1,3}$/, 'minutes such as 15')
  .transform(Number)
  .refine((count) => count > 0 && count % 5 === 0, mustBe('a multiple of 5'));

export const oneOf = <Code extends string>(codes: readonly Code[]) =>
  z.enum(codes, mustBe(`one of ${codes.join(', ')}`));
export const typeCode = z
  .string()
  .refine(
    isAppointmentTypeCode,
    mustBe('a capital letter and up to 3 letters or digits, other than A'),
  );
/** A column that means `otherwise` when it is left empty. */
export const emptyIs = <Value, Other>(otherwise: Other, column: z.ZodType<Value, string>) =>
  z
    .string()
    .transform((said, context): Value | Other => {
      if (said === '') return otherwise;
      const read = column.safeParse(said);
      if (read.success) return read.data;
      for (const { message } of read.error.issues) context.addIssue(message);
      return z.NEVER;
    })
    .prefault('');
export const eligibility = oneOf(ELIGIBILITIES);

/** Writes cents in the form that `dollars` below reads. */
export const inDollars = (cents: number) => (cents / 100).toFixed(2);

/** Dollars such as 10 or 10.00, read as cents. */
export const dollars = matching(
  /^\d{1,4}(\.\d{2})?$/,
  'an amount in dollars such as 10.00',
).transform((amount) => Math.round(Number(amount) * 100));

export const phone = matching(/^[\d ()+.-]{0,30}$/, 'a phone number').prefault('');
