import { currentAgreement } from '@clinic/contract/agreements';
import { and, eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TestApp, aPatient, ask, testApp } from '../../../testing/index.ts';
import { agreement, oneTimeCode } from '../../platform/schema-accounts.ts';
import { audit, outbox, patient, recordsChart } from '../../platform/schema.ts';
import { sealedCard } from '../../platform/sealed-card.ts';
import { validBcNumber } from '../../practice/card-numbers.ts';

let clinic: TestApp;
let proofs = 0;
beforeEach(async () => {
  clinic = await testApp();
});
afterEach(() => clinic.close());

const card = validBcNumber(4_711);
const form = {
  firstName: 'Ada',
  lastName: 'Byron',
  gender: 'Female',
  address: '12 Main Street',
  city: 'Vancouver',
  province: 'BC',
  postal: 'v5k 0a1',
  phone: '',
  mobilePhone: '604-555-0142',
  internationalPhone: '',
  email: ' Ada@Test.example ',
  emailConfirm: 'ada@test.example',
  password: 'Practice-2026',
  passwordConfirm: 'Practice-2026',
  healthCardProvince: 'BC',
  healthCardNumber: card,
  healthCardNumberConfirm: card,
  country: 'Canada',
  birthDay: 17,
  birthMonth: 5,
  birthYear: 1984,
  preferredPharmacy: null,
  consent: { given: true, version: currentAgreement('signUp').version },
};
const register = (over: Record<string, unknown> = {}) =>
  ask(clinic, 'register', { body: { ...form, recaptcha: `ok:${++proofs}`, ...over } });
const confirm = (token: string) => ask(clinic, 'confirmEmail', { body: { token } });
const login = () =>
  ask(clinic, 'login', {
    body: {
      method: 'email',
      email: 'ada@test.example',
      password: form.password,
      recaptcha: `ok:${++proofs}`,
    },
  });
const rows = () => clinic.database.db.select().from(patient);
async function mails() {
  await clinic.platform.outbox.drain();
  return clinic.mail.sent;
}
async function linkToken(): Promise<string> {
  const [letter] = await mails();
  return /\/confirm\/([\w-]+)/.exec(letter?.text ?? '')?.[1] ?? '';
}
const aChart = (over: Partial<typeof recordsChart.$inferInsert> = {}) => {
  const id = over.id ?? 'C1';
  return clinic.database.inTransaction((tx) =>
    tx.insert(recordsChart).values({
      id,
      firstName: 'Augusta',
      lastName: 'BYRON',
      birthDate: '1984-05-17',
      cardProvince: 'BC',
      ...sealedCard(clinic.keyring, id, card).chart,
      ...over,
    }),
  );
};

