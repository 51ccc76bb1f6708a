import { isUtf8 } from 'node:buffer';
import { FILE_HEAD_BYTES, whyNoTable, withoutControls, withoutFormula } from '@clinic/domain';
import { CsvError, parse } from 'csv-parse/sync';

/** Where in the file something is wrong; `why` completes a sentence. */
export interface TableProblem {
  readonly line: number;
  readonly column: string;
  readonly why: string;
}

export const at = (line: number, column: string, why: string): TableProblem => ({
  line,
  column,
  why,
});

/** A row of a file: its cells as they stand there, and the line on which it ends. */
export interface SheetRow {
  readonly line: number;
  readonly fields: readonly string[];
  /** True for the last line of a file that ends within it, as half a file does. */
  readonly isCut?: boolean;
}

/** What a spreadsheet program made of a table, as rows of cells; the first is the header. */
export type Sheet =
  | { readonly rows: readonly SheetRow[]; readonly problem?: never }
  | { readonly problem: TableProblem; readonly rows?: never };

const SEPARATORS = [',', ';', '\t', '|'] as const;
/** By it Excel knows that a file is UTF-8, and otherwise takes it for Windows-1252. */
const BYTE_ORDER_MARK = '\uFEFF';
/** The byte order mark, also as a program shows it that took the file for Windows-1252. */
const MARKS = /^(?:\uFEFF|ï»¿)+/;
/** The line by which Excel is told the separator; the header tells it here. */
const SEPARATOR_LINE = /^"?sep=[,;\t|]?"?[,;\t|]*\n/i;

export const SAVE_AS_UTF8 =
  "save the file as UTF-8: in Excel as 'CSV UTF-8', in LibreOffice with the character set 'Unicode (UTF-8)'";

