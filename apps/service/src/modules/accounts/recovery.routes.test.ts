import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  PASSWORD,
  type PatientRow,
  type TestApp,
  aPatient,
  ask,
  signIn,
  testApp,
  unlimitedRates,
} from '../../../testing/index.ts';
import { oneTimeCode, outbox } from '../../schema.ts';

let clinic: TestApp;
let pat: PatientRow;
let proofs = 0;
const open = async (options: Parameters<typeof testApp>[0] = {}) => {
  clinic = await testApp(options);
  pat = await aPatient(clinic, {
    email: 'pat@test.example',
    lastName: 'Marigold',
    birthDate: '1984-05-17',
    cardProvince: 'QC',
    cardNumber: 'CHER85123456',
  });
};
beforeEach(() => open());
afterEach(() => clinic.close());

const said = { email: ' Pat@test.example', birthYear: 1984, birthMonth: 5, birthDay: 17 };
const validate = (over: Record<string, unknown> = {}, cookie = '') =>
  ask(clinic, 'validateRecovery', {
    headers: { cookie },
    body: { ...said, recaptcha: `ok:${++proofs}`, ...over },
  });
const send = (email = 'pat@test.example') => ask(clinic, 'sendResetCode', { body: { email } });
const reset = (code: string, over: Record<string, unknown> = {}, cookie = '') =>
  ask(clinic, 'resetPassword', {
    headers: { cookie },
    body: { email: 'pat@test.example', code, password: 'Another-2026', ...over },
  });
const login = (password: string, cookie = '') =>
  ask(clinic, 'login', {
    headers: { cookie },
    body: { method: 'email', email: pat.email, password, recaptcha: `ok:${++proofs}` },
  });
const ownCookie = ({ headers }: { readonly headers: Record<string, unknown> }) =>
  String(headers['set-cookie']).split(';')[0] ?? '';
async function mailedCode(): Promise<string> {
  await validate();
  await send();
  const email = (await clinic.mails()).at(-1);
  return /^[A-Z2-9]{8}$/m.exec(email?.text ?? '')?.[0] ?? '';
}
const wrongFor = (code: string) => (code.startsWith('A') ? 'BBBBBBBB' : 'AAAAAAAA');

