import { resolve } from 'node:path';
import {
  type ClinicOnDatabase,
  ClinicRefused,
  addClinic,
  clinicsOn,
} from '@clinic/service/database/clinics.store.ts';
import { type Environment, readSome } from '@clinic/service/read-settings.ts';
import { newKeyMaterial } from '@clinic/service/security/keyring-file.ts';
import { about } from '@clinic/service/setting-kinds.ts';
import { TOGETHER, clinicsSettings, productionSettings } from '@clinic/service/settings.ts';
import { CommandRefused, type Commands, type Given, counted } from './command.ts';
import type { CommandOutput } from './command-output.ts';

/** These need no service: main.ts runs them in the terminal, as a database user who may create roles. */
export const clinicsCommands: Commands = {
  'clinics add': {
    summary: 'Make a clinic beside others on one database: role, schema, settings and keys.',
    arguments: { '<name>': 'Of its role, its schema and its files: small letters, digits and _.' },
  },
  'clinics list': { summary: 'List the clinics of one database.' },
};

/** Runs a clinics command. Files are for `folder`: the settings name the keys there. */
export async function tendClinics(
  command: string,
  { texts: { name = '' } }: Given,
  { env, folder, put }: Readonly<{ env: Environment; folder: string; put: Put }>,
): Promise<number> {
  const { DATABASE_ADMIN_URL: adminUrl } = readSome(clinicsSettings, env);
  const say = (text: string) => put({ kind: 'line', text });
  if (command === 'clinics list') {
    const clinics = await clinicsOn(adminUrl);
    for (const each of clinics) say(lineOf(each));
    if (clinics.length === 0) say('There is no clinic on this database.');
    return 0;
  }
  const files = { settings: `${name}.env`, keys: `${name}.keyring.json` };
  const save = (file: string, text: string) =>
    put({ kind: 'file', name: file, base64: Buffer.from(text).toString('base64') });
  try {
    await addClinic(adminUrl, name, (url) => {
      save(files.settings, settingsOf(name, url, resolve(folder, files.keys)));
      save(files.keys, `${JSON.stringify(newKeyMaterial('k'))}\n`);
    });
  } catch (error) {
    throw error instanceof ClinicRefused ? new CommandRefused(error.message) : error;
  }
  say(`The clinic ${name} has its role and its schema. Its service makes the tables.`);
  say(`Fill in what ${files.settings} leaves empty, and keep ${files.keys} elsewhere, too.`);
  return 0;
}

type Put = (output: CommandOutput) => void;

const lineOf = ({ name, tables, bytes, connections }: ClinicOnDatabase): string => {
  const size = `${(bytes / 1024 ** 2).toFixed(1)} MB`;
  const filled = tables === 0 ? 'no tables yet' : `${counted(tables, 'table')}, ${size}`;
  return `${name}: ${filled}, ${counted(connections, 'connection')}`;
};

/** The settings that are known, and those that must be filled in. */
function settingsOf(clinic: string, url: string, keys: string): string {
  const known: Readonly<Record<string, string>> = { DATABASE_URL: url, KEYRING_FILE: keys };
  const asked = Object.entries(productionSettings).flatMap(([name, schema]) => {
    const texts = about.get(schema);
    const isKnown = name in known || `${name}_FILE` in known;
    const isAsked = name === 'PORT' || !schema.safeParse(undefined).success;
    if (isKnown || !isAsked || !texts || TOGETHER.flat().includes(name)) return [];
    return [`# ${texts.means}${'such' in texts ? `, such as ${texts.such}` : ''}`, `${name}=`];
  });
  return [
    `# The clinic ${clinic}: docs/configuration.md. A value with spaces stands in quotes.`,
    ...Object.entries(known).map(([name, value]) => `${name}=${value}`),
    ...asked,
    '',
  ].join('\n');
}
