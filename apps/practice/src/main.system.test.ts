import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkAt } from '@clinic/domain';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appointment } from '@clinic/service/modules/appointments/schema.ts';
import { enqueueAccountEmail } from '@clinic/service/modules/accounts/account-emails.ts';
import { correctEmail } from '@clinic/service/modules/accounts/sign-up/account-link.ts';
import { patient, pendingSignUp } from '@clinic/service/modules/accounts/schema.ts';
import { findAccount } from '@clinic/service/modules/accounts/store.ts';
import { inviteStaff } from '@clinic/service/modules/staff/members.ts';
import { type PracticeClinic, openPracticeClinic } from './open-practice-clinic.ts';

const folder = mkdtempSync(join(tmpdir(), 'practice-'));
const pages = mkdtempSync(join(tmpdir(), 'pages-'));
for (const app of ['web', 'desk']) {
  mkdirSync(join(pages, app, 'assets'), { recursive: true });
  writeFileSync(join(pages, app, 'index.html'), `<html>${app}</html>`);
}
const open = () =>
  openPracticeClinic({
    dataDir: folder,
    publicUrl: 'http://127.0.0.1:3000',
    startsAt: Date.parse('2026-12-15T20:00:00Z') / 1000,
    webRoot: join(pages, 'web'),
    deskRoot: join(pages, 'desk'),
    logLevel: 'silent',
  });
let clinic: PracticeClinic;
beforeAll(async () => {
  clinic = await open();
});
afterAll(async () => {
  await clinic.app.close();
  await clinic.close();
  rmSync(folder, { recursive: true });
  rmSync(pages, { recursive: true });
});

const get = (url: string) => clinic.app.inject(url);
const dateOf = async () => Date.parse(String((await get('/healthz')).headers.date)) / 1000;
const advance = (advanceSeconds: unknown) =>
  clinic.app.inject({ method: 'POST', url: '/practice/clock', payload: { advanceSeconds } });

describe('The practice clinic', () => {
  test('starts its clock at PRACTICE_NOW, ticks, and can be moved', async () => {
    const start = await dateOf();
    expect(start).toBeGreaterThanOrEqual(1_797_364_800);
    expect(start).toBeLessThan(1_797_364_800 + 600);
    expect((await advance(3_600)).statusCode).toBe(200);
    expect((await dateOf()) - start).toBeGreaterThanOrEqual(3_600);
  });

  test('has let lapsed times go, and sent its emails, when it says that its clock was moved', async () => {
    const { database, outbox, clock } = clinic.app.platform;
    for (const job of ['lapsed-holds', 'outbox']) await clinic.app.stopJob(job);
    const held = await database.db.execute<{ id: string }>(sql`
      update appointment set state = 'held', hold_expires_at_s = ${clock.now() + 60}
       where id = (select id from appointment where state = 'booked' limit 1) returning id`);
    const id = held.rows[0]?.id ?? '';
    const [{ id: patientId } = { id: '' }] = await database.db.select().from(patient).limit(1);
    await database.inTransaction((tx) =>
      enqueueAccountEmail(outbox, tx, { email: 'passwordChanged', patientId, at: clock.now() }),
    );
    expect((await advance(60)).statusCode).toBe(200);
    expect(await database.db.$count(appointment, sql`id = ${id} and state = 'released'`)).toBe(1);
    expect((await get('/practice/mail')).body).toContain('password');
  });

  test.each([-1, 1.5, 'x', null, 10 ** 9])('does not move its clock by %j', async (seconds) => {
    expect((await advance(seconds)).statusCode).toBe(422);
  });

  // Shows: S-10
  test('shows its mail, newest first, as text with links and as HTML', async () => {
    const { mail } = clinic.app.platform;
    const email = {
      to: 'a@b.example',
      subject: 'First <script>',
      text: 'See https://x.example/a',
      html: '<!doctype html><p>See</p>',
    };
    await mail.send({ ...email, key: 'one' });
    await mail.send({
      ...email,
      key: 'two',
      subject: 'Second',
      calendar: { method: 'PUBLISH', content: 'BEGIN:VCALENDAR' },
    });
    const { body } = await get('/practice/mail');
    expect(body.indexOf('Second')).toBeLessThan(body.indexOf('First &#60;script&#62;'));
    expect(body).toContain('<a href="https://x.example/a">');
    expect(body).not.toContain('<script');
    expect(body).toContain('<a href="/practice/mail/two.html">');
    expect((await get('/practice/mail/two.html')).body).toBe(email.html);
    expect((await get('/practice/mail/three.html')).statusCode).toBe(404);
    expect((await get('/practice/mail/two.ics')).body).toBe('BEGIN:VCALENDAR');
    expect((await get('/practice/mail/one.ics')).statusCode).toBe(404);
    expect((await get('/practice/style.css')).headers['content-type']).toContain('text/css');
  });

  test('links of its emails lead to their page, and open what they are for, also with # as %23', async () => {
    const { platform } = clinic.app;
    const { database, outbox, clock, config } = platform;
    const now = clock.now();
    const [form] = await database.db.select().from(pendingSignUp).limit(1);
    const casey = await findAccount(database.db, { email: 'casey@practice.example' });
    if (form === undefined || casey === null) throw new Error('The seed has both');
    await database.inTransaction((tx) =>
      enqueueAccountEmail(outbox, tx, { email: 'confirmEmail', patientId: form.id, at: now }),
    );
    const corrected = { email: 'casey.new@practice.example', checked: 'calledBack' } as const;
    await correctEmail(platform, casey, corrected, { actor: 'staff:robin', now });
    const invited = {
      name: 'Ada Byron',
      email: 'ada@practice.example',
      roles: ['auditor'],
      providerId: null,
    } as const;
    await inviteStaff(platform, invited, { actor: 'staff:morgan', now });

    const mailbox = (await get('/practice/mail')).body;
    const mailed = new Set(
      Array.from(mailbox.matchAll(/<a href="(http:\/\/127[^"]+)"/g), ([, link = '']) => link),
    );
    const opens = {
      signUp: ['/api/register/confirm', { password: 'Practice-2026' }],
      account: ['/api/account/link', {}],
      addressChange: ['/api/account/address', { answer: 'confirm' }],
      staff: ['/api/desk/invitation', {}],
    } as const;
    const followed = new Set<string>();
    for (const link of mailed) {
      const path = link.slice(config.publicUrl.length).replace('#', '%23');
      const found = linkAt(path);
      expect(found, `the mailed link ${link} is in the registry`).not.toBeNull();
      const page = await get(path);
      expect([page.statusCode, page.body]).toEqual([
        200,
        expect.stringContaining(found?.name === 'staff' ? 'desk' : 'web') as string,
      ]);
      if (found === null || !(found.name in opens)) continue;
      const [url, asked] = opens[found.name as keyof typeof opens];
      const payload = { token: found.secret, ...asked };
      const headers = { origin: config.publicUrl };
      const opened = await clinic.app.inject({ method: 'POST', url, payload, headers });
      expect([found.name, opened.statusCode]).toEqual([found.name, 200]);
      followed.add(found.name);
    }
    expect([...followed].toSorted()).toEqual(['account', 'addressChange', 'signUp', 'staff']);
  });

  test('describes its calls', async () => {
    expect((await get('/api/openapi.json')).json()).toMatchObject({ openapi: '3.1.0' });
  });

  test('keeps its folder to itself', async () => {
    await expect(open()).rejects.toThrow('is in use by process');
  });
});