describe('Saying who one is (R-67)', () => {
  // Shows: 7.auth.4
  test.each([
    ['the address and the birth date', {}],
    ['the card number too', { hin: 'cher 8512 3456' }],
    ['the digits of a card with letters', { hin: '85123456' }],
  ])('takes %s', async (_, over) => {
    expect((await validate(over)).answer()).toMatchObject({ success: true, status: true });
  });

  // Shows: 7.auth.4, R-67
  test('fails in one way, whatever does not fit (S-7)', async () => {
    const absent = await validate({ email: 'nobody@test.example' });
    expect([absent.statusCode, absent.refusal().extras.message]).toEqual([
      422,
      'Failed validating your information.',
    ]);
    const others = [{ birthDay: 18 }, { birthMonth: 13 }, { hin: '9876543218' }, { birthYear: 0 }];
    for (const over of others) {
      const refused = await validate(over);
      expect([refused.statusCode, refused.body]).toEqual([absent.statusCode, absent.body]);
    }
  });

  test('takes each captcha once, and none that nobody can check (S-6)', async () => {
    await validate({ recaptcha: 'ok:once' });
    expect((await validate({ recaptcha: 'ok:once' })).refusal().extras.code).toBe('captchaFailed');
    clinic.captcha.down = true;
    expect((await validate()).statusCode).toBe(503);
  });

  // Shows: S-5
  test('is refused after twenty wrong tries a day, sent at once or not, the right one included (S-5)', async () => {
    const wrong = () => validate({ birthDay: 1 });
    const statuses = (await Promise.all(Array.from({ length: 50 }, wrong))).map(
      ({ statusCode }) => statusCode,
    );
    expect(statuses.filter((status) => status === 422)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
    const refused = await validate();
    const wait = Number(refused.headers['retry-after']);
    expect([refused.statusCode, refused.refusal().extras.message]).toEqual([
      429,
      `There were too many attempts. Please wait ${Math.ceil(wait / 3_600)} hours, then try again.`,
    ]);
    clinic.clock.advance(wait - 1);
    expect((await validate()).statusCode).toBe(429);
    clinic.clock.advance(1);
    expect((await validate()).statusCode).toBe(200);
  });

  test('ends as soon for an address without an account (S-7)', async () => {
    const absent = () => validate({ email: 'nobody@test.example' });
    for (let i = 0; i < 20; i++) expect((await absent()).statusCode).toBe(422);
    expect((await absent()).statusCode).toBe(429);
  });

  test('is open to the owner’s browser when a stranger has used up the tries of the day (S-5)', async () => {
    const own = ownCookie(await login(PASSWORD));
    await Promise.all(Array.from({ length: 20 }, () => validate({ birthDay: 1 })));
    expect((await validate()).statusCode).toBe(429);
    expect((await validate({}, own)).statusCode).toBe(200);
  });
});

describe('The mailed code (R-67)', () => {
  // Shows: R-84
  test('has 8 characters, and stands in no table', async () => {
    const code = await mailedCode();
    expect(code).toMatch(/^[A-Z2-9]{8}$/);
    const rows = JSON.stringify([
      await clinic.database.db.select().from(oneTimeCode),
      await clinic.database.db.select().from(outbox),
      await clinic.trail(),
    ]);
    expect(rows).not.toContain(code);
  });

  // Shows: 7.auth.3
  test('is mailed only to who was identified right before, with one answer for all (S-7)', async () => {
    const unasked = await send();
    const absent = await send('nobody@test.example');
    await validate();
    const asked = await send();
    for (const each of [absent, asked])
      expect([each.statusCode, each.body]).toEqual([unasked.statusCode, unasked.body]);
    const rows = await clinic.database.db.select().from(outbox);
    expect(rows.map(({ kind }) => kind)).toEqual(Array.from({ length: 3 }, () => 'account-email'));
    expect(await clinic.mails()).toHaveLength(1);
    clinic.clock.advance(15 * 60);
    await send();
    expect(await clinic.mails()).toHaveLength(1);
  });

  // Shows: S-5
  test('is mailed once for each time that its owner is identified, five times an hour (S-5)', async () => {
    for (let i = 1; i <= 5; i++) {
      expect((await validate()).statusCode).toBe(200);
      for (let n = 0; n < 3; n++) expect((await send()).statusCode).toBe(200);
      expect(await clinic.mails()).toHaveLength(i);
    }
    const refused = await validate();
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '3600']);
    expect((await send()).statusCode).toBe(200);
    expect(await clinic.mails()).toHaveLength(5);
    clinic.clock.advance(60 * 60);
    expect(await mailedCode()).toMatch(/^[A-Z2-9]{8}$/);
  });

  test('is sent once when it is asked for twice at once', async () => {
    await validate();
    await Promise.all([send(), send(), send()]);
    expect(await clinic.mails()).toHaveLength(1);
  });

  // Shows: S-5
  test('reaches its owner whatever a stranger asks for before (S-5)', async () => {
    for (let i = 0; i < 20; i++) {
      expect((await send()).statusCode).toBe(200);
      expect((await reset('AAAAAAAA')).statusCode).toBe(422);
    }
    for (let i = 0; i < 5; i++)
      await ask(clinic, 'resendConfirmation', {
        body: { email: pat.email, recaptcha: `ok:${++proofs}` },
      });
    expect((await reset(await mailedCode())).statusCode).toBe(200);
  });

  test('is the same when its mail is sent again', async () => {
    await validate();
    await send();
    clinic.mail.down = true;
    await clinic.mails();
    const [before] = await clinic.database.db
      .select()
      .from(oneTimeCode)
      .where(eq(oneTimeCode.purpose, 'reset'));
    clinic.mail.down = false;
    clinic.clock.advance(60);
    await clinic.mails();
    const after = await clinic.database.db
      .select()
      .from(oneTimeCode)
      .where(eq(oneTimeCode.purpose, 'reset'));
    expect(after).toMatchObject([{ id: before?.id, codeHash: before?.codeHash }]);
    expect(clinic.mail.sent).toHaveLength(1);
  });
});

