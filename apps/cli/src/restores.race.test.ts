import { PASSWORD } from '@clinic/service/testing/rows.ts';
import { Client } from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { RESTORE_AGAIN } from '@clinic/service/database/migrate.ts';
import { openDatabase } from '@clinic/service/database/open-database.ts';
import { PUT_KEYS_BACK, markKeys } from '@clinic/service/modules/privacy/index.ts';
import { openClinic } from '@clinic/service/open-clinic.ts';
import { readSettings } from '@clinic/service/read-settings.ts';
import { newKey, newKeyMaterial } from '@clinic/service/security/keyring-file.ts';
import {
  type KeyMaterial,
  type KeyStore,
  createKeyring,
  retiredKey,
} from '@clinic/service/security/keyring.ts';
import { aClinic, aPatient, aProof, ask, testApp } from '@clinic/service/testing/index.ts';
import { OLDER_KEYS, anOlderClinic, blankPostgres } from '@clinic/service/testing/older-clinic.ts';
import { operate } from '@clinic/service/testing/operator.ts';
import { newDatabaseUrl, testDatabaseUrl } from '@clinic/service/testing/test-database.ts';
import { surroundings } from './doctor-surroundings.ts';
import { examine } from './doctor.ts';
import { openDirectly } from './open-directly.ts';

const OWN = newKeyMaterial('own');
const OTHER = newKeyMaterial('other');
const ROTATED: KeyMaterial = {
  ...newKeyMaterial('new'),
  retired: { [OWN.current]: retiredKey(OWN.current, OWN.keys[OWN.current] ?? '') },
};
const WRONG: KeyMaterial = { ...OWN, keys: { [OWN.current]: newKey().text } };

/** A clinic's settings around a restored database; without keys where they are missing. */
const settingsOf = (url: string, keys: KeyMaterial | null): Record<string, string> => ({
  DATABASE_URL: url,
  PUBLIC_URL: 'https://booking.harbourview.ca',
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'Harbour View <booking@harbourview.ca>',
  CLINIC_NAME: 'Harbour View',
  CLINIC_EMAIL: 'booking@harbourview.ca',
  CLINIC_PHONE: '604-261-4500',
  CLINIC_ADDRESS: '1210 Burrard Street',
  WALK_IN_HOURS: 'Saturday: 10:00 to 13:00',
  BOOKING_FEE: '12.00',
  NO_SHOW_FEE: '50.00',
  LOG_LEVEL: 'warn',
  ...(keys && { KEYRING: JSON.stringify(keys) }),
});

const sentence = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function doctor(env: Record<string, string>): Promise<string> {
  const around = {
    ...surroundings('.'),
    outside: async () => ({ why: null, certificateEndsAt: null, isLive: true, version: null }),
    dnsTexts: async () => [],
  };
  const found = await examine(env, around);
  const sick = found.filter(
    ({ what, state }) => state !== 'right' && ['keys', 'database', 'schema'].includes(what),
  );
  return sick.map(({ what, says }) => `${what}: ${says}`).join('; ') || 'right';
}

async function status(env: Record<string, string>): Promise<string> {
  try {
    const { platform, close } = await openDirectly(env, '/nowhere');
    const { lines } = await operate(platform, 'status');
    await close();
    return lines[0] ?? '';
  } catch (error) {
    return sentence(error);
  }
}

async function start(env: Record<string, string>): Promise<string> {
  try {
    const { app, close } = await openClinic(readSettings(env), '', '');
    await app.close();
    await close();
    return 'starts';
  } catch (error) {
    return sentence(error);
  }
}

async function signIn(url: string, keys: KeyMaterial, email: string): Promise<number> {
  const clinic = await testApp({
    database: await openDatabase({ url, poolSize: 2 }),
    keyring: createKeyring(keys),
  });
  const body = { method: 'email', email, password: PASSWORD, recaptcha: aProof() } as const;
  const { statusCode } = await ask(clinic, 'login', { body });
  await clinic.close();
  return statusCode;
}

/** A clinic as its backup has it. */
async function restored(keys: KeyMaterial) {
  const url = await testDatabaseUrl();
  const database = await openDatabase({ url, poolSize: 2 });
  const keyring = createKeyring(keys);
  await aClinic({ database });
  const { email } = await aPatient({ database, keyring });
  await markKeys(database, keyring);
  await database.close();
  return { url, email };
}

async function onServer(url: string, statement: string) {
  const client = new Client(url);
  await client.connect();
  await client.query(statement);
  await client.end();
}