describe('Signing up (§5 Sign-up)', () => {
  test('opens an account that waits for its address to be confirmed', async () => {
    const answer = (await register()).answer();
    expect(answer.data).toEqual({ success: true, extras: answer.extras });
    expect(answer.extras.message).toContain('6 hours');
    expect(await rows()).toMatchObject([
      {
        email: 'ada@test.example',
        emailConfirmed: false,
        firstName: 'Ada',
        postal: 'V5K 0A1',
        mobilePhone: '6045550142',
        eligibility: 'E',
        role: 'patient',
        blocked: false,
      },
    ]);
    const [row] = await rows();
    expect(row?.passwordHash).toMatch(/^\$argon2id\$/);
    expect(JSON.stringify(row)).not.toContain(card);
    expect((await login()).refusal().extras.code).toBe('emailNotConfirmed');
  });

  test('keeps the consent with version and hash of its text (R-65, R-87)', async () => {
    await register();
    const { version, hash } = currentAgreement('signUp');
    expect(await clinic.database.db.select().from(agreement)).toMatchObject([
      { kind: 'signUp', version, textHash: hash },
    ]);
  });

  test('takes a client that knows no consent, and keeps none', async () => {
    expect((await register({ consent: null })).statusCode).toBe(200);
    expect(await clinic.database.db.select().from(agreement)).toEqual([]);
  });

  test('says what is wrong in the words of §5, field by field', async () => {
    const wrong = { city: 'Van<couver', passwordConfirm: 'other', mobilePhone: '', birthDay: 0 };
    const refused = await register(wrong);
    expect([refused.statusCode, refused.refusal().extras.message]).toEqual([
      422,
      'Registration failed, Please check your input and try again.',
    ]);
    expect(refused.refusal().errors).toEqual([
      { field: 'city', message: 'Invalid symbol detected in City field' },
      { field: 'passwordConfirm', message: 'Password and Confirm Password do not match' },
      { field: 'birthDay', message: 'Date of Birth is required' },
      {
        field: 'mobilePhone',
        message:
          'Either Mobile Phone, Home Phone or International Phone is required for registration.',
      },
    ]);
    expect(await rows()).toEqual([]);
  });

  test.each([
    ['a consent that was not given', { consent: { ...form.consent, given: false } }],
    ['a consent to another text', { consent: { given: true, version: '0.9' } }],
    ['a pharmacy that nobody knows', { preferredPharmacy: 'ph-99' }],
    ['a date of birth after today', { birthYear: 2027 }],
  ])('refuses %s', async (_, over) => {
    expect((await register(over)).statusCode).toBe(422);
    expect(await rows()).toEqual([]);
  });

  test.each([
    ['AB', '512345679', 'NR'],
    ['QC', 'CHER 8512 3456', 'R'],
    ['Other', '', 'NE'],
  ])('with a card of %s is of another eligibility', async (province, number, eligibility) => {
    const healthCard = { healthCardNumber: number, healthCardNumberConfirm: number };
    expect((await register({ healthCardProvince: province, ...healthCard })).statusCode).toBe(200);
    expect(await rows()).toMatchObject([{ cardProvince: province, eligibility }]);
  });

  test('from another country takes no card, whatever is sent', async () => {
    expect((await register({ country: 'Chile' })).statusCode).toBe(200);
    expect(await rows()).toMatchObject([
      { cardProvince: 'Other', cardSealed: null, eligibility: 'NE' },
    ]);
  });

  test('takes a captcha once, and none that nobody can check (S-6)', async () => {
    await register({ recaptcha: 'ok:once' });
    expect((await register({ recaptcha: 'ok:once' })).refusal().errors).toEqual([
      { field: 'recaptcha', message: 'Please validate you are not a bot.' },
    ]);
    clinic.captcha.down = true;
    expect((await register()).statusCode).toBe(503);
  });

  test('is limited by address of mail and of network (S-5)', async () => {
    for (let i = 0; i < 5; i++) expect((await register()).statusCode).toBe(200);
    const refused = await register();
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const strangers = Array.from({ length: 25 }, (_, n) => `stranger${n}@test.example`);
    const answers = [];
    for (const email of strangers) answers.push(await register({ email, emailConfirm: email }));
    expect(answers.map(({ statusCode }) => statusCode).slice(-3)).toEqual([409, 409, 429]);
  });
});

