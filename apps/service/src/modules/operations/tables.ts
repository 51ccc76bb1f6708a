import type { ApiClinicTable, ApiTable } from '@clinic/contract';
import { toClinic, translatedColumn } from '@clinic/domain';
import type { Locale } from '@clinic/texts';
import type { Db, Tx } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import type { Who } from '../../security/audit.store.ts';
import {
  type FieldValue,
  type Imported,
  type Importing,
  type TableRow,
  exportTable,
  importTable,
  linesOf,
  wordsOf,
} from '../../server/csv-import.ts';
import { type Refusal, refuse } from '../../server/refusal.ts';
import { kindOf } from '../../server/table-columns.ts';
import type { TableProblem } from '../../server/table-text.ts';
import { pharmaciesFile } from '../pharmacies/index.ts';
import { expandSchedule, keptProviders, scheduleFile } from '../records/index.ts';
import { codesFile, feesFile, pacesFile, providersFile, typesFile } from '../schedule/index.ts';

/** A table of the clinic's setup that can be imported and exported as a CSV file. */
export interface ClinicTable {
  readonly what: ApiClinicTable;
  /** The names of the columns in the order of the file; a column in brackets may be left out. */
  readonly columns: readonly string[];
  /** True when an EMR that holds the appointments holds this table too. */
  readonly isInEmr: boolean;
  readonly importFile: (
    platform: Platform,
    bytes: Uint8Array,
    who: Who & { readonly wanted: string | null },
  ) => Promise<Imported>;
  /** The rows as texts, in the order of the columns. */
  readonly rows: (db: Db) => Promise<string[][]>;
  /** Its rows, named to a reader of that language, and its columns, for a form. */
  readonly form: (db: Db, reader: Locale) => Promise<ApiTable>;
  readonly exportFile: (db: Db) => ReturnType<typeof exportTable>;
}

/** Whether the clinic has an EMR: one that is named counts before it is connected. */
export const hasEmr = ({ emr, config }: Pick<Platform, 'emr' | 'config'>): boolean =>
  emr !== null || (config.emrAddresses ?? []).length > 0;

/** Refuses a table that the clinic's EMR keeps. */
export const refuseKeptInEmr = (
  platform: Pick<Platform, 'emr' | 'config'>,
  { isInEmr }: Pick<ClinicTable, 'isInEmr'>,
): Refusal | null => (isInEmr && hasEmr(platform) ? refuse('keptInEmr') : null);

interface TableOptions<Row> {
  readonly isInEmr?: true;
  /** What is wrong with the rows where the clinic has an EMR, which has such rows itself. */
  readonly checkInEmr?: (
    tx: Tx,
    rows: readonly TableRow<Row>[],
  ) => Promise<readonly TableProblem[]>;
  /** Runs after an import: expands the days ahead, which follow from the table. */
  readonly afterwards?: typeof expandSchedule;
}

function tableOf<Row extends object>(
  file: Importing<Row>,
  what: ApiClinicTable,
  { isInEmr, checkInEmr, afterwards }: TableOptions<Row> = {},
): ClinicTable {
  const names = Object.keys(file.columns) as (keyof Row & string)[];
  return {
    what,
    columns: names.map((name) => (file.columns[name].isOptional() ? `[${name}]` : name)),
    isInEmr: isInEmr === true,
    async importFile(platform, bytes, who) {
      const checked: Importing<Row> = {
        ...file,
        check: async (tx, rows, today) => [
          ...(await file.check(tx, rows, today)),
          ...(hasEmr(platform) ? ((await checkInEmr?.(tx, rows)) ?? []) : []),
        ],
      };
      const imported = await importTable(platform, checked, bytes, who);
      const { isImported, problems, changes } = imported;
      // Also when nothing is left to change: `afterwards` may have failed after the first import.
      const isThere = problems.length === 0 && changes.length === 0;
      if (isImported || isThere) await afterwards?.(platform.database, toClinic(who.now).date);
      return imported;
    },
    rows: (db) => linesOf(db, file),
    form: (db, reader) => formOf(db, file, reader),
    exportFile: (db) => exportTable(db, file),
  };
}

async function formOf<Row extends object>(
  db: Db,
  file: Importing<Row>,
  reader: Locale,
): Promise<ApiTable> {
  const { columns, key, whole = [] } = file;
  const names = Object.keys(columns) as (keyof Row & string)[];
  const described = names.map(async (name) => {
    const { of, choices = [], ...kind } = kindOf(columns[name]);
    const empty = columns[name].safeParse('');
    const named = of === undefined ? [] : (await tableNamed(of).form(db, reader)).rows;
    return {
      ...kind,
      name,
      isKey: key.includes(name),
      isNeeded: !empty.success,
      otherwise: empty.success ? wordsOf(empty.data as FieldValue) : '',
      choices: [
        ...choices.map((value) => ({ value, name: value })),
        ...named.map((row) => ({ value: row.fields[0] ?? '', name: row.name })),
      ],
    };
  });
  const all = await Promise.all(described);
  // A row is known by its key, and by the texts that every row has.
  const isNamed = all.map(({ isKey, isNeeded, kind }) => isKey || (isNeeded && kind === 'text'));
  const translations = names.map((name) =>
    names.findIndex((other) => other === translatedColumn(name, reader)),
  );
  return {
    columns: all,
    whole: [...whole],
    rows: (await linesOf(db, file)).map((fields) => ({
      name: fields
        .map((field, at) => fields[translations[at] ?? -1] || field)
        .filter((_, at) => isNamed[at])
        .join(' '),
      fields,
    })),
  };
}

/** A problem for each provider that the EMR has not named: providers come from it. */
async function notNamed(tx: Tx, rows: readonly TableRow<{ readonly id: string }>[]) {
  const named = new Set((await keptProviders(tx)).map(({ id }) => id));
  return rows
    .filter(({ row }) => !named.has(row.id))
    .map(({ row, line }) => ({
      line,
      column: 'id',
      why: `the EMR has not named a provider '${row.id}': whoever works there comes from it`,
    }));
}

/** The tables in the order in which a new clinic needs them. */
export const clinicTables: readonly ClinicTable[] = [
  tableOf(typesFile, 'types'),
  tableOf(feesFile, 'fees'),
  tableOf(codesFile, 'codes'),
  tableOf(providersFile, 'providers', { checkInEmr: notNamed, afterwards: expandSchedule }),
  tableOf(pacesFile, 'paces'),
  tableOf(scheduleFile, 'schedule', { isInEmr: true, afterwards: expandSchedule }),
  tableOf(pharmaciesFile, 'pharmacies'),
];

export function tableNamed(what: string): ClinicTable {
  const table = clinicTables.find((each) => each.what === what);
  if (table === undefined) throw new Error(`There is no table ${what}`);
  return table;
}
