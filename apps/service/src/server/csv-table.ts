import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse/sync';

/** What a field says, or why it cannot be taken; the reason ends a sentence. */
export type FieldRead<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'problem'; readonly why: string };

export interface Column<T> {
  readonly read: (text: string) => FieldRead<T>;
  /** The column may be left out of the file; its fields are then read as ''. */
  readonly optional?: true;
}

export type Columns<Row> = { readonly [Name in keyof Row]: Column<Row[Name]> };

/** Where in the file something is wrong. */
export interface TableProblem {
  readonly line: number;
  readonly column: string;
  readonly why: string;
}

export interface TableRow<Row> {
  readonly line: number;
  readonly row: Row;
}

export type TableRead<Row> =
  | { readonly kind: 'table'; readonly rows: readonly TableRow<Row>[] }
  | { readonly kind: 'problems'; readonly problems: readonly TableProblem[] };

const MOST_BYTES = 5 * 1024 * 1024;
const MOST_PROBLEMS = 50;

/** Reads a CSV file with a header: every row, or everything that is wrong with it. */
export function readTable<Row extends object>(
  bytes: Uint8Array,
  columns: Columns<Row>,
): TableRead<Row> {
  const refused = (...problems: readonly TableProblem[]): TableRead<Row> => ({
    kind: 'problems',
    problems: problems.slice(0, MOST_PROBLEMS),
  });
  if (bytes.byteLength > MOST_BYTES) return refused(at(1, '1', 'the file is larger than 5 MB'));
  const undecodable = firstUndecodable(bytes);
  if (undecodable) return refused(undecodable);
  const parsed = csvRecords(Buffer.from(bytes).toString('utf8'));
  if (parsed.kind === 'broken') return refused(parsed.problem);
  const [header, ...rest] = parsed.records;
  if (!header) return refused(at(1, '1', 'the file is empty'));
  const names = header.fields.map((name) => name.trim());
  const wrongHeader = headerProblems(names, columns);
  if (wrongHeader.length > 0) return refused(...wrongHeader);
  if (rest.length === 0) return refused(at(2, names[0] ?? '1', 'there is no row'));

  const problems: TableProblem[] = [];
  const rows: TableRow<Row>[] = [];
  for (const { fields, line } of rest) {
    const read = readRow(fields, line, names, columns);
    problems.push(...read.problems);
    rows.push({ line, row: read.row });
  }
  return problems.length > 0 ? refused(...problems) : { kind: 'table', rows };
}

interface CsvRecord {
  readonly fields: readonly string[];
  /** The line on which it ends. */
  readonly line: number;
}

/** The records of an RFC 4180 text, however long each is; empty lines are none. */
export function csvRecords(
  text: string,
):
  | { readonly kind: 'records'; readonly records: readonly CsvRecord[] }
  | { readonly kind: 'broken'; readonly problem: TableProblem } {
  try {
    const parsed = parse(text, {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as unknown as readonly { record: readonly string[]; info: { readonly lines: number } }[];
    const records = parsed.map(({ record, info }) => ({ fields: record, line: info.lines }));
    return { kind: 'records', records };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines, column } = error as { readonly lines?: unknown; readonly column?: unknown };
    const why =
      error.code === 'CSV_QUOTE_NOT_CLOSED'
        ? 'a quotation mark is opened and never closed'
        : 'a quotation mark stands where none may stand';
    const place = typeof column === 'number' ? String(column + 1) : '1';
    return { kind: 'broken', problem: at(typeof lines === 'number' ? lines : 1, place, why) };
  }
}

const at = (line: number, column: string, why: string): TableProblem => ({ line, column, why });

function headerProblems<Row>(names: readonly string[], columns: Columns<Row>): TableProblem[] {
  const known = Object.keys(columns);
  const wanted = known.filter((name) => !columns[name as keyof Row].optional);
  return [
    ...names.flatMap((name, index) => {
      if (!known.includes(name))
        return [at(1, name || String(index + 1), `no such column; known are ${known.join(', ')}`)];
      return names.indexOf(name) === index ? [] : [at(1, name, 'the column stands there twice')];
    }),
    ...wanted
      .filter((name) => !names.includes(name))
      .map((name) => at(1, name, 'the column is missing')),
  ];
}

function readRow<Row extends object>(
  record: readonly string[],
  line: number,
  names: readonly string[],
  columns: Columns<Row>,
): { readonly row: Row; readonly problems: readonly TableProblem[] } {
  const row: Partial<Row> = {};
  if (record.length !== names.length) {
    const column = names[record.length] ?? String(names.length + 1);
    const why = `the row has ${record.length} cells, the header ${names.length}`;
    return { row: row as Row, problems: [at(line, column, why)] };
  }
  const problems: TableProblem[] = [];
  for (const name of Object.keys(columns) as (keyof Row & string)[]) {
    const index = names.indexOf(name);
    const field = columns[name].read(index < 0 ? '' : (record[index] ?? '').trim());
    if (field.kind === 'value') row[name] = field.value;
    else problems.push(at(line, name, field.why));
  }
  return { row: row as Row, problems };
}

/** Where the first byte stands that is no UTF-8. */
function firstUndecodable(bytes: Uint8Array): TableProblem | null {
  if (isReadable(bytes)) return null;
  const lines = split(Buffer.from(bytes), '\n');
  const line = lines.findIndex((each) => !isReadable(each));
  const fields = split(lines[line] ?? Buffer.alloc(0), ',');
  const field = fields.findIndex((each) => !isReadable(each));
  return at(line + 1, String(field + 1), 'the text is not UTF-8; save the file as UTF-8');
}

const isReadable = (bytes: Uint8Array): boolean => isUtf8(bytes) && !bytes.includes(0);

function split(bytes: Buffer, mark: string): Buffer[] {
  const parts: Buffer[] = [];
  for (let from = 0; ;) {
    const next = bytes.indexOf(mark, from);
    parts.push(bytes.subarray(from, next < 0 ? undefined : next));
    if (next < 0) return parts;
    from = next + 1;
  }
}
