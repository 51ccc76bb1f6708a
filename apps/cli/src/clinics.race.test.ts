import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { parseEnv } from 'node:util';
import { openDatabase } from '@clinic/service/database/open-database.ts';
import { judgeSettings } from '@clinic/service/read-settings.ts';
import { newDatabaseUrl } from '@clinic/service/testing/test-database.ts';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Machine, tendClinics, thisMachine } from './clinics.ts';
import { CommandRefused } from './command.ts';
import type { CommandOutput } from './command-output.ts';

const { PATH, NODE_COMPILE_CACHE } = process.env;
const folder = mkdtempSync(join(tmpdir(), 'clinics-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** As whoever runs the database types it. */
async function asTyped(adminUrl: string, ...typed: string[]) {
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

const main = join(import.meta.dirname, 'main.ts');

/** The same without a process of its own. */
async function said(
  adminUrl: string,
  command: 'add' | 'list' | 'remove',
  name = '',
  flags: readonly string[] = [],
): Promise<string> {
  const lines: string[] = [];
  const put = (output: CommandOutput) => {
    if (output.kind === 'file') throw new CommandRefused(`${output.name} was not written`);
    lines.push(output.text);
  };
  const env = { DATABASE_ADMIN_URL: adminUrl };
  const given = { texts: { name }, flags };
  const machine = thisMachine(main, env);
  await tendClinics(`clinics ${command}`, given, { env, folder, put, machine });
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

  test('removes a clinic that nobody uses, once that was said twice', async () => {
    const gone = named('gone');
    expect(await asTyped(admin, 'add', gone)).toMatchObject({ code: 0 });
    const { DATABASE_URL: url } = parseEnv(readFileSync(join(folder, `${gone}.env`), 'utf8'));
    const database = await openDatabase({ url: url ?? '', poolSize: 1 });
    await database.answers();
    await expect(said(admin, 'remove', gone)).rejects.toThrow('with every row: dump it');
    await expect(said(admin, 'remove', gone, ['yes'])).rejects.toThrow('stop its processes first');
    await database.close();
    await expect.poll(() => said(admin, 'list')).toMatch(new RegExp(`^${gone}:.* 0 conn`, 'm'));
    expect(await said(admin, 'remove', gone, ['yes'])).toContain(`${gone} is gone.`);
    expect(await said(admin, 'list')).not.toContain(gone);
    await expect(said(admin, 'remove', gone, ['yes'])).rejects.toThrow('There is no clinic');
  });

  test('takes no schema of another program for a clinic', async () => {
    const other = named('dashboards');
    expect(await asTyped(admin, 'add', other)).toMatchObject({ code: 0 });
    const { DATABASE_URL: url } = parseEnv(readFileSync(join(folder, `${other}.env`), 'utf8'));
    const client = new Client(url);
    await client.connect();
    await client.query('create table dashboard ()');
    await client.end();
    expect(await said(admin, 'list')).not.toContain(other);
    await expect(said(admin, 'remove', other, ['yes'])).rejects.toThrow('There is no clinic');
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

describe('The clinics of one machine', () => {
  const here = mkdtempSync(join(tmpdir(), 'clinics-here-'));
  afterAll(() => rmSync(here, { recursive: true }));
  beforeAll(() => {
    for (const [at, name] of ['arbutus', 'burnaby', 'coquitlam'].entries())
      writeFileSync(
        join(here, `${name}.env`),
        `DATABASE_URL=postgres://${name}:secret@db/clinics\nPORT=${3001 + at}\n`,
      );
    // As it is written when a clinic is made: an address that is not filled in is the usual one.
    writeFileSync(
      join(here, 'delta.env'),
      'DATABASE_URL=postgres://delta:secret@db/clinics\nHOST=::1\nPORT=\n',
    );
    // One that is alone on its machine has another name than its role.
    writeFileSync(join(here, 'service.env'), 'DATABASE_URL=postgres://clinic:secret@db/clinic\n');
  });

  async function tend(command: 'run' | 'upgrade', machine: Partial<Machine>, rest: string[] = []) {
    const lines: string[] = [];
    const code = await tendClinics(
      `clinics ${command}`,
      { texts: {}, flags: [], rest },
      {
        env: {},
        folder: here,
        put: (output) => lines.push(output.kind === 'line' ? output.text : ''),
        machine: { ...thisMachine(main, {}), ...machine },
      },
    );
    return { code, lines };
  }

  test('carry out a command in turn, each with its own settings, up to the first fault', async () => {
    const ran: unknown[] = [];
    const run: Machine['run'] = (command, { PORT }) =>
      Promise.resolve(ran.push([...command, PORT]) === 2 ? 3 : 0);
    const { code, lines } = await tend('run', { run }, ['patients', 'list', '--bounced']);
    expect(ran).toEqual([
      ['patients', 'list', '--bounced', '3001'],
      ['patients', 'list', '--bounced', '3002'],
    ]);
    expect(code).toBe(3);
    expect(lines.at(-1)).toBe('Stopped at burnaby. Not reached: coquitlam, delta.');
  });

  test('take the options of the command as typed, and end as it does', async () => {
    const child = spawn(
      process.execPath,
      [main, 'clinics', 'run', 'keys', 'list', '--backups', '/x'],
      {
        cwd: here,
        env: { PATH, NODE_COMPILE_CACHE, DATABASE_ADMIN_URL: 'postgres://nobody@db/clinics' },
      },
    );
    const [out, err] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
    expect(out).toContain('Stopped at arbutus. Not reached: burnaby, coquitlam, delta.');
    expect(err).toContain('There is no clinic: KEYRING and KEYRING_FILE are not set');
  });

  test('are restarted in turn, each once the one before serves', async () => {
    const done: string[] = [];
    let looks = 0;
    const machine: Partial<Machine> = {
      isStopped: () => false,
      restart: (name) => Promise.resolve(done.push(`restart ${name}`) && 0),
      look(url) {
        looks += 1;
        done.push(url);
        // The last one never comes back.
        const why = looks === 1 || url.endsWith('3003') ? `${url} does not answer` : null;
        return Promise.resolve({ why, version: why === null ? '0.3.0' : null });
      },
      pause: () => Promise.resolve(),
    };
    const { code, lines } = await tend('upgrade', machine);
    expect(done.slice(0, 6)).toEqual([
      'restart arbutus',
      'http://127.0.0.1:3001',
      'http://127.0.0.1:3001',
      'restart burnaby',
      'http://127.0.0.1:3002',
      'restart coquitlam',
    ]);
    expect([code, lines.slice(-2)]).toEqual([
      1,
      [
        'http://127.0.0.1:3003 does not answer: journalctl -u clinic@coquitlam says more.',
        'Stopped at coquitlam. Not reached: delta.',
      ],
    ]);
    expect(lines).toContain('burnaby serves with 0.3.0.');
  });

  test('stay stopped where somebody stopped them: they may run on another machine', async () => {
    const done: string[] = [];
    const { code, lines } = await tend('upgrade', {
      isStopped: (name) => name !== 'delta',
      restart: (name) => Promise.resolve(done.push(name) && 0),
      look(url) {
        done.push(url);
        return Promise.resolve({ why: null, version: '0.3.0' });
      },
    });
    expect([code, done]).toEqual([0, ['delta', 'http://[::1]:3000']]);
    expect(lines).toContain('burnaby is stopped here, and stays so.');
  });
});
