import { existsSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { practiceCards } from '@clinic/practice/payments/practice-gateway.ts';
import { practiceConfig, readPracticeSettings } from '@clinic/practice/practice-settings.ts';
import { altchaCaptcha } from '@clinic/service/adapters/captcha.ts';
import {
  errorReports,
  keysIn,
  keysOf,
  serviceConfig,
  stripeForm,
  stripeOf,
  stripePayments,
} from '@clinic/service/configure.ts';
import { databaseClock } from '@clinic/service/database/clock.store.ts';
import { openDatabase } from '@clinic/service/database/open-database.ts';
import { createOutbox } from '@clinic/service/database/outbox.store.ts';
import { emrBesideService } from '@clinic/service/modules/emr/index.ts';
import { PUT_KEYS_BACK, whyKeysRefused } from '@clinic/service/modules/privacy/index.ts';
import { PATIENTS_WHO_SIGN_IN } from '@clinic/service/modules/accounts/index.ts';
import { parts } from '@clinic/service/sql-parts.ts';
import type { Platform } from '@clinic/service/platform.ts';
import { readSettings, readSome } from '@clinic/service/read-settings.ts';
import { productionSettings } from '@clinic/service/settings.ts';
import { createAudit } from '@clinic/service/security/audit.store.ts';
import { keyFile, keyFileIn } from '@clinic/service/security/keyring-file.ts';
import type { KeyStore } from '@clinic/service/security/keyring.ts';
import { createSessions } from '@clinic/service/security/sessions.store.ts';
import { randomIds } from '@clinic/service/server/ports.ts';
import { createLog, reportedLog } from '@clinic/service/server/log.ts';
import { createRateLimit } from '@clinic/service/server/rate-limit.store.ts';
import { realtimeOfOthers } from '@clinic/service/server/realtime.ts';
import { awayPage } from './away-page.ts';
import { clinicsCommands, tendClinics } from './clinics.ts';
import { CommandRefused, type Given } from './command.ts';
import { type Terminal, askOn, doAsTyped, printing } from './command-line.ts';
import { askService, socketPathIn } from './command-socket.ts';
import { type CommandRequest, runCommand } from './commands.ts';
import { surroundings } from './doctor-surroundings.ts';
import { examine, sendTestMail, table } from './doctor.ts';
import { lookFromOutside, whyNobodyBooks } from './from-outside.ts';
import { KEYS_IN_ENVIRONMENT, keyCommands, tendKeys } from './privacy-commands.ts';
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
      return tendClinics(command, given, { env, folder: process.cwd(), put });
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
  refuseWithoutClinic();
  return keyFileIn(dataDir);
}

/** Without the clinic's keys, a command would write data that nobody can verify or read. */
function refuseWithoutClinic(): void {
  if (!existsSync(dataDir))
    throw new CommandRefused(
      `There is no clinic: KEYRING and KEYRING_FILE are not set, and ${dataDir} does not exist.`,
    );
}

async function runHere(request: CommandRequest): Promise<number> {
  const { platform, close } = await openDirectly();
  const whyNotServed = async () => (await lookFromOutside(platform.config.publicUrl)).why;
  try {
    return await runCommand(platform, request, put, whyNotServed);
  } finally {
    await close();
  }
}

/**
 * Opens the parts of the service without the service itself: for a command while none runs, and in
 * production, where several processes may share the database.
 */
async function openDirectly() {
  const isPractice = (env.KEYRING ?? env.KEYRING_FILE) === undefined;
  const production = isPractice ? null : readSettings(env);
  const settings = production ?? readPracticeSettings(env);
  const { DATABASE_URL: url, PUBLIC_URL: publicUrl } = settings;
  const ids = randomIds;
  const ownLog = createLog({ level: 'warn', showMessages: isPractice });
  const reports = errorReports(production?.SENTRY_DSN, ownLog);
  const log = reportedLog(ownLog, reports);
  if (isPractice) refuseWithoutClinic();
  const database = await openDatabase(
    url === undefined
      ? { dataDir }
      : { url, directUrl: production?.DATABASE_DIRECT_URL, poolSize: 2 },
  );
  const clock = await databaseClock(database);
  const close = async () => {
    clock.stop();
    await database.close();
    await reports.sent();
  };
  try {
    const { keyStore, keyring } = production ? keysOf(production) : keysIn(keyFileIn(dataDir));
    const why = await whyKeysRefused(database.db, keyring);
    if (why !== null) throw new CommandRefused(`${why} ${PUT_KEYS_BACK}.`);
    const stripe = stripeOf(settings);
    // The practice gateway's books are in the database, where the service finds any change when it looks.
    const ownCards = production
      ? null
      : practiceCards({ database, keyring, clock, ids, publicUrl });
    const cardPayments = stripe ? stripePayments(stripe, publicUrl) : ownCards;
    const config = production
      ? serviceConfig(production, '')
      : { ...practiceConfig(publicUrl, null), ...(stripe && { payments: stripeForm(stripe) }) };
    const platform: Platform = {
      config,
      database,
      keyring,
      ...(keyStore && { keyStore }),
      clock,
      ids,
      emr: await emrBesideService(database.db),
      // Commands send no emails themselves: emails wait in the outbox for the service.
      mail: { send: () => Promise.reject(new Error('Emails are sent by the service')) },
      captcha: altchaCaptcha(database, keyring),
      log,
      reports,
      ...(cardPayments && { cardPayments }),
      parts,
      sessions: createSessions(database, ids, PATIENTS_WHO_SIGN_IN),
      appendAudit: createAudit(keyring),
      outbox: createOutbox({ database, clock, ids, log }),
      rateLimit: createRateLimit(database, keyring),
      realtime: realtimeOfOthers(database),
    };
    return { platform, close };
  } catch (error) {
    await close();
    throw error;
  }
}
