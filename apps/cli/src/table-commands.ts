import type { ApiClinicTable } from '@clinic/contract';
import {
  type ClinicTable,
  clinicTables,
  refuseKeptInEmr,
} from '@clinic/service/modules/operations/index.ts';
import { type Command, CommandRefused, type Commands, counted, refusedBy } from './command.ts';

const SUMMARIES: Readonly<Record<ApiClinicTable, string>> = {
  types: 'Import appointment types from a CSV file, in the order patients see.',
  fees: 'Import what each type costs each eligibility, from a date on.',
  codes: 'Import slot codes from a CSV file: what working hours may be booked for.',
  providers: 'Import doctors and nurse practitioners from a CSV file.',
  paces: 'Import how long single providers take for a type, or that they do not give it.',
  schedule: 'Import working weeks from a CSV file; they hold from their date on.',
  pharmacies: 'Import pharmacies from a CSV file.',
};

/** `import <what> --file <csv>` takes all rows or none. `export <what>` writes what import reads. */
function commandsOf(table: ClinicTable): Commands {
  const { what, columns, importFile, exportFile } = table;
  const command: Command = {
    summary: SUMMARIES[what],
    options: { '--file <file>': `A CSV file with the columns ${columns.join(', ')}.` },
    async run({ platform, who, say, file: found }) {
      const kept = refuseKeptInEmr(platform, table);
      if (kept !== null) throw refusedBy(kept);
      if (!found) throw new CommandRefused('Name the file with --file.');
      const bytes = Buffer.from(found.base64, 'base64');
      const { rows, problems } = await importFile(platform, bytes, { ...who, wanted: 'any' });
      for (const { line, column, why } of problems) say(`line ${line}, column ${column}: ${why}`);
      if (problems.length > 0)
        throw new CommandRefused(
          `Nothing was imported: ${counted(problems.length, 'problem')} in ${found.name}.`,
        );
      say(`${counted(rows, 'row')} imported.`);
    },
  };
  const exporting: Command = {
    summary: `Write ${what}.csv, as import reads it, of what the clinic has.`,
    async run({ db, say, give }) {
      const { rows, bytes } = await exportFile(db);
      give(`${what}.csv`, bytes);
      say(`${counted(rows, 'row')} exported.`);
    },
  };
  return { [`import ${what}`]: command, [`export ${what}`]: exporting };
}

/** Import and export of each table, in the order in which a new clinic needs them. */
export const tableCommands: Commands = Object.assign(
  {},
  ...clinicTables.map(commandsOf),
) as Commands;
