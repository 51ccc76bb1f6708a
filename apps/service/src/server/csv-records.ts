import { CsvError, parse } from 'csv-parse/sync';

export interface CsvRecord {
  readonly fields: readonly string[];
  /** The line on which it ends. */
  readonly line: number;
}

export type CsvRead =
  | { readonly kind: 'records'; readonly records: readonly CsvRecord[] }
  /** Quotation marks that do not fit together; the column counts from 1. */
  | {
      readonly kind: 'broken';
      readonly line: number;
      readonly column: string;
      readonly why: string;
    };

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** The records of an RFC 4180 text, however long each is; empty lines are none. */
export function csvRecords(text: string): CsvRead {
  try {
    const parsed = parse(text, {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as unknown as readonly Parsed[];
    const records = parsed.map(({ record, info }) => ({ fields: record, line: info.lines }));
    return { kind: 'records', records };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines, column } = error as { readonly lines?: unknown; readonly column?: unknown };
    return {
      kind: 'broken',
      line: typeof lines === 'number' ? lines : 1,
      column: typeof column === 'number' ? String(column + 1) : '1',
      why:
        error.code === 'CSV_QUOTE_NOT_CLOSED'
          ? 'a quotation mark is opened and never closed'
          : 'a quotation mark stands where none may stand',
    };
  }
}
