import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  PASSWORD,
  type PatientRow,
  type TestApp,
  aClinic,
  aPatient,
  ask,
  signIn,
  testApp,
} from '../../../testing/index.ts';
import { heldPayments } from '../payments/index.ts';
import { blockPatient, unblockPatient } from '../patients/index.ts';
import { findPatient } from './index.ts';

const PHONE = 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/150.0 Safari/537.36';
let clinic: TestApp;
let pat: PatientRow;
let here: string;
let proofs = 0;
beforeEach(async () => {
  clinic = await testApp();
  await aClinic(clinic);
  pat = await aPatient(clinic);
  here = await login(PASSWORD);
});
afterEach(() => clinic.close());

const tryLogin = (password: string, cookie?: string) =>
  ask(clinic, 'login', {
    headers: { 'user-agent': PHONE, ...(cookie !== undefined && { cookie }) },
    body: { method: 'email', email: pat.email, password, recaptcha: `ok:${++proofs}` },
  });
const login = async (password: string) => (await tryLogin(password)).answer().extras.accessToken;
const statusOf = async (token: string) => (await ask(clinic, 'getMe', { token })).statusCode;
const change = (currentPassword: string, newPassword = 'Another-2026', headers = {}) =>
  ask(clinic, 'changePassword', { token: here, headers, body: { currentPassword, newPassword } });
const list = async (token = here) =>
  (await ask(clinic, 'listSessions', { token })).answer().extras.sessions;

describe('The list of sessions', () => {
  test('names each device, the newest first, and which is this one', async () => {
    const first = clinic.clock.now();
    clinic.clock.advance(120);
    await login(PASSWORD);
    expect(await list()).toEqual([
      {
        signedInAt: first + 120,
        lastActiveAt: first + 120,
        device: 'Chrome, Android',
        current: false,
      },
      { signedInAt: first, lastActiveAt: first + 120, device: 'Chrome, Android', current: true },
    ]);
  });

  test('leaves out what is over, and whoever else is signed in', async () => {
    await signIn(clinic, await aPatient(clinic));
    const gone = await login(PASSWORD);
    await ask(clinic, 'logout', { token: gone });
    expect(await list()).toHaveLength(1);
    clinic.clock.advance(15 * 60);
    await login(PASSWORD);
    clinic.clock.advance(6 * 60);
    expect(await list(await login(PASSWORD))).toHaveLength(2);
  });

  // Shows: R-3
  test('is emptied by signing out everywhere, this session too', async () => {
    const elsewhere = await login(PASSWORD);
    expect((await ask(clinic, 'endSessions', { token: here })).statusCode).toBe(200);
    expect([await statusOf(here), await statusOf(elsewhere)]).toEqual([401, 401]);
    const rows = await clinic.trail();
    expect(rows.at(-1)?.action).toBe('signed out everywhere');
  });
});

describe('A change of password', () => {
  test('ends every other session, and the owner reads of it', async () => {
    const elsewhere = await login(PASSWORD);
    expect((await change(PASSWORD)).statusCode).toBe(200);
    expect([await statusOf(here), await statusOf(elsewhere)]).toEqual([200, 401]);
    expect((await tryLogin(PASSWORD)).statusCode).toBe(401);
    await login('Another-2026');
    expect((await clinic.mails()).map(({ to, subject }) => [to, subject])).toEqual([
      [pat.email, 'Your password was changed - Test Clinic'],
    ]);
  });

  // Shows: S-5
  test('forgets every browser but the one in which it was changed', async () => {
    const browser = async () =>
      String((await tryLogin(PASSWORD)).headers['set-cookie']).split(';')[0];
    const [elsewhere, own] = [await browser(), await browser()];
    (await change(PASSWORD, 'Another-2026', { cookie: own })).answer();
    // Strangers use up the guesses of whoever is not known.
    for (let i = 0; i < 5; i++) await tryLogin('wrong-password');
    expect((await tryLogin('Another-2026', own)).statusCode).toBe(200);
    expect((await tryLogin('Another-2026', elsewhere)).statusCode).toBe(429);
  });

  test('needs the current one, whose guesses are counted apart from those at the sign-in (S-5)', async () => {
    expect((await change('wrong-password')).refusal().errors).toEqual([
      { field: 'currentPassword', message: 'This is not your current password.' },
    ]);
    for (let i = 0; i < 4; i++) await tryLogin('wrong-password');
    expect((await tryLogin(PASSWORD)).statusCode).toBe(429);
    for (let i = 0; i < 3; i++)
      expect((await change('wrong-password')).refusal().extras.code).toBe('invalidInput');
    expect((await change(PASSWORD)).headers['retry-after']).toBe('2');
    expect(await statusOf(here)).toBe(200);
    clinic.clock.advance(2);
    expect((await change(PASSWORD)).statusCode).toBe(200);
  });

  test('asked for again after a lost answer is done, once, and for ten minutes', async () => {
    (await change(PASSWORD)).answer();
    (await change(PASSWORD)).answer();
    expect(await clinic.mails()).toHaveLength(1);
    expect((await change(PASSWORD, 'A-third-2026')).refusal().extras.code).toBe('invalidInput');
    clinic.clock.advance(601);
    expect((await change(PASSWORD)).refusal().extras.code).toBe('invalidInput');
  });

  // Shows: R-61
  test.each([
    ['seven77', 'The length of password must be greater than 8'],
    ['sunshine', 'This password is too common. Please choose another.'],
    ['the owner’s e-mail', 'This password is too common. Please choose another.'],
  ])('to %s is refused (R-61)', async (password, message) => {
    const next = password.startsWith('the') ? pat.email : password;
    expect((await change(PASSWORD, next)).refusal().errors).toEqual([
      { field: 'newPassword', message },
    ]);
  });
});

// Shows
test('A blocked account is signed out everywhere, and stays so when it is opened again (R-60, R-87)', async () => {
  const { platform, clock } = clinic;
  const who = { actor: 'clinic:test', now: clock.now() };
  await blockPatient(
    { ...platform, heldPayments: heldPayments(platform) },
    pat.id,
    { reason: 'an agency', bookingOnly: false },
    who,
  );
  expect(await statusOf(here)).toBe(401);
  expect((await tryLogin(PASSWORD)).refusal().extras.code).toBe('accountBlocked');
  const blocked = await findPatient(platform.database.db, pat.email);
  if (blocked === null) throw new Error('The patient is gone');
  await unblockPatient(platform, blocked, who);
  expect(await statusOf(here)).toBe(401);
  expect((await tryLogin(PASSWORD)).statusCode).toBe(200);
});
