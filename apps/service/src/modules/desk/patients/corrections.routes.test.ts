import { currentAgreement } from '@clinic/contract/agreements';
import { fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { validBcNumber } from '@clinic/practice/accounts.ts';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { askDesk, deskClinic } from '../../../../testing/desk.ts';
import {
  type PatientRow,
  type TestApp,
  PASSWORD,
  aPatient,
  ask,
  signIn,
} from '../../../../testing/index.ts';
import { patient, patientRecord } from '../../../schema.ts';
import { LINK_VALID_FOR } from '../../accounts/sign-up/account-link.ts';
import { workOnAddresses } from '../../accounts/index.ts';

const CARD = '9876543218';
const CALLED = { lookReason: 'patientCalled' } as const;
const NEW_CARD = validBcNumber(77_000);
const BORN = { birthYear: 1984, birthMonth: 5, birthDay: 17 };
const NEW_EMAIL = 'casey.new@test.example';
let clinic: TestApp;
let casey: PatientRow;
let cookie: string;

beforeEach(async () => {
  const patient = { cardNumber: CARD };
  ({ clinic, casey, cookie } = await deskClinic('receptionist', { patient }));
});
afterEach(() => clinic.close());

const record = async (id: string) =>
  (await askDesk(clinic, 'deskOpenPatient', { cookie, params: { id }, body: CALLED })).answer()
    .extras;
const trail = async (action: string) =>
  (await clinic.trail(action)).map(({ subject, details }) => ({ subject, details }));
/** The token of the link that was mailed last. */
const mailedToken = async () => {
  const texts = (await clinic.mails()).map(
    ({ text }) => /\/confirm\/account#([\w-]+)/.exec(text)?.[1],
  );
  return texts.filter((each) => each !== undefined).at(-1) ?? '';
};
const accept = (body: object) => ask(clinic, 'acceptAccountLink', { body });
const read = (token: string) => ask(clinic, 'readAccountLink', { body: { token } });
async function withEmr() {
  clinic = await clinic.again({ emr: fakeEmr() });
}

const details = async (over: object = {}, id: string = casey.id) =>
  askDesk(clinic, 'deskCorrectPatient', {
    cookie,
    params: { id },
    body: {
      checked: 'photoIdSeen',
      seen: (await record(id)).version,
      firstName: 'Casey',
      lastName: 'Morgan',
      birthDate: '1984-05-17',
      ...over,
    },
  });

describe('Putting right who a patient is (S-18)', () => {
  // Shows: S-18
  test('changes account and record, is on the trail without what it says, and is mailed', async () => {
    const card = { province: 'BC', number: NEW_CARD };
    (await details({ lastName: 'Morgan-Hale', birthDate: '1984-05-18', card })).answer();
    expect(await record(casey.id)).toMatchObject({
      lastName: 'Morgan-Hale',
      birthDate: '1984-05-18',
    });
    const [kept] = await clinic.database.db
      .select()
      .from(patientRecord)
      .where(eq(patientRecord.id, casey.recordId));
    expect(kept).toMatchObject({ lastName: 'Morgan-Hale', birthDate: '1984-05-18' });
    const found = await askDesk(clinic, 'deskFindPatients', { cookie, body: { text: NEW_CARD } });
    expect(found.answer().extras.patients).toMatchObject([{ patientId: casey.id }]);
    const changed = ['lastName', 'birthDate', 'card'];
    expect(await trail('patient corrected')).toEqual([
      {
        subject: `patient:${casey.id}`,
        details: { record: casey.recordId, changed, checked: 'photoIdSeen' },
      },
    ]);
    const told = (await clinic.mails()).filter(({ subject }) => subject.includes('corrected'));
    expect(told).toMatchObject([{ to: casey.email }]);
    expect(told[0]?.text).not.toContain('Hale');
  });

  test('sent again changes nothing more', async () => {
    for (let again = 0; again < 2; again++) (await details({ firstName: 'Cass' })).answer();
    expect(await trail('patient corrected')).toHaveLength(1);
    expect(await clinic.mails()).toHaveLength(1);
  });

  test('two at one moment: the second is told, changes nothing, and may once it has seen it', async () => {
    const seen = (await record(casey.id)).version;
    (await details({ lastName: 'Morgan-Hale', seen })).answer();
    expect((await details({ lastName: 'Morgan-Lee', seen })).code()).toBe('changedMeanwhile');
    expect(await record(casey.id)).toMatchObject({ lastName: 'Morgan-Hale' });
    // Sent again after a lost answer, it has done what it was to do.
    (await details({ lastName: 'Morgan-Hale', seen })).answer();
    (await details({ lastName: 'Morgan-Lee' })).answer();
    expect(await trail('patient corrected')).toHaveLength(2);
  });

  test('of somebody without an account is refused in the same way, and a card changes the version', async () => {
    const body = { requestId: crypto.randomUUID(), firstName: 'Ash', lastName: 'Reed' };
    const born = { birthDate: '1990-01-01' };
    const added = await askDesk(clinic, 'deskAddPatient', { cookie, body: { ...body, ...born } });
    const id = added.answer().extras.recordId;
    const seen = (await record(id)).version;
    const own = { firstName: 'Ash', lastName: 'Reed', ...born };
    const card = { province: 'BC', number: NEW_CARD };
    (await details({ ...own, card, seen }, id)).answer();
    expect((await record(id)).version).not.toContain(NEW_CARD);
    expect((await details({ ...own, lastName: 'Rede', seen }, id)).code()).toBe('changedMeanwhile');
  });

  test.each([
    ['lastName', { lastName: '<b>' }],
    ['birthDate', { birthDate: '2031-01-01' }],
    ['card.number', { card: { province: 'BC', number: '9876543217' } }],
  ])('refuses a %s that no sign-up form takes', async (field, over) => {
    const refused = (await details(over)).refusal();
    expect(refused.errors).toMatchObject([{ field }]);
    expect(await trail('patient corrected')).toEqual([]);
  });

  // Shows: R-97
  test('takes no card of another patient’s, nor that of a record without an account', async () => {
    await aPatient(clinic, { cardNumber: NEW_CARD });
    const card = { province: 'BC', number: NEW_CARD };
    expect((await details({ card })).refusal().errors).toMatchObject([{ field: 'card.number' }]);
    (await details({ card: { province: 'BC', number: CARD } })).answer();
  });

  // Shows: S-18
  test('belongs into the EMR where the clinic has one', async () => {
    await withEmr();
    expect((await details({ firstName: 'Cass' })).code()).toBe('changedInEmr');
  });
});

describe('A new email that staff note (S-18)', () => {
  const correct = (email = NEW_EMAIL) =>
    askDesk(clinic, 'deskCorrectEmail', {
      cookie,
      params: { id: casey.id },
      body: { checked: 'calledBack', email },
    });
  /** The old mailbox says that it is right, so that the new address need not wait. */
  const confirmed = async () => {
    const texts = (await clinic.mails()).map(
      ({ text }) => /\/confirm\/change#([\w-]+)/.exec(text)?.[1],
    );
    const token = texts.filter((each) => each !== undefined).at(-1) ?? '';
    (await ask(clinic, 'answerAddressChange', { body: { token, answer: 'confirm' } })).answer();
  };
  const emailNow = async () => (await record(casey.id)).account?.email;

  // Shows: S-18
  test('counts once its link is opened with the birth date; the old one is told, sessions end', async () => {
    const token = await signIn(clinic, casey);
    (await correct('  Casey.New@Test.example ')).answer();
    expect(await emailNow()).toBe(casey.email);
    const told = (await clinic.mails()).map(({ to, subject }) => `${to}: ${subject}`);
    expect(told.toSorted()).toEqual([
      `${NEW_EMAIL}: Please confirm your new email address - Test Clinic`,
      `${casey.email}: Your email address is being changed - Test Clinic`,
    ]);
    expect((await clinic.mails()).every(({ text }) => !text.includes('Casey'))).toBe(true);
    const link = await mailedToken();
    expect((await read(link)).answer().extras).toEqual({
      kind: 'email',
      email: NEW_EMAIL,
      asksForCard: false,
    });
    const { link: mailed, addressChange } = await record(casey.id);
    expect(mailed).toMatchObject({ kind: 'email', email: NEW_EMAIL });
    expect(addressChange).toMatchObject({ email: NEW_EMAIL, askedBy: 'Robin Lee' });
    await confirmed();
    (await accept({ token: link, ...BORN })).answer();
    expect(await emailNow()).toBe(NEW_EMAIL);
    expect((await ask(clinic, 'getMe', { token })).statusCode).toBe(401);
    expect((await accept({ token: link, ...BORN })).refusal().extras.code).toBe('accountLinkOver');
    expect(await trail('email correction begun')).toMatchObject([
      { details: { checked: 'calledBack' } },
    ]);
  });

  // Shows: S-18
  test('is told to the old address also where the mail to it goes out after the new one counts', async () => {
    const { mail } = clinic;
    const send = mail.send.bind(mail);
    mail.send = async (email) => {
      if (email.to === casey.email) throw new Error('Try again later');
      await send(email);
    };
    (await correct()).answer();
    (await accept({ token: await mailedToken(), ...BORN })).answer();
    clinic.clock.advance(72 * 3_600);
    await workOnAddresses(clinic.platform, clinic.clock.now());
    mail.send = send;
    clinic.clock.advance(60);
    const told = (await clinic.mails()).map(({ to, subject }) => `${to}: ${subject}`);
    expect(told.toSorted()).toEqual([
      `${NEW_EMAIL}: Please confirm your new email address - Test Clinic`,
      `${casey.email}: Your email address is being changed - Test Clinic`,
      `${casey.email}: Your email address was changed - Test Clinic`,
    ]);
  });

  // Shows: R-97
  test('ends after five wrong birth dates, also with the right one', async () => {
    (await correct()).answer();
    const token = await mailedToken();
    const none = await accept({ token, birthYear: 0, birthMonth: 0, birthDay: 0 });
    expect(none.refusal().errors).toMatchObject([{ field: 'birthDate' }]);
    const tries = [];
    for (let each = 1; each <= 5; each++)
      tries.push((await accept({ token, ...BORN, birthDay: each })).refusal().extras.code);
    expect(tries).toEqual([
      'accountLinkRefused',
      'accountLinkRefused',
      'accountLinkRefused',
      'accountLinkRefused',
      'accountLinkOver',
    ]);
    expect((await accept({ token, ...BORN })).statusCode).toBe(409);
    expect(await emailNow()).toBe(casey.email);
  });

  test('asked for again because the answer was lost is one link, which goes on working', async () => {
    (await correct()).answer();
    const link = await mailedToken();
    clinic.clock.advance(60);
    (await correct()).answer();
    expect(await clinic.mails()).toHaveLength(2);
    expect((await read(link)).statusCode).toBe(200);
    clinic.clock.advance(60);
    (await correct()).answer();
    expect(await clinic.mails()).toHaveLength(4);
    expect((await read(link)).statusCode).toBe(409);
  });

  test('is over after 24 hours, and when another was noted', async () => {
    (await correct('first@test.example')).answer();
    const first = await mailedToken();
    (await correct()).answer();
    expect((await read(first)).statusCode).toBe(409);
    const second = await mailedToken();
    clinic.clock.advance(LINK_VALID_FOR);
    expect((await read(second)).statusCode).toBe(409);
  });

  test('is mailed once more on request, the same link to the same address, until it is used', async () => {
    (await correct()).answer();
    const token = await mailedToken();
    const before = (await clinic.mails()).length;
    const again = (email: string) =>
      ask(clinic, 'resendConfirmation', {
        body: { email, recaptcha: `ok:${crypto.randomUUID()}` },
      });
    const answers = [await again(NEW_EMAIL), await again('nobody@test.example')];
    expect(answers[1]?.body).toBe(answers[0]?.body);
    const added = (await clinic.mails()).slice(before);
    expect(added).toMatchObject([{ to: NEW_EMAIL }]);
    expect(await mailedToken()).toBe(token);
    (await accept({ token, ...BORN })).answer();
    await again(NEW_EMAIL);
    expect(await clinic.mails()).toHaveLength(before + 1);
  });

  test('is none that belongs to somebody, now or once the link is opened', async () => {
    const other = await aPatient(clinic);
    expect((await correct(other.email)).refusal().errors).toMatchObject([{ field: 'email' }]);
    expect((await correct(casey.email)).statusCode).toBe(422);
    expect((await correct('no address')).statusCode).toBe(422);
    (await correct()).answer();
    await clinic.database.inTransaction((tx) =>
      tx.update(patient).set({ email: NEW_EMAIL }).where(eq(patient.id, other.id)),
    );
    const token = await mailedToken();
    const opened = await accept({ token, ...BORN });
    expect(opened.refusal().extras.code).toBe('emailTaken');
    await clinic.database.inTransaction((tx) =>
      tx.update(patient).set({ email: other.email }).where(eq(patient.id, other.id)),
    );
    (await accept({ token, ...BORN })).answer();
    await confirmed();
    expect(await emailNow()).toBe(NEW_EMAIL);
  });
});

describe('Somebody new at the front desk (S-18, R-97)', () => {
  const OLA = { firstName: 'Ola', lastName: 'Berg', birthDate: '1951-03-02' };
  const OLAS = { birthYear: 1951, birthMonth: 3, birthDay: 2, card: NEW_CARD };
  const EMAIL = 'ola@test.example';
  const consent = { given: true, version: currentAgreement('signUp').version };
  const add = (over: object = {}, requestId: string = crypto.randomUUID()) =>
    askDesk(clinic, 'deskAddPatient', {
      cookie,
      body: { requestId, ...OLA, card: { province: 'BC', number: NEW_CARD }, ...over },
    });
  const invite = (id: string, email = EMAIL) =>
    askDesk(clinic, 'deskInvitePatient', { cookie, params: { id }, body: { email } });

  // Shows: R-97
  test('has a record, and takes it over by the link, birth date and card', async () => {
    const { recordId } = (await add()).answer().extras;
    expect(await record(recordId)).toMatchObject({ ...OLA, account: null });
    (await invite(recordId)).answer();
    const token = await mailedToken();
    expect((await clinic.mails()).at(-1)).toMatchObject({ to: EMAIL });
    expect((await clinic.mails()).at(-1)?.text).not.toMatch(/Ola|Berg/);
    expect((await read(token)).answer().extras).toMatchObject({
      kind: 'invitation',
      asksForCard: true,
    });
    const untouched = await accept({ token, ...OLAS, card: ' ', password: PASSWORD, consent });
    expect(untouched.refusal().errors).toMatchObject([{ field: 'card' }]);
    const wrong = await accept({ token, ...OLAS, card: CARD, password: PASSWORD, consent });
    expect(wrong.refusal().extras.code).toBe('accountLinkRefused');
    const without = await accept({ token, ...OLAS, password: PASSWORD });
    expect(without.refusal().errors).toMatchObject([{ field: 'consent' }]);
    (await accept({ token, ...OLAS, password: PASSWORD, consent })).answer();
    const opened = await record(recordId);
    expect(opened).toMatchObject({ ...OLA, account: { email: EMAIL, eligibility: 'E' } });
    expect(opened.consents).toMatchObject([{ kind: 'signUp' }]);
    const own = await signIn(clinic, { id: opened.account?.id ?? '' });
    const me = (await ask(clinic, 'getMe', { token: own })).answer();
    expect(me).toMatchObject({ demographicNo: recordId, shouldUpdate: true });
    expect((await invite(recordId, 'again@test.example')).code()).toBe('hasAccount');
  });

  // Shows: R-97
  test('may be somebody whose account was closed, under the same address', async () => {
    await clinic.database.inTransaction((tx) =>
      tx.update(patient).set({ closedAt: clinic.clock.now() }).where(eq(patient.id, casey.id)),
    );
    (await invite(casey.recordId, casey.email)).answer();
    const token = await mailedToken();
    (await accept({ token, ...BORN, card: CARD, password: PASSWORD, consent })).answer();
    const { account } = await record(casey.recordId);
    expect(account).toMatchObject({ email: casey.email, closedAt: null });
    expect(account?.id).not.toBe(casey.id);
    const { recordId } = (await add()).answer().extras;
    expect((await invite(recordId, casey.email)).refusal().errors).toMatchObject([
      { field: 'email' },
    ]);
  });

  test('is one record for one request, however often it is sent', async () => {
    const requestId = crypto.randomUUID();
    const first = (await add({}, requestId)).answer().extras;
    expect((await add({}, requestId)).answer().extras).toEqual(first);
    expect((await add({ firstName: 'Olga' }, requestId)).code()).toBe('recordOpened');
    expect(await trail('record opened by the clinic')).toHaveLength(1);
  });

  test('is not somebody whose card the clinic knows', async () => {
    const card = { province: 'BC', number: CARD };
    expect((await add({ card })).refusal().errors).toMatchObject([{ field: 'card.number' }]);
    (await add()).answer();
    expect((await add()).statusCode).toBe(422);
  });

  test('with a password that anybody would try is asked for another, and loses no try', async () => {
    const { recordId } = (await add()).answer().extras;
    (await invite(recordId)).answer();
    const token = await mailedToken();
    for (let again = 0; again < 6; again++) {
      const refused = await accept({ token, ...OLAS, password: 'password1', consent });
      expect(refused.refusal().errors).toMatchObject([{ field: 'password' }]);
    }
    (await accept({ token, ...OLAS, password: PASSWORD, consent })).answer();
  });

  test('is opened in the EMR where the clinic has one', async () => {
    await withEmr();
    expect((await add()).code()).toBe('addInEmr');
  });
});