/** A header's name without capitals, spaces, dashes and quotation marks. */
export const foldedName = (name: string): string => name.toLowerCase().replace(/[\s_'’"“”„-]/g, '');

/**
 * Reads the rows of a file that people edit with a spreadsheet. Separated by what the header is separated by;
 * columns and rows without a word are dropped.
 */
export function readSheet(bytes: Uint8Array, columns: readonly string[]): Sheet {
  const { text, charset, problem } = decoded(bytes);
  if (problem !== undefined) return { problem: at(1, '1', problem) };
  const unmarked = text.replace(MARKS, '').replace(/\r\n?/g, '\n');
  const lines = unmarked.replace(SEPARATOR_LINE, '');
  const skipped = lines.length < unmarked.length ? 1 : 0;
  const { rows, problem: wrong } = firstRead(lines, separationsOf(lines, columns));
  if (rows === undefined) return { problem: { ...wrong, line: wrong.line + skipped } };
  const isWhole = lines.endsWith('\n');
  const counted = rows.map(({ fields, line }, place) => ({
    fields,
    line: line + skipped,
    isCut: !isWhole && place === rows.length - 1,
  }));
  return charset === 'utf8' ? { rows: counted } : { problem: unreadable(counted) };
}

/** The rows, separated in the first way in which all quotation marks are closed. */
function firstRead(text: string, ways: readonly Separated[]): Sheet {
  let first: Sheet | null = null;
  for (const way of ways) {
    const sheet = withoutCurlyQuotes(text, way);
    if (sheet.rows !== undefined) return { rows: tidyTable(sheet.rows, way) };
    first ??= sheet;
  }
  return first ?? { rows: [] };
}

interface Separated {
  readonly by: string;
  /** By what a row is separated that a spreadsheet with another separator has kept in one cell. */
  readonly inside?: string;
}

/** Whatever parts the header into the most names of columns; the plain ways first. */
function separationsOf(text: string, columns: readonly string[]): Separated[] {
  const known = new Set(columns.map(foldedName));
  const header = text.split('\n').find((line) => /[^\s,;|"]/.test(line)) ?? '';
  const ways: Separated[] = SEPARATORS.map((by) => ({ by }));
  for (const by of SEPARATORS) for (const inside of SEPARATORS) ways.push({ by, inside });
  const found = ways.map((way) => {
    const names = recordsOf(header, way).rows?.[0]?.fields ?? [];
    return { way, count: names.filter((name) => known.has(foldedName(name))).length };
  });
  const most = Math.max(...found.map(({ count }) => count));
  return found.flatMap(({ way, count }) => (count === most ? [way] : []));
}

const startsWith = (bytes: Uint8Array, ...first: number[]) =>
  first.every((byte, place) => bytes[place] === byte);

function decoded(bytes: Uint8Array): {
  readonly text: string;
  readonly charset?: 'utf8' | 'unknown';
  readonly problem?: string;
} {
  const no = whyNoTable(bytes.subarray(0, FILE_HEAD_BYTES));
  if (no !== null) {
    const what = no === 'workbook' ? 'a workbook, not CSV' : 'no CSV table';
    return { text: '', problem: `the file is ${what}; ${SAVE_AS_UTF8}` };
  }
  const wide = startsWith(bytes, 0xff, 0xfe) || (bytes[1] === 0 && bytes[3] === 0);
  if (wide || startsWith(bytes, 0xfe, 0xff)) {
    const charset = wide ? 'utf-16le' : 'utf-16be';
    return { text: new TextDecoder(charset).decode(bytes), charset: 'utf8' };
  }
  if (bytes.includes(0)) return { text: '', problem: `the file is no text; ${SAVE_AS_UTF8}` };
  if (isUtf8(bytes)) return { text: Buffer.from(bytes).toString('utf8'), charset: 'utf8' };
  return { text: new TextDecoder('windows-1252').decode(bytes), charset: 'unknown' };
}

/** The first cell of a file in another character set than UTF-8: which one, its bytes do not say. */
function unreadable(rows: readonly SheetRow[]): TableProblem {
  const [header] = rows;
  for (const { fields, line } of rows)
    for (const [place, field] of fields.entries())
      if (/[^\p{ASCII}]/u.test(field)) {
        const column = header?.fields[place] ?? String(place + 1);
        const why = `the text is not UTF-8 (is it '${field.slice(0, 40)}'?); ${SAVE_AS_UTF8}`;
        return at(line, column, why);
      }
  return at(1, '1', `the text is not UTF-8; ${SAVE_AS_UTF8}`);
}

/** The records of an RFC 4180 text, each with the line on which it ends. */
function recordsOf(text: string, { by, inside }: Separated): Sheet {
  const rows: SheetRow[] = [];
  // A text as a formula, ="0123", in which a spreadsheet writes its quotation marks without doubling them.
  const formula = new RegExp(`(^|[\\n${by}])="([^"\\n]*)"(?=[\\n${by}]|$)`, 'g');
  try {
    parse(text.replace(formula, '$1"=""$2"""'), {
      delimiter: by,
      record_delimiter: ['\n'],
      relax_column_count: true,
      trim: inside === undefined,
      on_record(fields: readonly string[], { lines }) {
        rows.push({ fields, line: lines });
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { problem: quotationProblem(error, rows[0]?.fields ?? []) };
  }
  if (inside === undefined) return { rows };
  const taken: SheetRow[] = [];
  for (const { fields, line } of rows) {
    const row = takenApart(fields, by, inside);
    if (row.rows === undefined) return { problem: { ...row.problem, line } };
    taken.push({ line, fields: row.rows[0]?.fields ?? [''] });
  }
  return { rows: taken };
}

/** The cells of a row that stands in one cell, or in several where its texts have the other separator. */
function takenApart(fields: readonly string[], by: string, inside: string): Sheet {
  const end = fields.findLastIndex((field) => field !== '');
  return recordsOf(fields.slice(0, end + 1).join(by), { by: inside });
}

function quotationProblem(
  { code, lines, column }: CsvError,
  header: readonly string[],
): TableProblem {
  const why =
    code === 'CSV_QUOTE_NOT_CLOSED'
      ? 'a quotation mark is opened and never closed'
      : 'a quotation mark stands where none may stand';
  const place = Number(column ?? 0);
  return at(Number(lines ?? 1), header[place] ?? String(place + 1), why);
}

/** Curly quotation marks quote cells where the rows have as many cells as the header only if they do. */
function withoutCurlyQuotes(text: string, separated: Separated): Sheet {
  const sheet = recordsOf(text, separated);
  const isWhole = ({ rows }: Sheet) =>
    rows?.every(({ fields }) => fields.length === rows[0]?.fields.length || isEmpty(fields)) &&
    !/[“”„]/.test(rows[0]?.fields.join('') ?? '');
  if (isWhole(sheet) || !/[“”„]/.test(text)) return sheet;
  const edge = `[\\n${separated.by}]`;
  const straight = recordsOf(
    text
      .replace(new RegExp(`(^|${edge})[“”„]`, 'g'), '$1"')
      .replace(new RegExp(`[“”](?=${edge}|$)`, 'g'), '"'),
    separated,
  );
  return isWhole(straight) ? straight : sheet;
}

const isEmpty = (fields: readonly string[]) => fields.every((field) => field.trim() === '');

/** Without empty rows and columns, without spaces around cells, with rows taken apart that stand in one. */
function tidyTable(rows: readonly SheetRow[], { by, inside }: Separated): SheetRow[] {
  const [header, ...others] = rows.filter(({ fields }) => !isEmpty(fields));
  if (!header) return [];
  const width = header.fields.length;
  const apart = others.map(({ fields, line }) => {
    const isOne = isEmpty(fields.slice(1)) && fields[0]?.includes(by) && inside === undefined;
    const row = isOne ? takenApart(fields, by, by).rows?.[0]?.fields : undefined;
    return { line, fields: row?.length === width ? row : fields };
  });
  const all = [header, ...apart].map(({ fields, line }) => ({
    line,
    fields: fields.map((field) => field.trim()),
  }));
  const names = all[0]?.fields ?? [];
  const isUsed = (place: number) => all.some(({ fields }) => (fields[place] ?? '') !== '');
  const last = names.findLastIndex((name) => name !== '');
  return all.map(({ fields, line }) => {
    const end = fields.findLastIndex((field, place) => field !== '' || place <= last);
    const kept = fields.slice(0, end + 1);
    return { line, fields: kept.filter((_, place) => names[place] !== '' || isUsed(place)) };
  });
}

const quoted = (words: string): string =>
  /[",\n]/.test(words) ? `"${words.replaceAll('"', '""')}"` : words;

/** Rows of fields as CSV, just as they are. */
export const written = (rows: readonly (readonly string[])[]): string =>
  BYTE_ORDER_MARK + rows.map((fields) => `${fields.map(quoted).join()}\n`).join('');

/**
 * Rows as CSV for a spreadsheet: a text that would be a formula gets a mark before it, and control characters
 * are dropped (S-17). Numbers stay numbers.
 */
export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  written(
    rows.map((row) =>
      row.map((field) =>
        typeof field === 'number' ? String(field) : withoutFormula(withoutControls(field)),
      ),
    ),
  );
