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
import { testConfig } from '../../../testing/test-config.ts';
import { knownDevice, session } from '../../schema.ts';
import { DEVICE_KNOWN_FOR } from '../../security/known-devices.store.ts';
import { patient } from './schema.ts';

let clinic: TestApp;
let proofs = 0;
beforeEach(async () => {
  clinic = await testApp();
  await aClinic(clinic);
});
afterEach(() => clinic.close());

const login = (body: Record<string, unknown> = {}, cookie = '') =>
  ask(clinic, 'login', {
    headers: cookie === '' ? {} : { cookie },
    body: {
      method: 'email',
      email: 'pat@test.example',
      password: PASSWORD,
      recaptcha: `ok:${++proofs}`,
      ...body,
    },
  });
/** The cookie as a browser sends it back. */
const cookieOf = ({ headers }: { readonly headers: Record<string, unknown> }) =>
  String(headers['set-cookie']).split(';')[0] ?? '';
async function tenFailures(cookie = '') {
  const failed = [];
  for (const wait of [0, 0, 0, 0, 2, 4, 8, 16, 32, 64]) {
    clinic.clock.advance(wait);
    failed.push((await login({ password: 'wrong-password' }, cookie)).statusCode);
  }
  expect(failed).toEqual(Array.from({ length: 10 }, () => 401));
}
const pat = (over: Parameters<typeof aPatient>[1] = {}) =>
  aPatient(clinic.platform, { email: 'pat@test.example', ...over });
const me = (token: string, headers: Record<string, string> = {}) =>
  ask(clinic, 'getMe', { token, headers });

