import { currentAgreement } from '@clinic/contract/agreements';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { STAFF_PASSWORD, aStaffMember, askDesk, codeAt, deskSession } from '../../testing/desk.ts';
import { aProof, PASSWORD, type TestApp, aPatient, ask, testApp } from '../../testing/index.ts';
import { operate } from '../../testing/operator.ts';
import { patient, pendingSignUp, staff } from '../schema.ts';

let clinic: TestApp;
let proofs = 0;
beforeEach(async () => {
  clinic = await testApp();
});
afterEach(() => clinic.close());

const FRENCH = { 'accept-language': 'fr' };
const LETTERS = 'jo@bücher.example';
const ASCII = 'jo@xn--bcher-kva.example';
const proof = () => `ok:${++proofs}`;
const login = (email: string) =>
  ask(clinic, 'login', {
    body: { method: 'email', email, password: PASSWORD, recaptcha: proof() },
  });
const register = (over: object, headers = {}) =>
  ask(clinic, 'register', {
    headers,
    body: {
      firstName: 'Jo',
      lastName: 'Park',
      gender: 'Other',
      address: '12 Main Street',
      city: 'Vancouver',
      province: 'BC',
      postal: 'V5K 0A1',
      country: 'France',
      mobilePhone: '6045550142',
      email: LETTERS,
      emailConfirm: ASCII,
      password: 'Practice-2026',
      passwordConfirm: 'Practice-2026',
      birthDay: 17,
      birthMonth: 5,
      birthYear: 1984,
      consent: { given: true, version: currentAgreement('signUp').version },
      recaptcha: proof(),
      ...over,
    },
  });
const mails = async () => (await clinic.mails()).map(({ to, subject }) => ({ to, subject }));

describe('A new address', () => {
  test('is kept with its domain in ASCII, however the browser sends it', async () => {
    (await register({})).answer();
    const forms = await clinic.database.db.select().from(pendingSignUp);
    expect(forms.map(({ email }) => email)).toEqual([ASCII]);
    expect(await mails()).toMatchObject([{ to: ASCII }]);
  });

  // Shows: S-17
  test('that no email could be sent to is refused in words, in English and in French', async () => {
    const address = 'josé@practice.example';
    const said = async (headers = {}) =>
      (await register({ email: address, emailConfirm: address }, headers)).refusal().errors;
    expect(await said()).toEqual([
      {
        field: 'email',
        message:
          'We cannot send email to an address with accented or non-Latin letters before the @. Please enter another address.',
      },
    ]);
    expect((await said(FRENCH))?.[0]?.message).toMatch(/^Nous ne pouvons pas envoyer de courriel/);
    expect(await mails()).toEqual([]);
  });

  // Shows: S-17
  test('with what cannot be seen is refused in words, and so are a name and a street', async () => {
    const over = { email: 'jo\u202E@x.example', firstName: '\u200B', address: '1\u202A Main' };
    const messages = async (headers = {}) =>
      Object.fromEntries(
        ((await register(over, headers)).refusal().errors ?? []).map((each) => [
          each.field,
          each.message,
        ]),
      );
    const pasted =
      'contains a character that cannot be seen. Please type it again instead of pasting it.';
    expect(await messages()).toEqual({
      email: `Email ${pasted}`,
      firstName: 'First Name is required',
      address: `Address ${pasted}`,
    });
    expect((await messages(FRENCH)).address).toMatch(/«\u00A0Adresse\u00A0» contient/);
  });
});

describe('An account whose domain is kept in letters, from before', () => {
  test.each([LETTERS, ASCII, ' Jo@BÜCHER.example'])('is signed in to as %j', async (typed) => {
    await aPatient(clinic.platform, { email: LETTERS });
    expect((await login(typed)).statusCode).toBe(200);
  });

  test.each(['jo@bu\u0308cher.example', 'josé@practice.example', 'jo\u200B@x.example'])(
    'or as no address would be taken today, %j, is signed in to as ever',
    async (stored) => {
      await aPatient(clinic.platform, { email: stored });
      expect((await login(stored)).statusCode).toBe(200);
    },
  );

  test('is not opened a second time: its owner is told', async () => {
    await aPatient(clinic.platform, { email: LETTERS });
    (await register({})).answer();
    expect(await clinic.database.db.select().from(pendingSignUp)).toEqual([]);
    expect(await mails()).toMatchObject([{ to: LETTERS }]);
  });

  test('is recovered by either spelling', async () => {
    await aPatient(clinic.platform, { email: LETTERS, birthDate: '1984-05-17' });
    const born = { birthYear: 1984, birthMonth: 5, birthDay: 17 };
    for (const email of [LETTERS, ASCII]) {
      (
        await ask(clinic, 'validateRecovery', { body: { email, ...born, recaptcha: proof() } })
      ).answer();
      (await ask(clinic, 'sendResetCode', { body: { email } })).answer();
      expect((await mails()).at(-1)).toMatchObject({ to: LETTERS });
      clinic.clock.advance(1);
    }
    expect(clinic.mail.sent).toHaveLength(2);
  });

  test('has its domain in ASCII where its form was sent before, and confirmed today', async () => {
    (await register({})).answer();
    await clinic.database.inTransaction((tx) => tx.update(pendingSignUp).set({ email: LETTERS }));
    await clinic.platform.outbox.drain();
    const token = /\/confirm\/([\w-]+)/.exec(clinic.mail.sent[0]?.text ?? '')?.[1] ?? '';
    (await ask(clinic, 'confirmEmail', { body: { token, password: 'Practice-2026' } })).answer();
    const accounts = await clinic.database.db.select().from(patient);
    expect(accounts.map(({ email }) => email)).toEqual([ASCII]);
    expect(await clinic.database.db.select().from(pendingSignUp)).toEqual([]);
  });

  test('and another with the same in ASCII stay two: each is found as it is spelled', async () => {
    const letters = await aPatient(clinic.platform, { email: LETTERS });
    const ascii = await aPatient(clinic.platform, { email: ASCII, lastName: 'Other' });
    const zoe = await aPatient(clinic.platform, { email: 'zoé@practice.example' });
    await aPatient(clinic.platform, { email: 'robin@practice.example' });
    await aStaffMember(clinic, 'auditor', { id: STAFF_ID, email: 'a@x,b@x' });
    for (const { id, email } of [letters, ascii]) {
      const token = (await login(email)).answer().extras.accessToken;
      expect((await ask(clinic, 'getMe', { token })).answer().id).toBe(id);
    }
    const { lines } = await operate(clinic.platform, 'accounts', 'addresses');
    expect(new Set(lines)).toEqual(
      new Set([
        `patient  ${letters.id}  ${LETTERS}  the same as ${ASCII} of ${ascii.id}`,
        `patient  ${ascii.id}  ${ASCII}  the same as ${LETTERS} of ${letters.id}`,
        `patient  ${zoe.id}  ${zoe.email}  no email can be sent to it`,
        `staff  ${STAFF_ID}  a@x,b@x  no email can be sent to it`,
        '4 accounts.',
      ]),
    );
    const status = (await operate(clinic.platform, 'status')).lines;
    expect(status).toContain('  the address of 4 accounts is unclear (accounts addresses).');
  });
});
const STAFF_ID = '0f0e0d0c-0000-4000-8000-000000000001';

