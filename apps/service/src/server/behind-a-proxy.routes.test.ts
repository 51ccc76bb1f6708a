import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  PASSWORD,
  type TestApp,
  aPatient,
  ask,
  testApp,
  unlimitedRates,
} from '../../testing/index.ts';

let clinic: TestApp;

describe('Behind a proxy (S-5)', () => {
  beforeEach(async () => {
    const once = { count: 1, seconds: 900 };
    const rates = {
      ...unlimitedRates(),
      loginPerAddress: { name: 'login-address', ...once },
      loginPerAccount: { name: 'login-account', ...once },
      recoveryPerAddress: { name: 'recovery-address', ...once },
      recoveryPerAccount: { name: 'recovery-account', ...once },
    };
    clinic = await testApp({ config: { trustProxy: true, rates } });
  });
  afterEach(() => clinic.close());
  const loginFrom = (forwarded: string, email: string, password: string) =>
    ask(clinic, 'login', {
      headers: { 'x-forwarded-for': forwarded },
      body: { method: 'email', email, password, recaptcha: `ok:${forwarded} ${email}` },
    });

  test('the address is the one that the proxy saw, not one that the client made up', async () => {
    const status = async (forwarded: string, email: string) =>
      (await loginFrom(forwarded, email, 'x')).statusCode;
    expect([
      await status('198.51.100.1, 203.0.113.7', 'a@b.example'),
      await status('198.51.100.2, 203.0.113.7', 'c@d.example'),
      await status('198.51.100.2, 203.0.113.8', 'e@f.example'),
    ]).toEqual([401, 429, 401]);
  });

  test('an address that may not try any more uses up the tries of no account', async () => {
    const { email } = await aPatient(clinic, { birthDate: '1984-05-17' });
    await loginFrom('203.0.113.7', 'a@b.example', 'x');
    expect((await loginFrom('203.0.113.7', email, 'x')).statusCode).toBe(429);
    expect((await loginFrom('203.0.113.8', email, PASSWORD)).statusCode).toBe(200);

    const recoverFrom = async (forwarded: string, of: string) => {
      const recaptcha = `ok:recover ${forwarded} ${of}`;
      const body = { email: of, birthYear: 1984, birthMonth: 5, birthDay: 17, recaptcha };
      const headers = { 'x-forwarded-for': forwarded };
      return (await ask(clinic, 'validateRecovery', { headers, body })).statusCode;
    };
    expect([
      await recoverFrom('203.0.113.7', 'a@b.example'),
      await recoverFrom('203.0.113.7', email),
      await recoverFrom('203.0.113.8', email),
    ]).toEqual([422, 429, 200]);
  });
});
