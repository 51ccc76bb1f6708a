import { currentAgreement } from '@clinic/contract/agreements';
import { and, eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { aStaffMember, askDesk, deskSession } from '../../../../testing/desk.ts';
import { type TestApp, aPatient, ask, testApp } from '../../../../testing/index.ts';
import { toInstant } from '@clinic/domain';
import { agreement, appointment, oneTimeCode, outbox, patientRecord } from '../../../schema.ts';
import type { RecordId } from '../../records/emr.ts';
import { patient, pendingSignUp } from '../schema.ts';
import { sealedCard } from '../../../security/keyring.ts';
import { validBcNumber } from '@clinic/practice/accounts.ts';
import { formOf, signUp } from './sign-up.ts';

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
const confirm = (token: string, password = form.password) =>
  ask(clinic, 'confirmEmail', { body: { token, password } });
const login = (password = form.password) =>
  ask(clinic, 'login', {
    body: { method: 'email', email: 'ada@test.example', password, recaptcha: `ok:${++proofs}` },
  });
const resend = (email: string) =>
  ask(clinic, 'resendConfirmation', { body: { email, recaptcha: `ok:${++proofs}` } });
const accounts = () => clinic.database.db.select().from(patient);
const forms = () => clinic.database.db.select().from(pendingSignUp);
/** The links of the last email, the newest form's first. */
async function links(): Promise<string[]> {
  const email = (await clinic.mails()).at(-1);
  return Array.from(email?.text.matchAll(/\/confirm\/([\w-]+)/g) ?? [], ([, token = '']) => token);
}
const linkToken = async (): Promise<string> => (await links())[0] ?? '';
/** Signs up with what is said, a second after whoever was before, and gives the link. */
async function signedUp(over: Record<string, unknown> = {}): Promise<string> {
  clinic.clock.advance(1);
  expect((await register(over)).statusCode).toBe(200);
  return linkToken();
}
const aRecord = (over: Partial<typeof patientRecord.$inferInsert> = {}) => {
  const id = over.id ?? 'C1';
  return clinic.database.inTransaction((tx) =>
    tx.insert(patientRecord).values({
      id,
      firstName: 'Augusta',
      lastName: 'BYRON',
      birthDate: '1984-05-17',
      cardProvince: 'BC',
      ...sealedCard(clinic.keyring, id, card).record,
      ...over,
    }),
  );
};

describe('Signing up (§5 Sign-up)', () => {
  // Shows: 3.registration.1, 7.auth.2, R-84
  test('keeps a form that is no account until its link is confirmed (R-97)', async () => {
    const answer = (await register()).answer();
    expect(answer.data).toEqual({ success: true, extras: answer.extras });
    expect(answer.extras.message).toContain('6 hours');
    expect(await accounts()).toEqual([]);
    expect(await forms()).toMatchObject([
      {
        email: 'ada@test.example',
        firstName: 'Ada',
        postal: 'V5K 0A1',
        mobilePhone: '6045550142',
        mobilePhoneE164: '+16045550142',
        cardProvince: 'BC',
        expiresAt: clinic.clock.now() + 6 * 60 * 60,
      },
    ]);
    const [row] = await forms();
    expect(row?.passwordHash).toMatch(/^\$argon2id\$/);
    expect(JSON.stringify(row)).not.toContain(card);
  });

  // Shows: R-61
  test.each([
    'password',
    'Password1',
    'QWERTYUIOP',
    '12345678',
    'iloveyou',
    'AdaByron1',
    'ada@test.example',
  ])('takes no password that is common or the own name or e-mail: %s (R-61)', async (password) => {
    const refused = await register({ password, passwordConfirm: password });
    expect([refused.statusCode, refused.refusal().errors]).toEqual([
      422,
      [
        {
          field: 'password',
          message: 'This password is too common. Please choose another.',
        },
      ],
    ]);
    expect(await forms()).toEqual([]);
  });

  test('takes no country that is in no list (§3)', async () => {
    const refused = await register({ country: 'Narnia' });
    expect([refused.statusCode, refused.refusal().errors]).toEqual([
      422,
      [{ field: 'country', message: 'Please choose one of the listed values for Country' }],
    ]);
  });

  // Shows
  test('is nothing that sign-in looks at: one answer, with and without a form (R-97, S-7)', async () => {
    const before = await login();
    await register();
    const after = await login();
    expect([after.statusCode, after.body]).toEqual([before.statusCode, before.body]);
    expect([before.statusCode, before.refusal().extras.message]).toEqual([
      401,
      'The email or password is incorrect. If you have just signed up, open the link in our email first.',
    ]);
  });

  // Shows
  test('keeps the consent with version and hash of its text (R-65, R-87)', async () => {
    const { version, hash } = currentAgreement('signUp');
    const token = await signedUp();
    const asked = clinic.clock.now();
    clinic.clock.advance(60);
    await confirm(token);
    expect(await clinic.database.db.select().from(agreement)).toMatchObject([
      { kind: 'signUp', version, textHash: hash, at: asked },
    ]);
  });

  test('takes a client that knows no consent, and keeps none', async () => {
    expect((await confirm(await signedUp({ consent: null }))).statusCode).toBe(200);
    expect(await clinic.database.db.select().from(agreement)).toEqual([]);
  });

  // Shows: 5.sign-up.2
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
    expect(await forms()).toEqual([]);
  });

  // Shows: 5.sign-up.8
  test.each([
    ['a consent that was not given', { consent: { ...form.consent, given: false } }],
    ['a consent to another text', { consent: { given: true, version: '0.9' } }],
    ['a pharmacy that nobody knows', { preferredPharmacy: 'ph-99' }],
    ['a date of birth after today', { birthYear: 2027 }],
  ])('refuses %s', async (_, over) => {
    expect((await register(over)).statusCode).toBe(422);
    expect(await forms()).toEqual([]);
  });

  test.each([
    ['AB', '512345679', 'NR'],
    ['QC', 'CHER 8512 3456', 'R'],
    ['Other', '', 'NE'],
  ])('with a card of %s is of another eligibility', async (province, number, eligibility) => {
    const healthCard = { healthCardNumber: number, healthCardNumberConfirm: number };
    await confirm(await signedUp({ healthCardProvince: province, ...healthCard }));
    expect(await accounts()).toMatchObject([{ cardProvince: province, eligibility }]);
  });

  // Shows: 5.sign-up.9
  test('from another country takes no card, whatever is sent', async () => {
    await confirm(await signedUp({ country: 'Chile' }));
    expect(await accounts()).toMatchObject([
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

  test('is limited by the address of the network (S-5)', async () => {
    const answers = [];
    for (let n = 0; n < 32; n += 1) {
      const email = `stranger${n}@test.example`;
      answers.push(await register({ email, emailConfirm: email }));
    }
    expect(answers.map(({ statusCode }) => statusCode).slice(-3)).toEqual([200, 429, 429]);
    expect(Number(answers.at(-1)?.headers['retry-after'])).toBeGreaterThan(0);
  });

  // Shows: R-97, S-5, S-7
  test('is taken whatever strangers sent to the address, which gets five emails an hour; the next lists every form', async () => {
    const strangers = { password: 'Another-2026', passwordConfirm: 'Another-2026' };
    for (let n = 0; n < 7; n += 1) await signedUp(strangers);
    // The newest form is listed first.
    clinic.clock.advance(1);
    const own = await register();
    expect([own.statusCode, own.json()]).toMatchObject([200, { success: true }]);
    expect(await clinic.mails()).toHaveLength(5);
    expect((await resend('ada@test.example')).statusCode).toBe(429);
    clinic.clock.advance(3_600);
    const [owners = '', ...others] = await links();
    expect([clinic.mail.sent.length, others.length]).toEqual([6, 7]);
    expect((await confirm(owners)).statusCode).toBe(200);
    // That email is one of the five of its hour.
    for (let n = 7; n <= 11; n += 1) {
      expect((await register()).statusCode).toBe(200);
      expect(await clinic.mails()).toHaveLength(Math.min(n, 10));
    }
    clinic.clock.advance(3_600);
    expect((await clinic.mails()).map(({ to }) => to)).toEqual(Array(11).fill('ada@test.example'));
  });

  test('that waits for its email is told of by an earlier one that goes out late, too', async () => {
    clinic.mail.down = true;
    for (let n = 0; n < 6; n += 1) await signedUp();
    clinic.mail.down = false;
    clinic.clock.advance(60);
    expect(await links()).toHaveLength(6);
  });
});

/** An account of the form's address, opened by the form. */
async function anAccount(): Promise<void> {
  expect((await confirm(await signedUp())).statusCode).toBe(200);
}

describe('Signing up with an address that has an account (R-65, S-7)', () => {
  // Shows: R-65
  test('is answered alike, at the same cost, and tells the owner', async () => {
    const fresh = await register({ email: 'bea@test.example', emailConfirm: 'bea@test.example' });
    await clinic.mails();
    await anAccount();
    const [before] = await accounts();
    const count = async () => ({
      outbox: (await clinic.database.db.select().from(outbox)).length,
      audit: (await clinic.trail()).length,
    });
    const { outbox: emails, audit: entries } = await count();
    const again = await register({ password: 'Another-2026', passwordConfirm: 'Another-2026' });
    expect([again.statusCode, again.body]).toEqual([fresh.statusCode, fresh.body]);
    expect(await accounts()).toEqual([before]);
    expect(await count()).toEqual({ outbox: emails + 1, audit: entries + 1 });
    const outboxRows = JSON.stringify(await clinic.database.db.select().from(outbox));
    expect(outboxRows).not.toMatch(/ada@|confirm\//);
    expect((await clinic.mails()).at(-1)).toMatchObject({
      to: 'ada@test.example',
      subject: 'You already have an account - Test Clinic',
    });
    expect((await login('Another-2026')).statusCode).toBe(401);
  });
});

describe('Signing up costs the same on every path (S-7)', () => {
  const at = (email: string) => ({ ...form, email, emailConfirm: email });
  const eves = validBcNumber(4_713);
  const withEves = { healthCardNumber: eves, healthCardNumberConfirm: eves };

  /** What a form makes the service do, outside of reading. */
  async function costOf(filledIn: typeof form) {
    const counted = { hashed: 0, emails: 0, audited: 0 };
    const { outbox: box, appendAudit } = clinic.platform;
    await signUp(
      {
        ...clinic.platform,
        hashPassword: async () => (counted.hashed++, 'a hash'),
        outbox: { ...box, enqueue: (...given) => (counted.emails++, box.enqueue(...given)) },
        appendAudit: (...given) => (counted.audited++, appendAudit(...given)),
      },
      {
        form: formOf({ ...filledIn, recaptcha: 'x' }),
        preferredPharmacyId: null,
        consent: null,
        locale: 'en',
        now: clinic.clock.now(),
        mail: { begun: () => undefined, dueAt: clinic.clock.now(), isLate: false },
      },
    );
    return counted;
  }

  // Shows: S-7
  test.each([
    ['a fresh address', at('bea@test.example')],
    ['an address with an account', at('ada@test.example')],
    ['the card of an account', at('cyd@test.example')],
    ['a second form', at('eve@test.example')],
  ])('%s: one password hashed, one email, one entry in the trail', async (_, filledIn) => {
    await anAccount();
    await register({ ...at('eve@test.example'), ...withEves });
    expect(await costOf(filledIn)).toEqual({ hashed: 1, emails: 1, audited: 1 });
  });
});

describe('A second form for an address that waits to be confirmed (R-97)', () => {
  const strangers = { password: 'Strangers-2026', passwordConfirm: 'Strangers-2026' };

  test('has a link and a password of its own, and the email says which is whose', async () => {
    const mine = await signedUp();
    clinic.clock.advance(60);
    const theirs = await signedUp(strangers);
    expect(theirs).not.toBe(mine);
    expect(await links()).toEqual([theirs, mine]);
    const text = (await clinic.mails()).at(-1)?.text;
    expect(text).toContain('This email address was entered in 2 sign-up forms.');
    expect(await forms()).toHaveLength(2);
    expect((await confirm(theirs)).refusal().errors?.[0]?.field).toBe('password');
    expect(await accounts()).toEqual([]);
    expect((await confirm(mine)).statusCode).toBe(200);
  });

  // Shows: R-97
  test('ends when another form of the address is confirmed', async () => {
    const mine = await signedUp();
    clinic.clock.advance(60);
    const theirs = await signedUp(strangers);
    await confirm(mine);
    expect(await forms()).toEqual([]);
    const other = (await confirm(theirs, strangers.password)).refusal().extras;
    expect([other.code, other.message]).toEqual([
      'linkUsed',
      'The account of this email address is open already. You can log in.',
    ]);
    expect((await login()).statusCode).toBe(200);
    expect((await login(strangers.password)).statusCode).toBe(401);
  });

  test('from two browsers at once is two forms, and two confirmations at once open one account', async () => {
    const answers = await Promise.all([register(), register(strangers)]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    const tokens = await links();
    const both = await Promise.all(
      tokens.flatMap((token) => [confirm(token), confirm(token, strangers.password)]),
    );
    expect(both.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(await accounts()).toHaveLength(1);
  });
});

describe('The card of somebody who signs up', () => {
  const withEmail = (email: string) => ({ email, emailConfirm: email });

  // Shows
  test('that has an account is told behind the link, and nowhere else (R-65, R-97, S-7)', async () => {
    await anAccount();
    const free = validBcNumber(4_712);
    const fresh = await register({
      ...withEmail('bea@test.example'),
      healthCardNumber: free,
      healthCardNumberConfirm: free,
    });
    await clinic.mails();
    const taken = await register(withEmail('cyd@test.example'));
    expect([taken.statusCode, taken.body]).toEqual([fresh.statusCode, fresh.body]);
    const refused = await confirm(await linkToken());
    expect([refused.statusCode, refused.refusal().extras.code]).toEqual([409, 'cardKnown']);
    expect(refused.refusal().extras.message).toContain('contact the clinic');
    expect(await accounts()).toHaveLength(1);
    // The desk has been told, as the page says.
    const cookie = await deskSession(clinic, await aStaffMember(clinic, 'receptionist'));
    const waiting = async () =>
      (await askDesk(clinic, 'deskPatientsWaiting', { cookie, body: {} })).answer().extras.refused;
    const [form] = (await waiting()) ?? [];
    expect(form).toMatchObject({ name: 'Byron, Ada', email: 'cyd@test.example' });
    const params = { id: form?.id ?? '' };
    for (let again = 0; again < 2; again++)
      (await askDesk(clinic, 'deskSeeToSignUp', { cookie, params, body: {} })).answer();
    expect(await waiting()).toEqual([]);
    expect(await clinic.trail('sign-up seen to')).toHaveLength(1);
  });

  // Shows: R-97
  test.each([
    ['two charts of the EMR', [{ id: '11' }, { id: '12' }], 'several'],
    ['a chart of another family name', [{ id: '11', lastName: 'Lovelace' }], 'alike'],
  ])('that is on %s opens an account that waits for staff', async (_, charts, why) => {
    await clinic.close();
    const chart = {
      firstName: 'Ada',
      lastName: 'Byron',
      birthDate: '1984-05-17',
      providerId: null,
      cardProvince: 'BC',
      cardNumber: card,
    };
    const records = charts.map((each) => ({ ...chart, ...each, id: each.id as RecordId }));
    clinic = await testApp({ emr: fakeEmr({ records }) });
    const confirmed = await confirm(await signedUp());
    expect(confirmed.statusCode).toBe(200);
    expect(confirmed.answer().extras.message).toMatch(
      /log in now.*front desk looks at your account/,
    );
    expect(confirmed.body).not.toMatch(/chart|EMR/i);
    expect(await accounts()).toMatchObject([{ recordId: expect.stringMatching(/^W/) as unknown }]);
    const cookie = await deskSession(clinic, await aStaffMember(clinic, 'receptionist'));
    const waiting = await askDesk(clinic, 'deskPatientsWaiting', { cookie, body: {} });
    expect(waiting.answer().extras.unclear).toMatchObject([{ name: 'Byron, Ada', why }]);
  });

  // Shows: R-97
  test('is not taken by a form: one typo in the address keeps nobody out (R-97)', async () => {
    await signedUp(withEmail('adda@test.example'));
    await anAccount();
    expect(await accounts()).toMatchObject([{ email: 'ada@test.example' }]);
  });

  // Shows: R-97
  test('is not taken by a closed account, whose chart goes with it (R-97)', async () => {
    await aRecord();
    await anAccount();
    const closed = (at: number) =>
      clinic.database.inTransaction((tx) => tx.update(patient).set({ closedAt: at }));
    await closed(1);
    const again = await confirm(await signedUp(withEmail('ada2@test.example')));
    expect(again.statusCode).toBe(200);
    expect((await accounts()).map(({ recordId }) => recordId)).toEqual(['C1', 'C1']);
    // Right after the closing only the mailbox that had the account gets another one for its record.
    await closed(clinic.clock.now());
    const hers = await confirm(await signedUp(withEmail('hers@test.example')));
    expect(hers.refusal().extras.code).toBe('cardKnown');
  });

  test('of two who confirm at once is one account’s, and the other is told (R-65)', async () => {
    const tokens = [
      await signedUp(withEmail('bea@test.example')),
      await signedUp(withEmail('cyd@test.example')),
    ];
    const answers = await Promise.all(tokens.map((token) => confirm(token)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 409,
    ]);
    expect(await accounts()).toHaveLength(1);
  });

  test('links to the one chart it is on', async () => {
    await aRecord();
    await anAccount();
    expect(await accounts()).toMatchObject([{ recordId: 'C1' }]);
  });

  // Shows: R-97
  test('has what the front desk booked for the record before', async () => {
    await aRecord();
    const start = toInstant('2026-11-23', '11:00');
    await clinic.database.inTransaction((tx) =>
      tx.insert(appointment).values({
        id: crypto.randomUUID(),
        recordId: 'C1',
        providerId: '101',
        start,
        end: start + 300,
        clinicDate: '2026-11-23',
        type: 'O',
        state: 'booked',
        createdAt: start - 86_400,
        changedAt: start - 86_400,
      }),
    );
    await anAccount();
    const [account] = await accounts();
    const [booked] = await clinic.database.db.select().from(appointment);
    expect([account?.recordId, booked?.patientId]).toEqual(['C1', account?.id]);
  });

  test('has the record that theirs was merged into, where the whole name is on it', async () => {
    await aRecord({ id: 'C2', firstName: 'ada', cardSealed: null, cardIndex: null });
    await aRecord({ mergedInto: 'C2' });
    await anAccount();
    expect((await accounts())[0]?.recordId).toBe('C2');
  });

  test('without a chart waits for the family-doctor question under a number of its own (§4)', async () => {
    await aRecord({ birthDate: '1990-01-01' });
    await anAccount();
    expect((await accounts())[0]?.recordId).toMatch(/^W[0-9A-F]{15}$/);
  });

  test.each([
    ['is on two charts', async () => [await aRecord(), await aRecord({ id: 'C2' })]],
    ['is on the chart of another name', () => aRecord({ lastName: 'Lovelace' })],
    [
      'is on a record that was merged into another person’s',
      async () => {
        await aRecord({ id: 'C2', birthDate: '1990-01-01' });
        await aRecord({ mergedInto: 'C2' });
      },
    ],
    [
      'is on a record that was merged into that of a twin',
      async () => {
        await aRecord({ id: 'C2', cardSealed: null, cardIndex: null });
        await aRecord({ mergedInto: 'C2', firstName: 'Ada' });
      },
    ],
    [
      'is on a chart that has an account',
      async () => {
        await aRecord();
        await aPatient(clinic, { recordId: 'C1', primaryDoctor: false });
      },
    ],
  ])('is for the clinic when it %s', async (_, prepare) => {
    await prepare();
    const before = (await accounts()).length;
    const token = await signedUp();
    // However often the right password is tried: it is not the password that is wrong.
    for (let i = 0; i < 7; i++)
      expect((await confirm(token)).refusal().extras.code).toBe('cardKnown');
    expect(await accounts()).toHaveLength(before);
  });
});

describe('The confirmation link (R-66)', () => {
  // Shows: R-66
  test('opens the account with the password of its form, once', async () => {
    const token = await signedUp();
    expect((await confirm(token)).answer().success).toBe(true);
    expect(await accounts()).toMatchObject([
      { email: 'ada@test.example', eligibility: 'E', role: 'patient', blocked: false },
    ]);
    expect((await login()).statusCode).toBe(200);
    const again = await confirm(token);
    expect([again.statusCode, again.refusal().extras.code]).toEqual([409, 'linkUsed']);
    expect((await clinic.trail()).map(({ action }) => action)).toContain('e-mail confirmed');
  });

  test('stands in no table', async () => {
    const token = await signedUp();
    const [code] = await clinic.database.db.select().from(oneTimeCode);
    expect(token).toMatch(/^[\w-]{43}$/);
    const rows = [code, await forms(), await clinic.database.db.select().from(outbox)];
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  // Shows: R-97
  test('takes five passwords, sent at once or not, then the form ends and says so (R-97)', async () => {
    const token = await signedUp();
    const guesses = await Promise.all(
      Array.from({ length: 8 }, (_, n) => confirm(token, `guess-number-${n}`)),
    );
    const statuses = guesses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);
    expect(statuses).toEqual([409, 409, 409, 409, 422, 422, 422, 422]);
    const refused = await confirm(token);
    expect([refused.statusCode, refused.refusal().extras.message]).toEqual([
      409,
      'The password was wrong too many times, so this sign-up has ended. Please sign up again.',
    ]);
    await resend('ada@test.example');
    expect(await clinic.mails()).toHaveLength(1);
    await anAccount();
  });

  // Shows: 9.timers.1, R-66
  test('is valid for six hours, and not a second longer; then the form is gone', async () => {
    const token = await signedUp();
    clinic.clock.advance(6 * 60 * 60);
    expect((await confirm(token)).refusal().extras.code).toBe('linkNotValid');
    await resend('ada@test.example');
    expect(await clinic.mails()).toHaveLength(1);
    await anAccount();
  });

  test('that nobody made opens nothing', async () => {
    expect((await confirm('a'.repeat(43))).refusal().extras.code).toBe('linkNotValid');
  });

  test('is sent again on request, the same for the same form, with one answer for every address (S-7)', async () => {
    const token = await signedUp();
    clinic.clock.advance(60 * 60);
    const known = await resend('ada@test.example');
    const absent = await resend('nobody@test.example');
    expect([absent.statusCode, absent.body]).toEqual([known.statusCode, known.body]);
    const waiting = await clinic.database.db
      .select()
      .from(outbox)
      .where(and(eq(outbox.kind, 'account-email')));
    expect(waiting).toHaveLength(3);
    expect(await clinic.mails()).toHaveLength(2);
    expect(await links()).toEqual([token]);
  });

  test('of a form without end is valid for six hours from when it is mailed', async () => {
    await register();
    await clinic.database.inTransaction((tx) => tx.update(pendingSignUp).set({ expiresAt: null }));
    clinic.clock.advance(100 * 60 * 60);
    const token = await linkToken();
    clinic.clock.advance(6 * 60 * 60);
    expect((await confirm(token)).refusal().extras.code).toBe('linkNotValid');
    await resend('ada@test.example');
    expect((await confirm(await linkToken())).statusCode).toBe(200);
  });
});
