import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PracticeClinic, openPracticeClinic } from './open-practice-clinic.ts';

const folder = mkdtempSync(join(tmpdir(), 'practice-'));
const open = () =>
  openPracticeClinic({
    dataDir: folder,
    publicUrl: 'http://127.0.0.1:3000',
    startsAt: Date.parse('2026-12-15T20:00:00Z') / 1000,
    webRoot: null,
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

  test('describes its calls', async () => {
    expect((await get('/api/openapi.json')).json()).toMatchObject({ openapi: '3.1.0' });
  });

  test('keeps its folder to itself', async () => {
    await expect(open()).rejects.toThrow('is in use by process');
  });
});