describe('Signing up with an address that has an account (R-65, S-7)', () => {
  const other = validBcNumber(4_712);
  const otherCard = { healthCardNumber: other, healthCardNumberConfirm: other };

  test('is answered alike, at the same cost, and tells the owner', async () => {
    const first = await register();
    const [before] = await rows();
    const audited = (await clinic.database.db.select().from(audit)).length;
    const again = await register({
      ...otherCard,
      password: 'Another-2026',
      passwordConfirm: 'Another-2026',
    });
    expect([again.statusCode, again.body]).toEqual([first.statusCode, first.body]);
    expect(await rows()).toEqual([before]);
    const outboxRows = await clinic.database.db.select().from(outbox);
    expect(outboxRows).toHaveLength(2);
    expect(JSON.stringify(outboxRows)).not.toMatch(/ada|confirm\//);
    expect((await clinic.database.db.select().from(audit)).length).toBe(2 * audited);
    const letters = await mails();
    expect(letters.map(({ to }) => to)).toEqual(['ada@test.example', 'ada@test.example']);
    expect(letters.map(({ subject }) => subject)).toEqual(
      expect.arrayContaining([
        'Please confirm your e-mail address - Test Clinic',
        'You have an account already - Test Clinic',
      ]),
    );
  });

  test('from two browsers at once opens one account', async () => {
    const answers = await Promise.all([register(), register(otherCard)]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(await rows()).toHaveLength(1);
    expect(await mails()).toHaveLength(2);
  });
});

describe('The card of somebody who signs up', () => {
  test('that has an account is for the clinic, whether the address is known or not (R-65)', async () => {
    await register();
    await aPatient(clinic, { email: 'eve@test.example' });
    const withEmail = (email: string) => register({ email, emailConfirm: email });
    const known = await withEmail('eve@test.example');
    const unknown = await withEmail('bea@test.example');
    expect(unknown.refusal().extras.message).toContain('contact the clinic');
    expect([unknown.statusCode, unknown.body]).toEqual([known.statusCode, known.body]);
    expect(unknown.statusCode).toBe(409);
    expect(await rows()).toHaveLength(2);
    expect((await register()).statusCode).toBe(200);
    expect(await rows()).toHaveLength(2);
  });

  test('links to the one chart it is on', async () => {
    await aChart();
    await register();
    expect(await rows()).toMatchObject([{ chartId: 'C1' }]);
  });

  test('without a chart waits for the family-doctor question under a number of its own (§4)', async () => {
    await aChart({ birthDate: '1990-01-01' });
    await register();
    expect((await rows())[0]?.chartId).toMatch(/^W[0-9A-F]{15}$/);
  });

  test.each([
    ['is on two charts', async () => [await aChart(), await aChart({ id: 'C2' })]],
    ['is on the chart of another name', () => aChart({ lastName: 'Lovelace' })],
    [
      'is on a chart that has an account',
      async () => {
        await aChart();
        await aPatient(clinic, { chartId: 'C1', primaryDoctor: false });
      },
    ],
  ])('is for the clinic when it %s', async (_, prepare) => {
    await prepare();
    const before = (await rows()).length;
    expect((await register()).refusal().extras.code).toBe('cardKnown');
    expect(await rows()).toHaveLength(before);
  });
});

describe('The confirmation link (R-66)', () => {
  test('opens the account, once', async () => {
    await register();
    const token = await linkToken();
    expect((await confirm(token)).answer().success).toBe(true);
    expect((await login()).statusCode).toBe(200);
    const again = await confirm(token);
    expect([again.statusCode, again.refusal().extras.code]).toEqual([409, 'linkUsed']);
    expect((await clinic.database.db.select().from(audit)).map(({ action }) => action)).toContain(
      'e-mail confirmed',
    );
  });

  test('stands in no table', async () => {
    await register();
    const token = await linkToken();
    const [code] = await clinic.database.db.select().from(oneTimeCode);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify([code, await clinic.database.db.select().from(outbox)])).not.toContain(
      token,
    );
  });

  test('is valid for six hours, and not a second longer', async () => {
    await register();
    const token = await linkToken();
    clinic.clock.advance(6 * 60 * 60);
    expect((await confirm(token)).refusal().extras.code).toBe('linkNotValid');
    expect(await rows()).toMatchObject([{ emailConfirmed: false }]);
  });

  test('that nobody made opens nothing', async () => {
    expect((await confirm('a'.repeat(43))).refusal().extras.code).toBe('linkNotValid');
  });

  test('is sent again on request, with one answer for every address (S-7)', async () => {
    await register();
    await mails();
    const resend = (email: string) =>
      ask(clinic, 'resendConfirmation', { body: { email, recaptcha: `ok:${++proofs}` } });
    const known = await resend('ada@test.example');
    const absent = await resend('nobody@test.example');
    expect([absent.statusCode, absent.body]).toEqual([known.statusCode, known.body]);
    const waiting = await clinic.database.db
      .select()
      .from(outbox)
      .where(and(eq(outbox.kind, 'account-letter')));
    expect(waiting).toHaveLength(3);
    expect(await mails()).toHaveLength(2);
  });
});
