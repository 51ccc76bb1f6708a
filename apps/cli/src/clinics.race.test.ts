import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { parseEnv } from 'node:util';
import { openDatabase } from '@clinic/service/database/open-database.ts';
import { judgeSettings } from '@clinic/service/read-settings.ts';
import { newDatabaseUrl } from '@clinic/service/testing/test-database.ts';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tendClinics } from './clinics.ts';
import { CommandRefused } from './command.ts';
import type { CommandOutput } from './command-output.ts';

const { PATH, NODE_COMPILE_CACHE } = process.env;
const folder = mkdtempSync(join(tmpdir(), 'clinics-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** As whoever runs the database types it. */
async function asTyped(adminUrl: string, ...typed: string[]) {
  const main = join(import.meta.dirname, 'main.ts');
  const child = spawn(process.execPath, [main, 'clinics', ...typed], {
    cwd: folder,
    env: { PATH, NODE_COMPILE_CACHE, DATABASE_ADMIN_URL: adminUrl },
  });
  const [out, err, [code]] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  return { out, err, code };
}

/** The same without a process of its own. */
async function said(adminUrl: string, command: 'add' | 'list', name = ''): Promise<string> {
  const lines: string[] = [];
  const put = (output: CommandOutput) => {
    if (output.kind === 'file') throw new CommandRefused(`${output.name} was not written`);
    lines.push(output.text);
  };
  const env = { DATABASE_ADMIN_URL: adminUrl };
  const given = { texts: { name }, flags: [] };
  await tendClinics(`clinics ${command}`, given, { env, folder, put });
  return lines.join('\n');
}

/** Roles are the whole server's, so a name is one run's alone. */
const named = (name: string) => `${name}_${randomBytes(4).toString('hex')}`;

describe('npm run clinic -- clinics', () => {
  let admin: string;
  const name = named('kerrisdale');
  const file = (what: string) => join(folder, `${name}.${what}`);
  beforeAll(async () => {
    // Who makes clinics need not be a superuser.
    const superuser = await newDatabaseUrl();
    const client = new Client(superuser);
    const role = named('maker');
    await client.connect();
    await client.query(`create role ${role} login createrole password 'made-by-a-test';
      grant create on database ${new URL(superuser).pathname.slice(1)} to ${role}`);
    await client.end();
    admin = Object.assign(new URL(superuser), { username: role, password: 'made-by-a-test' }).href;
  });

  test('makes a clinic whose settings lack only what nobody but the clinic knows', async () => {
    expect(await asTyped(admin, 'add', name)).toMatchObject({ code: 0, err: '' });
    for (const what of ['env', 'keyring.json'])
      expect(statSync(file(what)).mode & 0o777).toBe(0o600);
    const { settings, problems } = judgeSettings(parseEnv(readFileSync(file('env'), 'utf8')));
    expect(problems.map((each) => each.name)).toEqual([
      'CLINIC_NAME',
      'CLINIC_EMAIL',
      'CLINIC_PHONE',
      'CLINIC_ADDRESS',
      'WALK_IN_HOURS',
      'BOOKING_FEE',
      'NO_SHOW_FEE',
      'PUBLIC_URL',
      'SMTP_URL',
      'MAIL_FROM',
    ]);
    const database = await openDatabase({ url: settings.DATABASE_URL, poolSize: 1 });
    await database.answers();
    expect(await said(admin, 'list')).toMatch(
      new RegExp(`^${name}: \\d\\d tables, \\d\\.\\d MB, 1 connection$`),
    );
    await database.close();
  });

  test('changes nothing of a clinic that is there', async () => {
    const again = said(admin, 'add', name);
    await expect(again).rejects.toThrow(`There is a clinic ${name} already. Nothing was changed.`);
  });

  test('makes no clinic whose settings cannot be kept', async () => {
    const other = named('burnaby');
    await expect(said(admin, 'add', other)).rejects.toThrow(`${other}.env was not written`);
    expect(await said(admin, 'list')).not.toContain(other);
  });

  test('says why a name cannot be a clinic’s', async () => {
    for (const [asked, why] of [
      ['Kerrisdale', 'A clinic’s name has small letters'],
      ['public', 'The name public is PostgreSQL’s or the service’s own.'],
      [new URL(admin).username, 'which is no clinic of this database. Take another name.'],
    ] as const)
      await expect(said(admin, 'add', asked)).rejects.toThrow(why);
  });

  test('asks for the address of whoever may make roles', async () => {
    await expect(said('', 'list')).rejects.toThrow('DATABASE_ADMIN_URL is missing');
  });
});
