// npm run oscar:suite -- <address>: holds the promises of the EMR port (apps/service/testing/emr.suite.ts) against an
// OSCAR that a clinic has set up for trying (docs/emr.md).
//   OSCAR_ACCESS   the file of `emr connect`; with "token" in it nobody is asked for consent
//   OSCAR_PATIENT  the number of a test patient
//   OSCAR_SITE     one of its sites, where it has some
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';

import { toClinic } from '@clinic/domain';
import {
  askForConsent,
  oscarAccess,
  oscarCredentials,
  takeConsent,
} from '../src/adapters/emr-oscar/connection.ts';
import { anyOscar } from './any-oscar.ts';

const [, , base = ''] = process.argv;
const { OSCAR_ACCESS, OSCAR_PATIENT = '', OSCAR_SITE } = process.env;
const now = Math.floor(Date.now() / 1000);
const say = (line: string) => process.stdout.write(`${line}\n`);
const terminal = createInterface({ input: process.stdin, output: process.stdout });

try {
  if (base === '' || OSCAR_ACCESS === undefined || OSCAR_PATIENT === '')
    throw new Error(
      'OSCAR_ACCESS=access.json OSCAR_PATIENT=<number> npm run oscar:suite -- <address of an OSCAR for trying>',
    );
  say(
    `This writes into ${base}: appointments of patient ${OSCAR_PATIENT}, deleted afterwards where OSCAR allows it; and two charts, a tickler and a document, which stay. Never run it on the OSCAR of patients.`,
  );
  if ((await terminal.question('Go on (yes)? ')) !== 'yes') throw new Error('Nothing was written.');
  const credentials = await credentialsIn(readFileSync(OSCAR_ACCESS, 'utf8'));
  const today = toClinic(now).date;
  const told = { base, credentials, patient: OSCAR_PATIENT, today, site: OSCAR_SITE };
  const OSCAR_SUITE = JSON.stringify(anyOscar.parse(told));
  const suite = ['run', '--project', 'port', 'any-oscar', '--reporter=verbose'];
  const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', ...suite], {
    stdio: 'inherit',
    cwd: join(import.meta.dirname, '../../..'),
    env: { ...process.env, OSCAR_SUITE },
  });
  process.exitCode = status ?? 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  terminal.close();
}

/** No message repeats any of the file. */
async function credentialsIn(file: string) {
  let said: unknown;
  try {
    said = JSON.parse(file);
  } catch {
    throw new Error('The file is no JSON.');
  }
  const { data: whole } = oscarCredentials.safeParse(said);
  if (whole !== undefined) return whole;
  const { data: access } = oscarAccess.safeParse(said);
  if (access === undefined) throw new Error('The file is not as docs/emr.md has it.');
  const { asking, authorizeAt } = await askForConsent(base, access, now);
  say(`Open ${authorizeAt}, log in and approve.`);
  const shown = await terminal.question('What OSCAR shows behind oauth_verifier=: ');
  return takeConsent(base, asking, shown.trim(), now);
}
