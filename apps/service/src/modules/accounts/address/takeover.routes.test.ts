import { currentAgreement } from '@clinic/contract/agreements';
import { maskedCard } from '@clinic/domain';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type SomeStaff,
  aStaffMember,
  askDesk,
  deskClinic,
  deskSession,
} from '../../../../testing/desk.ts';
import { type PatientRow, type TestApp, ask, signIn } from '../../../../testing/index.ts';
import { audit, oneTimeCode, patient } from '../../../schema.ts';
import { issueCode } from '../../../security/one-time-codes.store.ts';
import { workOnAddresses } from '../index.ts';
import { RECENT_FACTOR } from '../../staff/authorize-staff.ts';

const HOUR = 3_600;
const CARD = '9876543218';
const BORN = { birthYear: 1984, birthMonth: 5, birthDay: 17 };
const HERS = 'robin.own@test.example';
const CALLED = { lookReason: 'patientCalled' } as const;
let clinic: TestApp;
let casey: PatientRow;
let cookie: string;
let manager: string;
let robin: SomeStaff;
let managing: SomeStaff;

beforeEach(async () => {
  const options = { patient: { cardNumber: CARD } };
  ({ clinic, casey, robin, cookie } = await deskClinic('receptionist', options));
  managing = await aStaffMember(clinic, 'manager');
  manager = await deskSession(clinic, managing);
});
afterEach(() => clinic.close());

const toOld = async () => (await clinic.mails()).filter(({ to }) => to === casey.email);
const last = async (pattern: RegExp) =>
  (await clinic.mails()).flatMap(({ text }) => pattern.exec(text)?.[1] ?? []).at(-1) ?? '';
