import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import {
  type ClinicOnDatabase,
  ClinicRefused,
  addClinic,
  clinicsOn,
  removeClinic,
} from '@clinic/service/database/clinics.store.ts';
import { type Environment, readSome } from '@clinic/service/read-settings.ts';
import { newKeyMaterial } from '@clinic/service/security/keyring-file.ts';
import { about } from '@clinic/service/setting-kinds.ts';
import { TOGETHER, clinicsSettings, productionSettings } from '@clinic/service/settings.ts';
import { CommandRefused, type Commands, type Given, counted } from './command.ts';
import type { CommandOutput } from './command-output.ts';
import { type SeenFromOutside, lookFromOutside } from './from-outside.ts';

/** These need no service: main.ts runs them in the terminal, as a database user who may create roles. */
export const clinicsCommands: Commands = {
  'clinics add': {
    summary: 'Make a clinic beside others on one database: role, schema, settings and keys.',
    arguments: { '<name>': 'Of its role, its schema and its files: small letters, digits and _.' },
  },
  'clinics list': { summary: 'List the clinics of one database.' },
  'clinics remove': {
    summary: 'Drop a clinic that has moved or ended: its role, its schema and every row.',
    arguments: { '<name>': 'Its name.' },
    options: { '--yes': 'Do it: nothing but a dump and the keys brings it back.' },
  },
  'clinics run': {
    summary: 'Run a command for each clinic of this folder in turn, up to the first that fails.',
    arguments: { '<command...>': 'As it is typed for one clinic, such as: status.' },
  },
  'clinics upgrade': {
    summary: 'Restart each clinic of this folder in turn, up to the first that does not come back.',
  },
};

/** This machine, on which each clinic of a folder of settings has a process of its own. */
export interface Machine {
  /** Runs the command with these settings in place of our own; its exit code. */
  readonly run: (command: readonly string[], settings: Environment) => Promise<number>;
  /** Whether somebody stopped the unit clinic@NAME, or never started it; one that failed is not stopped. */
  readonly isStopped: (name: string) => boolean;
  /** Restarts the unit clinic@NAME; the exit code. */
  readonly restart: (name: string) => Promise<number>;
  /** Why the service at that address does not serve, or the version that does. */
  readonly look: (url: string) => Promise<Pick<SeenFromOutside, 'why' | 'version'>>;
  readonly pause: () => Promise<unknown>;
}

/** Runs a clinics command. Files are for `folder`: the settings name the keys there. */
export async function tendClinics(
  command: string,
  { texts: { name = '' }, flags, rest = [] }: Given,
  {
    env,
    folder,
    put,
    machine,
  }: Readonly<{ env: Environment; folder: string; put: Put; machine: Machine }>,
): Promise<number> {
  const say = (text: string) => put({ kind: 'line', text });
  if (command === 'clinics run')
    return eachInTurn(folder, say, ({ settings }) => machine.run(rest, settings));
  if (command === 'clinics upgrade')
    return eachInTurn(folder, say, (clinic) => upgradeOne(clinic, machine, say));
  const { DATABASE_ADMIN_URL: adminUrl } = readSome(clinicsSettings, env);
  if (command === 'clinics list') {
    const clinics = await clinicsOn(adminUrl);
    for (const each of clinics) say(lineOf(each));
    if (clinics.length === 0) say('There is no clinic on this database.');
    return 0;
  }
  if (command === 'clinics remove') {
    if (!flags.includes('yes'))
      throw new CommandRefused(
        `${name} would be gone with every row: dump it, then type the command again with --yes.`,
      );
    await removeClinic(adminUrl, name).catch(refuse);
    say(
      `${name} is gone. A dump needs its keys; move ${name}.env away, or 'run' and 'upgrade' stop there.`,
    );
    return 0;
  }
  const files = { settings: `${name}.env`, keys: `${name}.keyring.json` };
  const save = (file: string, text: string) =>
    put({ kind: 'file', name: file, base64: Buffer.from(text).toString('base64') });
  await addClinic(adminUrl, name, (url) => {
    save(files.settings, settingsOf(name, url, resolve(folder, files.keys)));
    save(files.keys, `${JSON.stringify(newKeyMaterial('k'))}\n`);
  }).catch(refuse);
  say(`The clinic ${name} has its role and its schema. Its service makes the tables.`);
  say(`Fill in what ${files.settings} leaves empty, and keep ${files.keys} elsewhere, too.`);
  return 0;
}