describe('A new password', () => {
  // Shows: 7.auth.5, R-3
  test('is set with the code, once, and ends every session (R-3)', async () => {
    const elsewhere = await signIn(clinic, pat);
    const code = await mailedCode();
    const typed = `${code.slice(0, 4).toLowerCase()} ${code.slice(4)}`;
    expect((await reset(typed)).answer()).toMatchObject({ success: true, status: true });
    expect((await ask(clinic, 'getMe', { token: elsewhere })).statusCode).toBe(401);
    expect((await login(PASSWORD)).statusCode).toBe(401);
    expect((await login('Another-2026')).statusCode).toBe(200);
    expect((await reset(code)).refusal().extras.code).toBe('resetRefused');
    expect((await clinic.mails()).at(-1)?.subject).toContain('Your password was changed');
    expect((await clinic.trail()).map(({ action }) => action)).toContain('password reset');
  });

  test('lifts the lock that guesses at the old one brought', async () => {
    const code = await mailedCode();
    for (let i = 0; i < 11; i++) await login('wrong-password');
    expect((await login(PASSWORD)).statusCode).toBe(429);
    await reset(code);
    expect((await login('Another-2026')).statusCode).toBe(200);
  });

  test('lifts the lock of the browser that it is set in, too', async () => {
    const own = ownCookie(await login(PASSWORD));
    for (let i = 0; i < 5; i++) await login('wrong-password', own);
    await reset(await mailedCode(), {}, own);
    expect((await login('Another-2026', own)).statusCode).toBe(200);
    // Known again, it is counted for itself again.
    expect((await login('Another-2026', own)).statusCode).toBe(200);
  });

  test('makes every browser of the account a stranger’s again', async () => {
    const own = ownCookie(await login(PASSWORD));
    await reset(await mailedCode());
    for (let i = 0; i < 4; i++) await login('wrong-password');
    expect((await login('Another-2026', own)).statusCode).toBe(429);
  });

  test.each([
    ['', 'Password input cannot be empty'],
    ['seven77', 'The length of password must be greater than 8'],
    ['Password', 'This password is too common. Please choose another.'],
  ])('of %j is refused in the words of §5, and costs no try', async (password, message) => {
    const code = await mailedCode();
    for (let i = 0; i < 12; i++)
      expect((await reset(code, { password })).refusal().errors).toEqual([
        { field: 'password', message },
      ]);
    expect((await reset(code)).statusCode).toBe(200);
  });

  // Shows: R-61
  test('is not the name or the e-mail of its owner, which only the code tells (R-61, S-7)', async () => {
    const code = await mailedCode();
    const own = { password: 'Marigold-7' };
    const wrong = await reset(wrongFor(code), own);
    expect(wrong.refusal().extras.code).toBe('resetRefused');
    expect((await reset(code, own)).refusal().errors).toEqual([
      { field: 'password', message: 'This password is too common. Please choose another.' },
    ]);
    expect((await reset(code)).statusCode).toBe(200);
  });

  test('is not set after 15 minutes', async () => {
    const code = await mailedCode();
    clinic.clock.advance(15 * 60);
    expect((await reset(code)).statusCode).toBe(422);
  });

  // Shows: R-67
  test('is not set by the sixth code, even the right one', async () => {
    const code = await mailedCode();
    for (let i = 0; i < 5; i++)
      expect((await reset(wrongFor(code))).refusal().extras.code).toBe('resetRefused');
    expect((await reset(code)).refusal().extras.code).toBe('resetRefused');
    expect((await login(PASSWORD)).statusCode).toBe(200);
  });

  // Shows: R-67
  test('counts 50 wrong guesses sent at once as 50', async () => {
    await clinic.close();
    await open({ config: { rates: unlimitedRates() } });
    const code = await mailedCode();
    await Promise.all(Array.from({ length: 50 }, () => reset(wrongFor(code))));
    const [row] = await clinic.database.db
      .select()
      .from(oneTimeCode)
      .where(eq(oneTimeCode.purpose, 'reset'));
    expect(row?.tries).toBe(50);
    expect((await reset(code)).statusCode).toBe(422);
  });

  test('is not set by an older code than the last', async () => {
    const older = await mailedCode();
    clinic.clock.advance(60);
    const newer = await mailedCode();
    expect((await reset(older)).statusCode).toBe(422);
    expect((await reset(newer)).statusCode).toBe(200);
  });

  test('for an absent account is refused as a wrong code is (S-7)', async () => {
    const code = await mailedCode();
    const wrong = await reset(wrongFor(code));
    const absent = await reset(code, { email: 'nobody@test.example' });
    expect([absent.statusCode, absent.body]).toEqual([wrong.statusCode, wrong.body]);
  });
});

describe('A reset while the old password is being tried', () => {
  /** After the old password was found right, and before anything is written for it. */
  const resetMeanwhile = (code: string) => {
    const { rateLimit } = clinic.platform;
    const giveBack = rateLimit.giveBack.bind(rateLimit);
    rateLimit.giveBack = async (...given) => {
      rateLimit.giveBack = giveBack;
      expect((await reset(code)).statusCode).toBe(200);
      return giveBack(...given);
    };
  };

  test('signs nobody in', async () => {
    resetMeanwhile(await mailedCode());
    expect((await login(PASSWORD)).refusal().extras.code).toBe('wrongCredentials');
    expect((await login('Another-2026')).statusCode).toBe(200);
  });

  test('is not undone by a change of password', async () => {
    const token = await signIn(clinic, pat);
    resetMeanwhile(await mailedCode());
    const body = { currentPassword: PASSWORD, newPassword: 'Of-somebody-else' };
    const changed = await ask(clinic, 'changePassword', { token, body });
    expect(changed.refusal().errors).toMatchObject([{ field: 'currentPassword' }]);
    expect((await login('Another-2026')).statusCode).toBe(200);
  });
});