describe('A colleague', () => {
  let cookie: string;
  beforeEach(async () => {
    cookie = await deskSession(clinic, await aStaffMember(clinic, 'manager'));
  });
  const invite = (over: object, headers = {}) =>
    askDesk(clinic, 'deskInvite', {
      cookie,
      headers,
      body: { email: 'kim@clinic.example', name: 'Kim Park', roles: ['auditor'], ...over },
    });

  // Shows: S-17, S-18
  test('is invited at one address and by a name that can be seen, from the desk', async () => {
    for (const email of ['kim@x.example;lou@x.example', 'kim@x.example\nBcc: lou@x.example'])
      expect((await invite({ email })).refusal().errors).toMatchObject([{ field: 'email' }]);
    for (const name of [' ', 'Kim\nPark', 'Kim\u202EkraP'])
      expect((await invite({ name })).refusal().errors).toMatchObject([{ field: 'name' }]);
    expect((await invite({ email: 'a@x,b@x' })).refusal().errors).toEqual([
      { field: 'email', message: 'Email is not valid' },
    ]);
    expect((await invite({ name: '\u200B' }, FRENCH)).refusal().errors).toEqual([
      { field: 'name', message: '«\u00A0Nom\u00A0» est obligatoire' },
    ]);
    expect(await mails()).toEqual([]);
  });

  // Shows: S-17
  test('is invited so by the operator, too', async () => {
    const run = (email: string, name: string) =>
      operate(clinic.platform, 'staff', 'invite', email, '--name', name, '--roles', 'manager');
    expect((await run('a@x,b@x', 'Kim')).refused).toBe('Email is not valid');
    expect((await run('kim@x.example', '\u200B')).refused).toMatch(/^Give a name/);
    expect((await run('kim@x.example', 'Kim\nPark')).refused).not.toBe('');
    expect(await mails()).toEqual([]);
  });

  test('with an address in letters, from before, signs in as ever and is not invited anew', async () => {
    const robin = await aStaffMember(clinic, 'auditor', { email: LETTERS });
    for (const email of [LETTERS, ASCII]) {
      clinic.clock.advance(30);
      const code = codeAt(clinic.clock.now());
      const signedIn = await askDesk(clinic, 'deskSignIn', {
        body: { email, password: STAFF_PASSWORD, code, recaptcha: aProof() },
      });
      expect(signedIn.statusCode).toBe(200);
    }
    expect((await invite({ email: ASCII })).code()).toBe('staffExists');
    const rows = await clinic.database.db.select().from(staff);
    expect(rows.filter(({ roles }) => roles.includes('auditor'))).toMatchObject([{ id: robin.id }]);
  });
});

test('The address of a patient is corrected to one in ASCII, and their own is no other', async () => {
  const jo = await aPatient(clinic.platform, { email: LETTERS });
  const cookie = await deskSession(clinic, await aStaffMember(clinic, 'receptionist'));
  const correct = (email: string) =>
    askDesk(clinic, 'deskCorrectEmail', {
      cookie,
      params: { id: jo.id },
      body: { checked: 'photoIdSeen', email },
    });
  expect((await correct(ASCII)).refusal().errors?.[0]?.message).toBe(
    'This is the address of the account already.',
  );
  (await correct('Jo@Straße.example')).answer();
  expect(await mails()).toContainEqual(expect.objectContaining({ to: 'jo@xn--strae-oqa.example' }));
  expect(await clinic.database.db.select().from(patient)).toHaveLength(1);
});