let own: Awaited<ReturnType<typeof restored>>;
let half: typeof own;
beforeAll(async () => {
  own = await restored(OWN);
  // As far as a restore can come before its end: it makes the triggers last.
  half = await restored(OWN);
  await onServer(half.url, 'drop trigger slot_code_changed on slot_code');
});

// Shows: R-138, S-16
test('Each restore is served, or refused by start, doctor and status in one sentence that says why', async () => {
  const older = await anOlderClinic(await blankPostgres());

  const cells = async (url: string, keys: KeyMaterial | null, email = own.email) => {
    const env = settingsOf(url, keys);
    const found = { doctor: await doctor(env), start: await start(env), status: await status(env) };
    if (found.start !== 'starts' || keys === null) return found;
    return { ...found, signIn: await signIn(url, keys, email) };
  };
  const key = OWN.current;
  const served = {
    doctor: 'right',
    start: 'starts',
    status: expect.stringMatching(/^online/) as unknown,
    signIn: 200,
  };
  const refused = (line: string, says: string, cure: string) => ({
    doctor: `${line}: ${says}`,
    start: `${says}. ${cure}.`,
    status: `${says}. ${cure}.`,
  });
  expect({
    rightKeys: await cells(own.url, OWN),
    rotatedSince: await cells(own.url, ROTATED),
    wrongKeys: await cells(own.url, WRONG),
    noKeys: await cells(own.url, null),
    keysOfAnother: await cells(own.url, OTHER),
    half: await cells(half.url, OWN),
    older: await cells(older.url, OLDER_KEYS, 'ada@test.example'),
  }).toEqual({
    rightKeys: served,
    rotatedSince: refused(
      'keys',
      `The key '${key}' has sealed values of this database and was retired after that`,
      PUT_KEYS_BACK,
    ),
    wrongKeys: refused(
      'keys',
      `The keyring's '${key}' is another key than the '${key}' that has sealed values of this database`,
      PUT_KEYS_BACK,
    ),
    noKeys: {
      doctor: expect.stringMatching(/^keys: KEYRING is missing: the keys that seal/) as unknown,
      start: expect.stringMatching(
        /^The clinic cannot open .*\n {2}KEYRING is missing: .* Make them/,
      ) as unknown,
      status:
        'There is no clinic: KEYRING and KEYRING_FILE are not set, and /nowhere does not exist.',
    },
    keysOfAnother: refused(
      'keys',
      `The key '${key}' has sealed values of this database, and the keyring has no such key`,
      PUT_KEYS_BACK,
    ),
    half: refused(
      'schema',
      'This database is half a restore: it lacks the trigger slot_code_changed',
      RESTORE_AGAIN,
    ),
    older: {
      ...served,
      doctor: 'schema: of an older version: the next start brings it to this one',
    },
  });
});

test('A drill takes a whole backup that needs a retired key, and no half one; status and doctor say when', async () => {
  const { url } = await restored(ROTATED);
  const clinic = await testApp({
    database: await openDatabase({ url, poolSize: 2 }),
    keyring: createKeyring(ROTATED),
  });
  const store: KeyStore = {
    read: () => ROTATED,
    write: () => undefined,
    archived: () => OWN.keys,
    archive: () => undefined,
    version: () => '1',
  };
  const platform = { ...clinic.platform, keyStore: store };
  const drill = async (address: string) => {
    const { lines, refused } = await operate(platform, 'drill', address);
    return lines.join('') + refused;
  };
  const backupLine = async () =>
    (await operate(platform, 'status')).lines.find((line) => line.startsWith('backup'));

  expect(await backupLine()).toMatch(/none was restored to try it/);
  expect(await drill(half.url)).toMatch(/half a restore.*Restore the backup again/);
  expect(await drill(await newDatabaseUrl())).toBe('This database holds no clinic.');
  expect(await drill(url)).toMatch(/^This is the clinic’s own database/);
  const others = await restored(OTHER);
  expect(await drill(others.url)).toMatch(/the keyring has no such key/);
  expect(await backupLine()).toMatch(/none was restored to try it/);
  expect(await drill(own.url)).toMatch(/^The backup is whole/);
  expect(await backupLine()).toMatch(/ was restored 0 seconds ago\.$/);
  const around = surroundings('.');
  const { clinic: facts } = await around.database(url, 0);
  expect(facts?.drill?.at).toBe(clinic.clock.now());
  await clinic.close();
});