const opened = () => last(/\/confirm\/account#([\w-]+)/);
const old = () => last(/\/confirm\/change#([\w-]+)/);
async function pass(seconds: number) {
  await clinic.mails();
  clinic.clock.advance(seconds);
  await workOnAddresses(clinic.platform, clinic.clock.now());
  // Sessions of the front desk have ended meanwhile.
  cookie = await deskSession(clinic, robin);
  manager = await deskSession(clinic, managing);
}
const correct = (over: object = {}, by = cookie) =>
  askDesk(clinic, 'deskCorrectEmail', {
    cookie: by,
    params: { id: casey.id },
    body: { checked: 'photoIdSeen', email: HERS, ...over },
  });
const accept = async () =>
  ask(clinic, 'acceptAccountLink', { body: { token: await opened(), ...BORN } });
const answer = (token: string, said: 'confirm' | 'stop') =>
  ask(clinic, 'answerAddressChange', { body: { token, answer: said } });
const decide = (counts: 'new' | 'present', by = manager) =>
  askDesk(clinic, 'deskDecideAddress', {
    cookie: by,
    params: { id: casey.id },
    body: { checked: 'photoIdSeen', counts },
  });
const account = async () => {
  const [row] = await clinic.database.db.select().from(patient).where(eq(patient.id, casey.id));
  if (row === undefined) throw new Error('No account');
  return row;
};
const identify = (email: string) =>
  ask(clinic, 'validateRecovery', {
    body: { email, ...BORN, recaptcha: `ok:${crypto.randomUUID()}` },
  });
async function reset(email: string, password = 'A-quite-new-2026') {
  await identify(email);
  await ask(clinic, 'sendResetCode', { body: { email } });
  const code = await last(/\n([A-Z2-9]{8})\n/);
  return ask(clinic, 'resetPassword', { body: { email, code, password } });
}
/** The address is hers, and three days have passed. */
async function taken() {
  (await correct()).answer();
  (await accept()).answer();
  await pass(72 * HOUR);
  expect((await account()).email).toBe(HERS);
}
const page = async () =>
  (
    await askDesk(clinic, 'deskOpenPatient', {
      cookie,
      params: { id: casey.id },
      body: CALLED,
    })
  ).answer().extras;

describe('Twelve ways of taking an account over within 72 hours', () => {
  // Shows: S-18, R-97
  test('1: her own address, link and birth date: nothing changes for 72 hours, and the old mailbox is told', async () => {
    (await correct()).answer();
    const { extras } = (await accept()).answer();
    expect(extras).toEqual({ countsFrom: clinic.clock.now() + 72 * HOUR });
    await pass(24 * HOUR);
    await pass(48 * HOUR - 1);
    expect((await account()).email).toBe(casey.email);
    expect((await identify(HERS)).statusCode).not.toBe(200);
    await pass(1);
    expect((await account()).email).toBe(HERS);
    const told = await toOld();
    expect(told.map(({ subject }) => subject)).toEqual([
      'Your email address is being changed - Test Clinic',
      'Your email address is being changed - Test Clinic',
      'Your email address was changed - Test Clinic',
    ]);
    for (const { text, subject } of told) {
      expect(text).toMatch(/\/confirm\/change#/);
      expect(text + subject).not.toMatch(/Casey|Morgan|robin/);
    }
  });

  test('2: corrected twice: the 72 hours begin anew', async () => {
    (await correct()).answer();
    (await accept()).answer();
    await pass(71 * HOUR);
    (await correct({ email: 'second@test.example' })).answer();
    (await accept()).answer();
    await pass(71 * HOUR);
    expect((await account()).email).toBe(casey.email);
    expect(await toOld()).toHaveLength(4);
  });

  test('3: a code to the old mailbox that she says is not theirs: none is mailed, none counts, and it is told', async () => {
    await identify(casey.email);
    await ask(clinic, 'sendResetCode', { body: { email: casey.email } });
    const code = await last(/\n([A-Z2-9]{8})\n/);
    (await correct({ isMailboxLost: true })).answer();
    const body = { email: casey.email, code, password: 'A-quite-new-2026' };
    expect((await ask(clinic, 'resetPassword', { body })).statusCode).toBe(422);
    expect((await identify(casey.email)).refusal().extras.code).toBe('recoveryOff');
    expect((await toOld()).at(-1)?.subject).toContain('is being changed');
    const waiting = await askDesk(clinic, 'deskPatientsWaiting', { cookie, body: {} });
    expect(waiting.answer().extras.toCall).toMatchObject([{ patientId: casey.id }]);
    // Nor does it once codes are mailed there again.
    (await decide('present')).answer();
    expect((await ask(clinic, 'resetPassword', { body })).statusCode).toBe(422);
  });

  test('3, at the same moment: a code that was on its way to that mailbox is not made, and none counts', async () => {
    await identify(casey.email);
    await ask(clinic, 'sendResetCode', { body: { email: casey.email } });
    (await correct({ isMailboxLost: true })).answer();
    await clinic.mails();
    const { db } = clinic.database;
    const resets = eq(oneTimeCode.purpose, 'reset');
    expect(await db.select().from(oneTimeCode).where(resets)).toEqual([]);
    const code = 'ABCDEFGH';
    const made = { id: crypto.randomUUID(), patientId: casey.id, now: clinic.clock.now() };
    const secret = `${casey.id}:${code}`;
    await clinic.database.inTransaction((tx) =>
      issueCode(tx, clinic.keyring, { ...made, purpose: 'reset', secret, validFor: HOUR }),
    );
    const body = { email: casey.email, code, password: 'A-quite-new-2026' };
    expect((await ask(clinic, 'resetPassword', { body })).statusCode).toBe(422);
  });

  test('4: letters meanwhile go to the old mailbox, and to neither where it is not theirs', async () => {
    const detail = async (lastName: string) => {
      const { version: seen } = await page();
      const params = { id: casey.id };
      const body = { checked: 'photoIdSeen', seen, firstName: 'Casey', lastName };
      const sent = { ...body, birthDate: '1984-05-17' } as const;
      const options = { cookie, params, body: { ...sent, checked: 'photoIdSeen' as const } };
      (await askDesk(clinic, 'deskCorrectPatient', options)).answer();
      return (await clinic.mails()).filter(({ subject }) => subject.includes('were corrected'));
    };
    (await correct()).answer();
    expect(await detail('Hale')).toMatchObject([{ to: casey.email }]);
    clinic.clock.advance(121);
    (await correct({ isMailboxLost: true })).answer();
    expect(await detail('Morgan')).toHaveLength(1);
  });

  test('5: she confirms it herself as a manager would: refused', async () => {
    (await correct()).answer();
    (await accept()).answer();
    expect((await decide('new', cookie)).statusCode).toBe(403);
    expect((await account()).email).toBe(casey.email);
    (await decide('new')).answer();
    expect((await account()).email).toBe(HERS);
  });

  test('6: the birth date corrected first, then the link: it waits as well', async () => {
    const { version: seen } = await page();
    const body = { checked: 'photoIdSeen' as const, seen, firstName: 'Casey', lastName: 'Morgan' };
    const params = { id: casey.id };
    const born = { birthDate: '1990-01-01' };
    const done = await askDesk(clinic, 'deskCorrectPatient', {
      cookie,
      params,
      body: { ...body, ...born },
    });
    done.answer();
    (await correct()).answer();
    const link = { token: await opened(), birthYear: 1990, birthMonth: 1, birthDay: 1 };
    (await ask(clinic, 'acceptAccountLink', { body: link })).answer();
    await pass(71 * HOUR);
    expect((await account()).email).toBe(casey.email);
    expect((await toOld()).length).toBeGreaterThan(1);
  });

  test('7: stopped from the old mailbox: nothing comes of it, and only a manager goes on', async () => {
    (await correct()).answer();
    (await accept()).answer();
    const stop = await old();
    (await answer(stop, 'stop')).answer();
    (await answer(stop, 'stop')).answer();
    await pass(80 * HOUR);
    expect((await account()).email).toBe(casey.email);
    expect((await correct({ email: 'x@test.example' })).code()).toBe('addressFrozen');
    expect((await page()).addressChange).toMatchObject({ isStopped: true, isDone: false });
    (await decide('present')).answer();
    expect((await page()).addressChange).toBeNull();
    expect((await account()).email).toBe(casey.email);
  });

  test('8: after it has taken effect a reset shows no card, no export, and changes nothing', async () => {
    await taken();
    (await reset(HERS)).answer();
    const token = await signIn(clinic, { id: casey.id });
    const me = (await ask(clinic, 'getMe', { token })).answer();
    expect(me.careCard.number).toBe(maskedCard(CARD));
    expect(me.careCard.number).toBe('*******218');
    expect(me.watched).toEqual({ until: clinic.clock.now() + 72 * HOUR });
    expect((await ask(clinic, 'exportData', { token })).refusal().extras.code).toBe(
      'accountWatched',
    );
    const changed = await ask(clinic, 'changePassword', {
      token,
      body: { currentPassword: 'A-quite-new-2026', newPassword: 'Other-2026-Kettle' },
    });
    expect(changed.refusal().extras.code).toBe('accountWatched');
    const form = { address: '9 New Street', city: 'Burnaby', province: 'BC', postal: 'V5K 0A1' };
    const phones = { phone: '', mobile: '604-555-0199', internationalPhone: '' };
    const body = { ...form, ...phones, sex: 'Other', country: 'Canada' };
    const moved = await ask(clinic, 'updateMe', { token, body });
    expect(moved.refusal().extras.code).toBe('accountWatched');
    const headers = { id: casey.recordId, province: 'BC', year: 1984, month: 5, day: 17 };
    const found = await ask(clinic, 'findDemographics', {
      token,
      headers: { ...headers, hin: me.careCard.number } as never,
    });
    expect(found.statusCode).toBe(200);
    await pass(72 * HOUR);
    const later = await signIn(clinic, { id: casey.id });
    const free = (await ask(clinic, 'getMe', { token: later })).answer();
    expect(free).toMatchObject({ careCard: { number: CARD }, watched: null });
    expect((await ask(clinic, 'exportData', { token: later })).statusCode).toBe(200);
  });

  test('9: a password reset by a code alone is watched as well', async () => {
    (await reset(casey.email)).answer();
    const token = await signIn(clinic, { id: casey.id });
    expect((await ask(clinic, 'exportData', { token })).refusal().extras.code).toBe(
      'accountWatched',
    );
    expect((await correct()).code()).toBe('managerDecides');
    expect((await toOld()).at(-1)?.subject).toContain('password was changed');
  });

  test('10: the next address right after the first: refused, but for a manager who saw a photo ID', async () => {
    await taken();
    expect((await correct({ email: 'third@test.example' })).code()).toBe('managerDecides');
    const called = await correct({ email: 'third@test.example', checked: 'calledBack' }, manager);
    expect(called.code()).toBe('managerDecides');
    (await correct({ email: 'third@test.example' }, manager)).answer();
    (await accept()).answer();
    expect((await account()).email).toBe('third@test.example');
  });

  test('11: stopped within 7 days after: sessions end, no code, no letter, and nothing goes back by itself', async () => {
    await taken();
    await pass(6 * 24 * HOUR);
    const token = await signIn(clinic, { id: casey.id });
    await identify(HERS);
    await ask(clinic, 'sendResetCode', { body: { email: HERS } });
    const body = {
      email: HERS,
      code: await last(/\n([A-Z2-9]{8})\n/),
      password: 'A-quite-new-2026',
    };
    expect(body.code).not.toBe('');
    (await answer(await old(), 'stop')).answer();
    expect((await ask(clinic, 'getMe', { token })).statusCode).toBe(401);
    expect((await identify(HERS)).refusal().extras.code).toBe('recoveryOff');
    expect((await account()).email).toBe(HERS);
    const again = await signIn(clinic, { id: casey.id });
    const me = (await ask(clinic, 'getMe', { token: again })).answer();
    expect(me.watched).toEqual({ until: null });
    expect((await ask(clinic, 'exportData', { token: again })).refusal().extras.code).toBe(
      'accountWatched',
    );
    (await decide('present')).answer();
    expect((await ask(clinic, 'resetPassword', { body })).statusCode).toBe(422);
    expect((await identify(HERS)).statusCode).toBe(200);
  });

  test('12: closing the account to invite herself, or merging it with a record of hers: refused', async () => {
    (await correct()).answer();
    const params = { id: casey.id };
    expect(
      (await askDesk(clinic, 'deskCloseAccount', { cookie, params, body: {} })).statusCode,
    ).toBe(403);
    const invited = await askDesk(clinic, 'deskInvitePatient', {
      cookie,
      params: { id: casey.recordId },
      body: { email: HERS },
    });
    expect(invited.code()).toBe('hasAccount');
    const joined = await joining(await aRecord());
    expect(await joined()).toEqual(['addressUnsettled', 'addressUnsettled']);
    (await accept()).answer();
    await pass(71 * HOUR);
    expect((await account()).email).toBe(casey.email);
    expect(await joined()).toEqual(['addressUnsettled', 'addressUnsettled']);
  });
});

async function aRecord() {
  const other = { requestId: crypto.randomUUID(), firstName: 'Ro', lastName: 'Bin' };
  const body = { ...other, birthDate: '1990-01-01' };
  return (await askDesk(clinic, 'deskAddPatient', { cookie, body })).answer().extras.recordId;
}
/** What a manager is told who would join a record with the account, before and when it is done. */
const joining = async (id: string) => async () => {
  const asked = () => ({ cookie: manager, params: { id }, body: { other: casey.recordId } });
  const foreseen = await askDesk(clinic, 'deskForeseeMerge', asked());
  const merged = await askDesk(clinic, 'deskMergePatients', asked());
  return [foreseen, merged].map((each) => (each.statusCode === 200 ? null : each.code()));
};

describe('While it is not sure whose an account is', () => {
  // Shows: S-18, R-97
  test('no record is joined with it: not before it is stopped, after, or within 72 hours', async () => {
    const joined = await joining(await aRecord());
    await taken();
    expect(await joined()).toEqual(['addressUnsettled', 'addressUnsettled']);
    (await answer(await old(), 'stop')).answer();
    expect(await joined()).toEqual(['addressFrozen', 'addressFrozen']);
    await pass(72 * HOUR);
    (await decide('present')).answer();
    expect(await joined()).toEqual([null, null]);
  });

  test('what its link asks for is corrected by a manager who saw a photo ID; a name by anybody', async () => {
    const detail = async (over: object, by: string) => {
      const { version: seen } = await page();
      const body = {
        checked: 'photoIdSeen' as const,
        seen,
        firstName: 'Casey',
        lastName: 'Morgan',
      };
      const sent = { ...body, birthDate: '1984-05-17', ...over };
      const params = { id: casey.id };
      return askDesk(clinic, 'deskCorrectPatient', { cookie: by, params, body: sent });
    };
    (await correct()).answer();
    const born = { birthDate: '1990-01-01' };
    const card = { card: { province: 'BC', number: '9698658215' } };
    expect((await detail(born, cookie)).code()).toBe('managerDecides');
    expect((await detail(card, cookie)).code()).toBe('managerDecides');
    expect((await detail({ ...born, checked: 'calledBack' }, manager)).code()).toBe(
      'managerDecides',
    );
    expect((await detail({ lastName: 'Hale' }, cookie)).statusCode).toBe(200);
    expect((await detail(born, manager)).statusCode).toBe(200);
  });

  test('closing it opens no other for its record but at its own mailbox, for 72 hours', async () => {
    const params = { id: casey.recordId };
    const invite = (email: string) =>
      askDesk(clinic, 'deskInvitePatient', { cookie, params, body: { email } });
    const close = { cookie: manager, params: { id: casey.id }, body: {} };
    (await correct()).answer();
    (await askDesk(clinic, 'deskCloseAccount', close)).answer();
    await pass(60);
    const refused = (await invite(HERS)).refusal();
    expect(refused.extras.code).toBe('addressUnsettled');
    expect(refused.extras.message).toContain('nor opened in its place, until ');
    expect((await invite(casey.email)).statusCode).toBe(200);
    await pass(72 * HOUR);
    expect((await invite(HERS)).statusCode).toBe(200);
  });

  test('an invitation of before opens nothing after its account was closed', async () => {
    const record = await aRecord();
    const body = { email: HERS };
    const params = { id: record };
    (await askDesk(clinic, 'deskInvitePatient', { cookie, params, body })).answer();
    const token = await opened();
    const id = crypto.randomUUID();
    await clinic.database.inTransaction((tx) =>
      tx.insert(patient).values({
        ...casey,
        id,
        recordId: record,
        birthDate: '1990-01-01',
        email: 'ro@test.example',
        passwordHash: '',
        cardSealed: null,
        closedAt: clinic.clock.now(),
      }),
    );
    const consent = { given: true, version: currentAgreement('signUp').version };
    const born = { birthYear: 1990, birthMonth: 1, birthDay: 1 };
    const accepting = { token, ...born, password: 'A-quite-new-2026', consent };
    const accepted = await ask(clinic, 'acceptAccountLink', { body: accepting });
    expect(accepted.refusal().extras.code).toBe('accountLinkOver');
  });

  test('a decision needs a recent factor, as exports do, and one that needs none is not asked for it', async () => {
    (await correct()).answer();
    await clinic.mails();
    clinic.clock.advance(RECENT_FACTOR);
    expect((await decide('new')).code()).toBe('factorNeeded');
    const again = { email: 'third@test.example' };
    expect((await correct(again, manager)).code()).toBe('factorNeeded');
    const { version: seen } = await page();
    const names = { seen, firstName: 'Casey', lastName: 'Hale', birthDate: '1984-05-17' };
    const detail = (over: object) =>
      askDesk(clinic, 'deskCorrectPatient', {
        cookie: manager,
        params: { id: casey.id },
        body: { checked: 'photoIdSeen', ...names, ...over },
      });
    expect((await detail({ birthDate: '1990-01-01' })).code()).toBe('factorNeeded');
    expect((await detail({})).statusCode).toBe(200);
    expect((await correct({ ...again, checked: 'calledBack' }, manager)).statusCode).toBe(200);
    expect((await account()).email).toBe(casey.email);
  });
});

test('A new address counts at once when the old mailbox confirms it, and its link is opened', async () => {
  (await correct()).answer();
  (await answer(await old(), 'confirm')).answer();
  expect((await account()).email).toBe(casey.email);
  (await accept()).answer();
  expect((await account()).email).toBe(HERS);
  const rows = await clinic.database.db.select().from(audit).where(eq(audit.actor, 'mailbox'));
  expect(rows.map(({ action }) => action)).toEqual(['email change confirmed']);
});

test('A mailbox that is not theirs confirms nothing, and may stop', async () => {
  (await correct({ isMailboxLost: true })).answer();
  const token = await old();
  expect((await answer(token, 'confirm')).refusal().extras.code).toBe('addressAnswered');
  (await answer(token, 'stop')).answer();
  expect((await identify(casey.email)).refusal().extras.code).toBe('recoveryOff');
});

test('A link that nobody opens in a day changes nothing, and the old mailbox is told', async () => {
  (await correct()).answer();
  await pass(24 * HOUR);
  expect((await toOld()).at(-1)?.subject).toContain('is not changed');
  expect((await page()).addressChange).toBeNull();
});