type Put = (output: CommandOutput) => void;

function refuse(error: unknown): never {
  throw error instanceof ClinicRefused ? new CommandRefused(error.message) : error;
}

interface ClinicHere {
  readonly name: string;
  readonly settings: Environment;
}

/** Those whose settings stand in the folder: NAME.env with the address of the role NAME. */
function clinicsIn(folder: string): readonly ClinicHere[] {
  const all = readdirSync(folder)
    .filter((file) => file.endsWith('.env'))
    .sort()
    .map((file) => ({
      name: basename(file, '.env'),
      settings: parseEnv(readFileSync(join(folder, file), 'utf8')),
    }));
  return all.filter(
    ({ name, settings }) => URL.parse(settings.DATABASE_URL ?? '')?.username === name,
  );
}

/** Stops at the first that does not end with 0, and returns how that ended. */
async function eachInTurn(
  folder: string,
  say: (text: string) => void,
  act: (clinic: ClinicHere) => Promise<number>,
): Promise<number> {
  const clinics = clinicsIn(folder);
  if (clinics.length === 0)
    throw new CommandRefused(
      `No clinic has its settings in ${folder}, as 'clinics add' writes them.`,
    );
  for (const [at, clinic] of clinics.entries()) {
    say(`== ${clinic.name}`);
    const code = await act(clinic);
    if (code === 0) continue;
    const left = clinics.slice(at + 1).map(({ name }) => name);
    say(`Stopped at ${clinic.name}. Not reached: ${left.join(', ') || 'none'}.`);
    return code;
  }
  say(`Done for ${counted(clinics.length, 'clinic')}.`);
  return 0;
}

/** A start migrates: on a large clinic that takes its time. */
const LOOKS = 300;

async function upgradeOne(
  { name, settings }: ClinicHere,
  { isStopped, restart, look, pause }: Machine,
  say: (text: string) => void,
): Promise<number> {
  if (isStopped(name)) {
    // It may be served by another machine by now: a second process would send its emails twice.
    say(`${name} is stopped here, and stays so.`);
    return 0;
  }
  const code = await restart(name);
  if (code !== 0) return code;
  for (let looks = 1; ; looks += 1) {
    const { why, version } = await look(addressOf(settings));
    if (why === null) {
      say(`${name} serves with ${version ?? 'a version that it does not say'}.`);
      return 0;
    }
    if (looks === LOOKS) {
      say(`${why}: journalctl -u clinic@${name} says more.`);
      return 1;
    }
    await pause();
  }
}

/** Where the service listens; a setting that is empty is not set. */
function addressOf({ HOST, PORT }: Environment): string {
  const host = HOST || '127.0.0.1';
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT || '3000'}`;
}

/** The exit code of a program that shares this terminal. */
async function codeOf(program: string, args: readonly string[], env: Environment): Promise<number> {
  const child = spawn(program, args, { env, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

/** `main` is the file of these commands. */
export const thisMachine = (main: string, { PATH, HOME, ...own }: Environment): Machine => ({
  run: (command, settings) =>
    codeOf(process.execPath, [main, ...command], { PATH, HOME, ...settings }),
  isStopped: (name) =>
    execFileSync('systemctl', ['show', '--property=ActiveState', '--value', `clinic@${name}`], {
      env: { PATH, HOME, ...own },
      encoding: 'utf8',
    }).trim() === 'inactive',
  restart: (name) => codeOf('systemctl', ['restart', `clinic@${name}`], { PATH, HOME, ...own }),
  look: lookFromOutside,
  pause: () => pause(1_000),
});

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