describe('Signing in', () => {
  // Shows: 7.auth.1
  test('gives a token that opens the account', async () => {
    await pat();
    const answer = (await login()).answer();
    expect(answer.success).toBe(true);
    expect((await me(answer.extras.accessToken)).answer().email).toBe('pat@test.example');
  });

  // Shows: 5.login.1
  test('trims and lowercases the e-mail address (§5 Login)', async () => {
    await pat();
    expect((await login({ email: '  PAT@Test.example ' })).statusCode).toBe(200);
  });

  // Shows: R-3
  test('keeps no token, only its hash', async () => {
    await pat();
    const { accessToken } = (await login()).answer().extras;
    const [row] = await clinic.database.db.select().from(session);
    expect(accessToken).toMatch(/^[\w-]{43}$/);
    expect(Buffer.from(row?.tokenHash ?? []).toString('base64url')).not.toBe(accessToken);
  });

  // Shows: S-7
  test('answers an absent account and a wrong password alike (S-7)', async () => {
    await pat();
    const wrong = await login({ password: 'wrong-password' });
    const absent = await login({ email: 'nobody@test.example' });
    expect(wrong.statusCode).toBe(401);
    expect([absent.statusCode, absent.body]).toEqual([wrong.statusCode, wrong.body]);
    const rows = await clinic.trail();
    expect(rows.map(({ action, details }) => [action, details])).toEqual([
      ['sign-in refused', { code: 'wrongCredentials' }],
      ['sign-in refused', { code: 'wrongCredentials' }],
    ]);
  });

  // Shows: 4.auth.4, 6.restrictions.1, R-60
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

  // Shows: 7.browser.2, S-6
  test('takes each captcha once (S-6)', async () => {
    await pat();
    await login({ recaptcha: 'ok:once' });
    const again = await login({ recaptcha: 'ok:once' });
    expect([again.statusCode, again.refusal().extras.message]).toEqual([
      422,
      'Please validate you are not a bot.',
    ]);
  });

  // Shows: S-6
  test('refuses while nobody can check the captcha', async () => {
    await pat();
    clinic.captcha.down = true;
    const refused = await login();
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2']);
  });

  // Shows: S-5
  test.each([['pat@test.example'], ['nobody@test.example']])(
    'makes guesses at %s wait 2, 4, 8 … seconds from the fourth failure on (S-5, S-7)',
    async (email) => {
      await pat();
      const guess = () => login({ email, password: 'wrong-password' });
      for (let i = 0; i < 4; i++) expect((await guess()).statusCode).toBe(401);
      for (const wait of [2, 4, 8, 16, 32, 64]) {
        const refused = await login({ email });
        expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, String(wait)]);
        expect(refused.refusal().extras.message).toBe(
          `There were too many attempts. Please wait ${wait} seconds, then try again.`,
        );
        clinic.clock.advance(wait);
        expect((await guess()).statusCode).toBe(401);
      }
    },
  );

  // Shows: S-5
  test('stops after ten failures in 15 minutes, the right password included (S-5)', async () => {
    await pat();
    const start = clinic.clock.now();
    await tenFailures();
    clinic.clock.advance(64);
    const refused = await login();
    const left = start + 15 * 60 - clinic.clock.now();
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, String(left)]);
    expect(refused.refusal().extras.message).toBe(
      `There were too many attempts. Please wait ${Math.ceil(left / 60)} minutes, then try again.`,
    );
    clinic.clock.advance(left);
    expect((await login()).statusCode).toBe(200);
  });

  // Shows: S-5
  test('counts guesses that are sent at once', async () => {
    await pat();
    const guesses = Array.from({ length: 50 }, () => login({ password: 'wrong-password' }));
    const statuses = (await Promise.all(guesses)).map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 401)).toHaveLength(4);
    expect(statuses.filter((status) => status === 429)).toHaveLength(46);
    expect((await login()).statusCode).toBe(429);
  });

  // Shows: S-5
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

  test('counts no guess that had to wait, for the network that it came from neither (S-5)', async () => {
    await clinic.close();
    const loginPerAddress = { name: 'login-address', count: 5, seconds: 900 };
    clinic = await testApp({ config: { rates: { ...testConfig().rates, loginPerAddress } } });
    await pat();
    await pat({ email: 'other@test.example' });
    for (let i = 0; i < 4; i++) await login({ password: 'wrong-password' });
    for (let i = 0; i < 5; i++) expect((await login()).statusCode).toBe(429);
    expect((await login({ email: 'other@test.example' })).statusCode).toBe(200);
  });

  test('does not count successes', async () => {
    await pat();
    for (let i = 0; i < 12; i++) expect((await login()).statusCode).toBe(200);
  });
});

