import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSome } from '@clinic/service/read-settings.ts';
import { productionSettings } from '@clinic/service/settings.ts';
import { keyFile, keyFileIn } from '@clinic/service/security/keyring-file.ts';
import type { KeyStore } from '@clinic/service/security/keyring.ts';
import { awayPage } from './away-page.ts';
import { clinicsCommands, tendClinics, thisMachine } from './clinics.ts';
import { CommandRefused, type Given } from './command.ts';
import { type Terminal, askOn, doAsTyped, printing } from './command-line.ts';
import { askService, socketPathIn } from './command-socket.ts';
import { type CommandRequest, runCommand } from './commands.ts';
import { surroundings } from './doctor-surroundings.ts';
import { examine, sendTestMail, table } from './doctor.ts';
import { lookFromOutside, whyNobodyBooks } from './from-outside.ts';
import { KEYS_IN_ENVIRONMENT, keyCommands, tendKeys } from './privacy-commands.ts';
import { openDirectly, refuseWithoutClinic } from './open-directly.ts';
import { tellers, watch } from './watch.ts';

// npm run clinic -- <command>: commands for the operator of the service, on its own machine.
const { env, stdin, stdout } = process;
const root = fileURLToPath(new URL('../../..', import.meta.url));
const dataDir = resolve(root, env.DATA_DIR ?? 'data');

const terminal: Terminal = {
  out: (line) => console.log(line),
  err: (line) => console.error(line),
  save(name, bytes) {
    const here = basename(name);
    try {
      writeFileSync(here, bytes, { flag: 'wx', mode: 0o600 });
    } catch (error) {
      throw new CommandRefused(`${here} was not written: ${(error as Error).message}`);
    }
  },
  ask: stdin.isTTY && stdout.isTTY ? askOn(stdin, stdout) : null,
};
const { complain, put } = printing(terminal);

try {
  process.exitCode = await doAsTyped(process.argv.slice(2), terminal, async (command, given) => {
    if (command === 'doctor') return consult(given.texts.mail);
    if (command === 'away-page') {
      const { CLINIC_NAME, CLINIC_PHONE, LANGUAGES } = productionSettings;
      const settings = readSome({ CLINIC_NAME, CLINIC_PHONE, LANGUAGES }, env);
      for (const text of awayPage(settings)) put({ kind: 'line', text });
      return 0;
    }
    if (command === 'watch') return keepWatch(given);
    if (command in keyCommands) {
      tendKeys(command, given, keyStoreHere(), (text) => put({ kind: 'line', text }));
      return 0;
    }
    if (command in clinicsCommands)
      return tendClinics(command, given, {
        env,
        folder: process.cwd(),
        put,
        machine: thisMachine(fileURLToPath(import.meta.url), env),
      });
    const request = { command, user: userInfo().username, given };
    return (await askService(socketPathIn(dataDir), request, put)) ?? runHere(request);
  });
} catch (error) {
  complain(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

/** Runs the doctor. It needs neither the service nor valid settings. */
async function consult(mailTo: string | undefined): Promise<number> {
  const found = await examine(env, surroundings(root));
  if (mailTo !== undefined) found.push(await sendTestMail(env, mailTo));
  for (const text of table(found)) put({ kind: 'line', text });
  return found.some(({ state }) => state === 'wrong') ? 1 : 0;
}

/** Watches until the process ends. */
function keepWatch(given: Given): Promise<never> {
  const { PUBLIC_URL } = readSome({ PUBLIC_URL: productionSettings.PUBLIC_URL }, env);
  return watch({
    look: () => whyNobodyBooks(PUBLIC_URL),
    tell: tellers(env, given),
    now: () => Date.now(),
    pause: (ms) => pause(ms),
    complain,
  });
}

/** The file with the keys of this clinic, whatever else is set up. */
function keyStoreHere(): KeyStore {
  const { KEYRING, KEYRING_FILE } = env;
  if (KEYRING_FILE !== undefined) return keyFile(KEYRING_FILE, 'KEYRING_FILE');
  if (KEYRING !== undefined) throw new CommandRefused(KEYS_IN_ENVIRONMENT);
  refuseWithoutClinic(dataDir);
  return keyFileIn(dataDir);
}

async function runHere(request: CommandRequest): Promise<number> {
  const { platform, close } = await openDirectly(env, dataDir);
  const fromOutside = () => lookFromOutside(platform.config.publicUrl);
  try {
    return await runCommand(platform, request, put, fromOutside);
  } finally {
    await close();
  }
}
