import { toClinic } from '@clinic/domain';
import { expandSchedule, scheduleFile } from '@clinic/service/modules/records/index.ts';
import { type Importing, exportTable, importTable } from '@clinic/service/server/csv-import.ts';
import {
  codesFile,
  feesFile,
  pacesFile,
  providersFile,
  typesFile,
} from '@clinic/service/modules/schedule/index.ts';
import { pharmaciesFile } from '@clinic/service/modules/pharmacies/index.ts';
import { type Command, CommandRefused, type Commands, counted } from './command.ts';

/** `import <what> --file <csv>`: all rows or none. `export <what>`: the file that it reads. */
function commandsOf<Row extends object>(
  file: Importing<Row>,
  summary: string,
  afterwards?: typeof expandSchedule,
): Commands {
  const command: Command = {
    summary,
    options: { '--file <file>': `A CSV file with the columns ${columnsOf(file)}.` },
    async run({ platform, who, say, file: found }) {
      if (!found) throw new CommandRefused('Name the file with --file.');
      const bytes = Buffer.from(found.base64, 'base64');
      const { rows, problems } = await importTable(platform, file, bytes, who);
      for (const { line, column, why } of problems) say(`line ${line}, column ${column}: ${why}`);
      if (problems.length > 0)
        throw new CommandRefused(
          `Nothing was imported: ${counted(problems.length, 'problem')} in ${found.name}.`,
        );
      await afterwards?.(platform.database, toClinic(who.now).date);
      say(`${counted(rows, 'row')} imported.`);
    },
  };
  const exporting: Command = {
    summary: `Write ${file.what}.csv, as import reads it, of what the clinic has.`,
    async run({ db, say, give }) {
      const { rows, bytes } = await exportTable(db, file);
      give(`${file.what}.csv`, bytes);
      say(`${counted(rows, 'row')} exported.`);
    },
  };
  return { [`import ${file.what}`]: command, [`export ${file.what}`]: exporting };
}

function columnsOf<Row extends object>({ columns }: Importing<Row>): string {
  const names = Object.keys(columns) as (keyof Row & string)[];
  return names.map((name) => (columns[name].isOptional() ? `[${name}]` : name)).join(', ');
}

/** Types, fees and so on, in the order in which a new clinic needs them. */
export const tableCommands: Commands = {
  ...commandsOf(typesFile, 'Import appointment types from a CSV file, in the order patients see.'),
  ...commandsOf(feesFile, 'Import what each type costs each eligibility, from a date on.'),
  ...commandsOf(
    codesFile,
    'Import slot codes from a CSV file: what working hours may be booked for.',
  ),
  ...commandsOf(
    providersFile,
    'Import doctors and nurse practitioners from a CSV file.',
    expandSchedule,
  ),
  ...commandsOf(
    pacesFile,
    'Import how long single providers take for a type, or that they do not give it.',
  ),
  ...commandsOf(
    scheduleFile,
    'Import working weeks from a CSV file; they hold from their date on.',
    expandSchedule,
  ),
  ...commandsOf(pharmaciesFile, 'Import pharmacies from a CSV file.'),
};