describe('A browser that signed in before (S-5)', () => {
  // Shows: S-5
  test('is not kept out by the guesses of strangers, from its own network too', async () => {
    await clinic.close();
    const loginPerAddress = { name: 'login-address', count: 10, seconds: 900 };
    clinic = await testApp({ config: { rates: { ...testConfig().rates, loginPerAddress } } });
    await pat();
    const own = cookieOf(await login());
    await tenFailures();
    expect((await login()).statusCode).toBe(429);
    expect((await login({}, own)).statusCode).toBe(200);
  });

  // Shows: S-5
  test('is counted for itself, guesses sent at once too, and keeps nobody else out', async () => {
    await pat();
    const own = cookieOf(await login());
    const guesses = Array.from({ length: 20 }, () => login({ password: 'wrong-password' }, own));
    const statuses = (await Promise.all(guesses)).map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 401)).toHaveLength(4);
    const refused = await login({}, own);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '2']);
    expect((await login()).statusCode).toBe(200);
  });

  test('is known to the accounts that signed in with it, and to no other', async () => {
    await pat();
    await aPatient(clinic.platform, { email: 'eve@test.example' });
    const eves = cookieOf(await login({ email: 'eve@test.example' }));
    await tenFailures();
    expect((await login({}, eves)).statusCode).toBe(429);
    clinic.clock.advance(15 * 60);
    expect(cookieOf(await login({}, eves))).toBe(eves);
    await tenFailures();
    expect((await login({}, eves)).statusCode).toBe(200);
    expect((await login({ email: 'eve@test.example' }, eves)).statusCode).toBe(200);
  });

  test('is known for 90 days since it last signed in', async () => {
    await pat();
    const own = cookieOf(await login());
    clinic.clock.advance(DEVICE_KNOWN_FOR - 1);
    expect(cookieOf(await login({}, own))).toBe(own);
    clinic.clock.advance(DEVICE_KNOWN_FOR - 1 - 126);
    await tenFailures();
    expect((await login({}, own)).statusCode).toBe(200);
    clinic.clock.advance(DEVICE_KNOWN_FOR);
    await tenFailures();
    expect((await login({}, own)).statusCode).toBe(429);
  });

  test('is forgotten when five others signed in after it', async () => {
    await pat();
    const browsers = [];
    for (let i = 0; i < 6; i++) {
      browsers.push(cookieOf(await login()));
      clinic.clock.advance(1);
    }
    expect(await clinic.database.db.select().from(knownDevice)).toHaveLength(5);
    await tenFailures();
    const statuses = [];
    for (const browser of browsers) statuses.push((await login({}, browser)).statusCode);
    expect(statuses).toEqual([429, 200, 200, 200, 200, 200]);
  });

  test('has a random cookie that scripts and other sites cannot use and that opens nothing', async () => {
    await pat();
    const plain = await login();
    expect(plain.headers['set-cookie']).toMatch(
      /^device=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const token = cookieOf(plain).slice('device='.length);
    const rows = JSON.stringify(await clinic.database.db.select().from(knownDevice));
    expect(rows).not.toContain(token);
    const asSession = [{ cookie: cookieOf(plain) }, { 'x-access-token': token }];
    for (const headers of asSession)
      expect((await ask(clinic, 'getMe', { headers })).statusCode).toBe(401);

    await clinic.close();
    clinic = await testApp({ config: { publicUrl: 'https://booking.clinic.example' } });
    await pat();
    const secure = await login();
    expect(secure.headers['set-cookie']).toMatch(
      /^__Host-device=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect((await login({ password: 'wrong-password' })).headers['set-cookie']).toBeUndefined();
  });

  test.each([
    '',
    'device',
    'device=',
    'device=short',
    `device=${'é'.repeat(43)}`,
    'a=b; device="x"',
  ])('sends no cookie %j', async (cookie) => {
    await pat();
    const answer = await login({}, cookie);
    expect(answer.statusCode).toBe(200);
    expect(cookieOf(answer)).toMatch(/^device=[\w-]{43}$/);
  });
});

describe('A session', () => {
  const TWENTY_MINUTES = 20 * 60;

  // Shows: 4.auth.9, 8.token.1, R-3
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

  // Shows: R-3
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

  // Shows: R-3
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

  // Shows: R-3
  test('ends with logout, and the trail knows', async () => {
    const token = await signIn(clinic, await pat());
    expect((await ask(clinic, 'logout', { token })).statusCode).toBe(200);
    expect((await me(token)).statusCode).toBe(401);
    const rows = await clinic.trail();
    expect(rows.map(({ action }) => action)).toEqual(['signed out']);
  });

  // Shows
  test('is over as soon as the account is blocked (R-3)', async () => {
    const row = await pat();
    const token = await signIn(clinic, row);
    await clinic.database.inTransaction((tx) =>
      tx.update(patient).set({ blocked: true }).where(eq(patient.id, row.id)),
    );
    expect((await me(token)).statusCode).toBe(401);
  });

  // Shows: 4.auth.4
  test("without 'appointment' visibility opens nothing but the way out (R-60)", async () => {
    const token = await signIn(clinic, await pat({ visibility: ['messages'] }));
    expect([(await me(token)).statusCode, (await me(token)).refusal().extras.code]).toEqual([
      403,
      'notVisible',
    ]);
    expect((await ask(clinic, 'logout', { token })).statusCode).toBe(200);
  });

  // Shows: R-3
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
