import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  PASSWORD,
  type TestApp,
  aClinic,
  aPatient,
  ask,
  signIn,
  testApp,
  unlimitedRates,
} from '../../../testing/index.ts';
import { audit, patient, session } from '../../platform/schema.ts';

let clinic: TestApp;
let proofs = 0;
beforeEach(async () => {
  clinic = await testApp();
  await aClinic(clinic);
});
afterEach(() => clinic.close());

const login = (body: Record<string, unknown> = {}) =>
  ask(clinic, 'login', {
    body: {
      method: 'email',
      email: 'pat@test.example',
      password: PASSWORD,
      recaptcha: `ok:${++proofs}`,
      ...body,
    },
  });
const pat = (over: Parameters<typeof aPatient>[1] = {}) =>
  aPatient(clinic.platform, { email: 'pat@test.example', ...over });
const me = (token: string, headers: Record<string, string> = {}) =>
  ask(clinic, 'getMe', { token, headers });

describe('Signing in', () => {
  test('gives a token that opens the account', async () => {
    await pat();
    const answer = (await login()).answer();
    expect(answer.success).toBe(true);
    expect((await me(answer.extras.accessToken)).answer().email).toBe('pat@test.example');
  });

  test('trims and lowercases the e-mail address (§5 Login)', async () => {
    await pat();
    expect((await login({ email: '  PAT@Test.example ' })).statusCode).toBe(200);
  });

  test('keeps no token, only its hash', async () => {
    await pat();
    const { accessToken } = (await login()).answer().extras;
    const [row] = await clinic.database.db.select().from(session);
    expect(accessToken).toMatch(/^[\w-]{43}$/);
    expect(Buffer.from(row?.tokenHash ?? []).toString('base64url')).not.toBe(accessToken);
  });

  test('answers an absent account and a wrong password alike (S-7)', async () => {
    await pat();
    const wrong = await login({ password: 'wrong-password' });
    const absent = await login({ email: 'nobody@test.example' });
    expect(wrong.statusCode).toBe(401);
    expect([absent.statusCode, absent.body]).toEqual([wrong.statusCode, wrong.body]);
    const rows = await clinic.database.db.select().from(audit);
    expect(rows.map(({ action, details }) => [action, details])).toEqual([
      ['sign-in refused', { code: 'wrongCredentials' }],
      ['sign-in refused', { code: 'wrongCredentials' }],
    ]);
  });

  test.each([
    ['a blocked account', { blocked: true }, 'accountBlocked'],
    ["an account without 'appointment' visibility", { visibility: [] }, 'notVisible'],
  ])('refuses %s, and says so only to whoever knows the password', async (_, over, code) => {
    await pat(over);
    const refused = await login();
    expect([refused.statusCode, refused.refusal().extras.code]).toEqual([403, code]);
    expect((await login({ password: 'wrong-password' })).refusal().extras.code).toBe(
      'wrongCredentials',
    );
  });

  test('takes each captcha once (S-6)', async () => {
    await pat();
    await login({ recaptcha: 'ok:once' });
    const again = await login({ recaptcha: 'ok:once' });
    expect([again.statusCode, again.refusal().extras.message]).toEqual([
      422,
      'Please validate you are not a bot.',
    ]);
  });

  test('refuses while nobody can check the captcha', async () => {
    await pat();
    clinic.captcha.down = true;
    const refused = await login();
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2']);
  });

  test('stops after ten failures in 15 minutes, the right password included (S-5)', async () => {
    await pat();
    for (let i = 0; i < 10; i++)
      expect((await login({ password: 'wrong-password' })).statusCode).toBe(401);
    const refused = await login();
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('900');
    expect(refused.refusal().extras.message).toBe(
      'There were too many tries. Please wait 15 minutes, then try again.',
    );
    clinic.clock.advance(15 * 60);
    expect((await login()).statusCode).toBe(200);
  });

  test('counts guesses that are sent at once', async () => {
    await pat();
    const guesses = Array.from({ length: 50 }, () => login({ password: 'wrong-password' }));
    const statuses = (await Promise.all(guesses)).map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(40);
    expect((await login()).statusCode).toBe(429);
  });

  test('counts 50 guesses that are sent at once as 50', async () => {
    await clinic.close();
    const loginPerAccount = { name: 'login-account', count: 50, seconds: 900 };
    clinic = await testApp({ config: { rates: { ...unlimitedRates(), loginPerAccount } } });
    await pat();
    const guesses = Array.from({ length: 50 }, () => login({ password: 'wrong-password' }));
    const statuses = (await Promise.all(guesses)).map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 401)).toHaveLength(50);
    expect((await login()).statusCode).toBe(429);
  });

  test('does not count successes', async () => {
    await pat();
    for (let i = 0; i < 12; i++) expect((await login()).statusCode).toBe(200);
  });
});

