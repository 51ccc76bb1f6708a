import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PracticeClinic, openPracticeClinic } from '@clinic/practice/open-practice-clinic.ts';
import { writeFact } from '@clinic/service/database/installation.store.ts';
import { newKeyMaterial } from '@clinic/service/security/keyring-file.ts';
import { takeCommands } from './command-socket.ts';

const { PATH, NODE_COMPILE_CACHE, TEST_PROGRAMS = '' } = process.env;
const folder = mkdtempSync(join(tmpdir(), 'clinic-command-'));
const openPractice = async () => {
  const opened = await openPracticeClinic({
    dataDir: folder,
    publicUrl: 'http://127.0.0.1:3000',
    startsAt: Date.parse('2026-11-21T18:00:00Z') / 1000,
    webRoot: null,
    logLevel: 'silent',
  });
  await opened.app.listen({ host: '127.0.0.1', port: 0 });
  return opened;
};
const closePractice = async ({ app, close }: PracticeClinic) => {
  await app.close();
  await close();
};

/** As an operator types it. */
async function clinic(...typed: string[]) {
  const child = spawn(process.execPath, [join(TEST_PROGRAMS, 'clinic.mjs'), ...typed], {
    cwd: folder,
    env: { PATH, NODE_COMPILE_CACHE, DATA_DIR: folder },
  });
  const [out, err, [code]] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  return { out, err, code };
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('npm run clinic, beside a running service', () => {
  let practice: PracticeClinic;
  beforeAll(async () => {
    practice = await openPractice();
  });
  afterAll(() => closePractice(practice));

  const status = async (): Promise<unknown> =>
    (await practice.app.inject('/api/services/oscarStatus')).json();
  const audited = async () => {
    const { rows } = await practice.app.platform.database.db.execute<Record<string, string>>(
      `select actor, action, subject from audit order by id desc limit 2`,
    );
    return rows;
  };

  // Shows: 7.services.2
  test('announces maintenance and ends it, audited under the system’s user (R-70)', async () => {
    const off = await clinic('offline', '--message', 'We are back at 14:00.');
    expect(off).toMatchObject({ code: 0, err: '' });
    expect(await status()).toEqual({
      success: false,
      status: false,
      extras: { message: 'We are back at 14:00.' },
    });
    const asked = await clinic('status');
    expect(asked.out).toContain('maintenance is announced since Sat Nov 21 2026 ');
    expect(asked.out).toContain('message: We are back at 14:00.');
    expect((await clinic('online')).out).toBe('Maintenance is over.\n');
    expect(await status()).toEqual({ success: true, status: true });
    const [last, before] = await audited();
    expect(last?.action).toBe('maintenance ended');
    expect(before).toMatchObject({ action: 'command run', subject: 'command:online' });
    expect(last?.actor).toMatch(/^clinic:\w/);
  });

  test('comes in by a socket that nobody else may open', () => {
    expect(statSync(join(folder, 'clinic.sock')).mode & 0o777).toBe(0o600);
  });

  test('comes in at one process: another does not start', async () => {
    const other = Fastify();
    takeCommands(other, practice.app.platform, folder);
    await expect(other.ready()).rejects.toThrow('Another process takes the commands at');
    await other.close();
    expect((await clinic('status')).code).toBe(0);
  });

  test('outlives a client that is ended in the midst of its request', async () => {
    const half = '{"command":"status","user":"cas';
    const cutOff = connect(join(folder, 'clinic.sock')).end(half).resume();
    await once(cutOff, 'close');
    const broken = connect(join(folder, 'clinic.sock'));
    broken.write(`${half}\n`);
    expect((await textOf(broken)).split('\n')).toEqual([
      '{"kind":"refused","text":"The request cannot be read."}',
      '{"kind":"end","code":2}',
      '',
    ]);
  });

  test('puts a file beside the operator, and never overwrites one', async () => {
    const month = ['statistics', '--from', '2026-11-01', '--to', '2026-11-30'];
    expect(await clinic(...month)).toMatchObject({ code: 0, err: '' });
    const written = readFileSync(join(folder, 'statistics-2026-11-01-2026-11-30.csv'), 'utf8');
    expect(written).toMatch(/^\uFEFFmonth,provider,/);
    const again = await clinic(...month);
    expect(again).toMatchObject({ code: 1, out: '' });
    expect(again.err).toContain('statistics-2026-11-01-2026-11-30.csv was not written: EEXIST');
  });

  test('does not do what cannot be taken back where nobody can be asked', async () => {
    const asked = await clinic('accounts', 'close', 'casey@practice.example');
    expect(asked).toMatchObject({ code: 1, out: '' });
    expect(asked.err).toContain('Add --yes to do it, or --dry-run to see what it would do.');
    const foreseen = await clinic('accounts', 'close', 'casey@practice.example', '--dry-run');
    expect(foreseen).toMatchObject({ code: 0, err: '' });
    expect(foreseen.out).toContain('Nothing is changed yet.');
  });

  // Shows: S-17
  test('prints nothing that steers the terminal, not even of what was typed (S-17)', async () => {
    const typed = '\u001b]52;c;AAAA\u0007\u202ex';
    const refused = await clinic('accounts', 'close', typed, '--yes');
    expect(refused.err).toBe("There is no patient '\\u001b]52;c;AAAA\\u0007\\u202ex'.\n");
    for (const { out, err } of [await clinic(typed), await clinic('status', `--${typed}`)])
      expect(`${out}${err}`).not.toMatch(/(?!\n)\p{Cc}|\p{Bidi_C}/u);
  });

  test('says how it is used', async () => {
    const all = await clinic('--help');
    expect(all).toMatchObject({ code: 0, err: '' });
    expect(all.out).toContain('offline');
    expect((await clinic('offline', '--help')).out).toContain('--message <text>');
    const wrong = await clinic('offline', '--loud');
    expect(wrong).toMatchObject({ code: 2, out: '' });
    expect(wrong.err).toContain('--loud');
    expect(await clinic('dance')).toMatchObject({ code: 2, out: '' });
    expect(await clinic('messages', 'read')).toMatchObject({ code: 2, out: '' });
    expect(await clinic('status', 'twice')).toMatchObject({ code: 2, out: '' });
    expect(await clinic('import', 'fees', '--file', 'nowhere.csv')).toMatchObject({ code: 1 });
  });
});

describe('npm run clinic, without a service', () => {
  test('lets the doctor look at settings that no service would start with, and ends with 1', async () => {
    const looked = await clinic('doctor');
    expect(looked).toMatchObject({ code: 1, err: '' });
    expect(looked.out).toMatch(/^WRONG  settings .*CLINIC_NAME is missing/m);
    expect(looked.out).toMatch(/^-      database .*for want of DATABASE_URL$/m);
  });

  test('opens the database itself, past the socket of a process that was killed', async () => {
    await closePractice(await openPractice());
    writeFileSync(join(folder, 'clinic.sock'), '');
    expect(await clinic('offline')).toMatchObject({ code: 0, err: '' });
    const practice = await openPractice();
    const answer = await practice.app.inject('/api/services/oscarStatus');
    expect(answer.json()).toEqual({ success: false, status: false });
    expect((await clinic('online')).out).toBe('Maintenance is over.\n');
    await closePractice(practice);
  });

  test('leaves to the EMR what it keeps, which only the service speaks to', async () => {
    const practice = await openPractice();
    await practice.app.platform.database.inTransaction((tx) => writeFact(tx, 'emr-sync', '{}'));
    await closePractice(practice);
    const refused = await clinic('patients', 'set', 'casey@practice.example', '--mrp', 'none');
    expect(refused.err).toBe('Please change this in the EMR: it is shown here soon after.\n');
  });

  test('says that the keys are of another database, and the practice clinic does not start', async () => {
    const file = join(folder, 'keyring.json');
    const own = readFileSync(file);
    writeFileSync(file, JSON.stringify(newKeyMaterial()));
    const says =
      /^The key 'practice-\w+' has sealed values of this database, and the keyring has no such key. Put back/;
    const refused = await clinic('status');
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toMatch(says);
    await expect(openPractice()).rejects.toThrow(says);
    writeFileSync(file, own);
    await closePractice(await openPractice());
  });

  test('lists the keys, and puts a retired one back from the archive', async () => {
    const file = join(folder, 'keyring.json');
    const { current } = JSON.parse(readFileSync(file, 'utf8')) as { current: string };
    writeFileSync(`${file}.archive`, JSON.stringify({ old: randomBytes(32).toString('base64') }));
    expect((await clinic('keys', 'list')).out).toBe(
      `${current}: seals\nold: retired, in the archive\n`,
    );
    expect(await clinic('keys', 'put-back', 'older')).toMatchObject({
      code: 1,
      err: "The archive has no key 'older'.\n",
    });
    expect((await clinic('keys', 'put-back', 'old')).code).toBe(0);
    expect((await clinic('keys', 'list')).out).toBe(`old: opens\n${current}: seals\n`);
  });
});