describe('A session', () => {
  const TWENTY_MINUTES = 20 * 60;

  test('ends after 20 minutes without a call, and not a second earlier', async () => {
    const token = await signIn(clinic, await pat());
    clinic.clock.advance(TWENTY_MINUTES - 1);
    expect((await me(token)).statusCode).toBe(200);
    clinic.clock.advance(TWENTY_MINUTES - 1);
    expect((await me(token)).statusCode).toBe(200);
    clinic.clock.advance(TWENTY_MINUTES);
    const ended = await me(token);
    expect([ended.statusCode, ended.refusal().type]).toEqual([401, 'tokenNotValid']);
  });

  test('is not extended in the background (ADR 10)', async () => {
    const token = await signIn(clinic, await pat());
    clinic.clock.advance(TWENTY_MINUTES - 1);
    expect((await me(token, { 'x-background': '1' })).statusCode).toBe(200);
    clinic.clock.advance(1);
    expect((await me(token)).statusCode).toBe(401);
  });

  test('is extended by asking for it', async () => {
    const token = await signIn(clinic, await pat());
    clinic.clock.advance(TWENTY_MINUTES - 1);
    expect((await ask(clinic, 'renewSession', { token })).answer()).toEqual({ success: true });
    clinic.clock.advance(TWENTY_MINUTES - 1);
    expect((await me(token)).statusCode).toBe(200);
  });

  test('ends after 12 hours, however busy', async () => {
    const token = await signIn(clinic, await pat());
    for (let i = 0; i < 47; i++) {
      clinic.clock.advance(15 * 60);
      expect((await me(token)).statusCode).toBe(200);
    }
    clinic.clock.advance(15 * 60);
    expect((await me(token)).statusCode).toBe(401);
  });

  test('is written at most once a minute', async () => {
    const token = await signIn(clinic, await pat());
    const written = async () =>
      (await clinic.database.db.select().from(session))[0]?.lastActiveAt ?? 0;
    const first = await written();
    clinic.clock.advance(59);
    await me(token);
    expect(await written()).toBe(first);
    clinic.clock.advance(1);
    await me(token);
    expect(await written()).toBe(first + 60);
  });

  test('ends with logout, and the trail knows', async () => {
    const token = await signIn(clinic, await pat());
    expect((await ask(clinic, 'logout', { token })).statusCode).toBe(200);
    expect((await me(token)).statusCode).toBe(401);
    const rows = await clinic.database.db.select().from(audit);
    expect(rows.map(({ action }) => action)).toEqual(['signed out']);
  });

  test('is over as soon as the account is blocked (R-3)', async () => {
    const row = await pat();
    const token = await signIn(clinic, row);
    await clinic.database.inTransaction((tx) =>
      tx.update(patient).set({ blocked: true }).where(eq(patient.id, row.id)),
    );
    expect((await me(token)).statusCode).toBe(401);
  });

  test("without 'appointment' visibility opens nothing but the way out (R-60)", async () => {
    const token = await signIn(clinic, await pat({ visibility: ['messages'] }));
    expect([(await me(token)).statusCode, (await me(token)).refusal().extras.code]).toEqual([
      403,
      'notVisible',
    ]);
    expect((await ask(clinic, 'logout', { token })).statusCode).toBe(200);
  });

  test('is taken from the Authorization header too (R-3)', async () => {
    const token = await signIn(clinic, await pat());
    const answer = await ask(clinic, 'getMe', { headers: { authorization: `Bearer ${token}` } });
    expect(answer.statusCode).toBe(200);
  });

  test.each(['', 'x', 'a'.repeat(43), '../../etc'])('is not opened by %j', async (token) => {
    expect((await me(token)).statusCode).toBe(401);
  });
});

test('A captcha challenge is for everybody', async () => {
  expect((await ask(clinic, 'captchaChallenge')).statusCode).toBe(200);
});
