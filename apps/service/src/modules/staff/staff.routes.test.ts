import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { operate } from '../../../testing/operator.ts';
import {
  STAFF_PASSWORD,
  type SomeStaff,
  aStaffMember,
  askDesk,
  codeAt,
  deskSession,
} from '../../../testing/desk.ts';
import { aProof, type TestApp, aClinic, testApp } from '../../../testing/index.ts';
import { newKey, newKeyMaterial } from '../../security/keyring-file.ts';
import { createKeyring } from '../../security/keyring.ts';
import { RECENT_FACTOR } from './authorize-staff.ts';
import { codeShown } from './second-factor.ts';
import { AGAIN_SECONDS, INVITATION_VALID_FOR } from './members.ts';
import { LOCK_AFTER, SESSION_LIMIT } from './sessions.store.ts';
import { staffByEmail } from './store.ts';

let clinic: TestApp;
let robin: SomeStaff;
beforeEach(async () => {
  clinic = await testApp();
  await aClinic(clinic);
  robin = await aStaffMember(clinic, 'receptionist');
});
afterEach(() => clinic.close());

const now = () => clinic.clock.now();
const signIn = (over: object = {}, { cookie }: { cookie?: string | undefined } = {}) =>
  askDesk(clinic, 'deskSignIn', {
    cookie,
    body: {
      email: robin.email,
      password: STAFF_PASSWORD,
      code: codeAt(now()),
      recaptcha: aProof(),
      ...over,
    },
  });
/** What a sign-in gave the browser: of the session, and of the computer. */
const cookiesOf = ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }) =>
  [headers['set-cookie']].flat().map(String);
const session = (cookie: string, headers = {}) =>
  askDesk(clinic, 'deskSession', { cookie, headers });
const unlock = (cookie: string, secret: string) =>
  askDesk(clinic, 'deskUnlock', { cookie, body: { secret } });
const actions = async () => (await clinic.trail()).map(({ action }) => action);

describe('Signing in to the front desk (S-18)', () => {
  // Shows: S-18
  test('takes password and code together, and sets a cookie that scripts cannot read', async () => {
    const response = await signIn();
    expect(response.answer().extras).toMatchObject({ name: 'Robin Lee', isLocked: false });
    expect(cookiesOf(response)[0]).toMatch(
      /^desk=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(await actions()).toEqual(['signed in']);
  });

  test('names the cookie so over https that only this host can set it', async () => {
    await clinic.close();
    clinic = await testApp({ config: { publicUrl: 'https://book.clinic.example' } });
    robin = await aStaffMember(clinic, 'receptionist');
    const response = await askDesk(clinic, 'deskSignIn', {
      headers: { origin: 'https://book.clinic.example' },
      body: {
        email: robin.email,
        password: STAFF_PASSWORD,
        code: codeAt(now()),
        recaptcha: aProof(),
      },
    });
    const [session, computer] = cookiesOf(response);
    expect(session).toMatch(
      /^__Host-desk=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect(computer).toMatch(
      /^__Host-device=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
  });

  test('says the same of an unknown address, a wrong password and a wrong code', async () => {
    const closed = await aStaffMember(clinic, 'manager', { closedAt: now() });
    const invited = await aStaffMember(clinic, 'manager', { passwordHash: null, totpSealed: null });
    const bodies = [];
    for (const over of [
      { email: 'nobody@clinic.example' },
      { password: 'Kettle-and-Fern-2025' },
      { code: codeAt(now() - 3600) },
      { code: codeAt(now()).slice(1) },
      { email: closed.email },
      { email: invited.email },
    ]) {
      const response = await signIn(over);
      expect(response.statusCode).toBe(401);
      bodies.push(response.body);
    }
    expect(new Set(bodies).size).toBe(1);
    const [refused, behind] = ['staff sign-in refused', 'wrong code behind the right password'];
    expect(await actions()).toEqual([refused, refused, behind, behind, refused, refused]);
  });

  // Shows: S-18
  test('takes a code once, and none of before it', async () => {
    const earlier = codeAt(now());
    clinic.clock.advance(30);
    expect((await signIn()).statusCode).toBe(200);
    expect((await signIn()).statusCode).toBe(401);
    expect((await signIn({ code: earlier })).statusCode).toBe(401);
    clinic.clock.advance(30);
    expect((await signIn()).statusCode).toBe(200);
  });

  test('takes the same code once from two who send it together', async () => {
    const both = await Promise.all([signIn(), signIn()]);
    expect(both.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });

  test('does not use a code up with a wrong password', async () => {
    expect((await signIn({ password: 'wrong' })).statusCode).toBe(401);
    expect((await signIn()).statusCode).toBe(200);
  });

  // Shows: S-18
  test('makes who failed five times wait, longer each time', async () => {
    for (let tries = 0; tries < 5; tries++)
      expect((await signIn({ password: 'wrong' })).statusCode).toBe(401);
    const waits = [];
    for (let more = 0; more < 3; more++) {
      const response = await signIn();
      expect(response.statusCode).toBe(429);
      const wait = Number(response.headers['retry-after']);
      waits.push(wait);
      clinic.clock.advance(wait);
      if (more < 2) expect((await signIn({ password: 'wrong' })).statusCode).toBe(401);
    }
    expect(waits).toEqual([2, 4, 8]);
    expect((await signIn()).statusCode).toBe(200);
  });

  // Shows: S-18
  test('lets nobody wait at their own computer for guesses of strangers', async () => {
    const cookie = cookiesOf(await signIn())[1]?.split(';')[0] ?? '';
    clinic.clock.advance(30);
    for (let tries = 0; tries < 5; tries++) await signIn({ password: 'wrong' });
    expect((await signIn()).statusCode).toBe(429);
    const forged = cookie.replace(/=.{8}/, '=AAAAAAAA');
    expect((await signIn({}, { cookie: forged })).statusCode).toBe(429);
    expect((await signIn({}, { cookie })).statusCode).toBe(200);
  });

  // Shows: S-18
  test('knows a computer for 90 days from its last sign-in, whatever its browser keeps', async () => {
    const computerOf = async (cookie?: string) =>
      cookiesOf(await signIn({}, { cookie }))[1]?.split(';')[0] ?? '';
    const isKnown = async (cookie: string) => {
      for (let tries = 0; tries < 5; tries++) await signIn({ password: 'wrong' });
      return (await signIn({}, { cookie })).statusCode === 200;
    };
    const NINETY_DAYS = 90 * 24 * 60 * 60;
    const own = await computerOf();
    clinic.clock.advance(NINETY_DAYS - 1);
    expect(await computerOf(own)).toBe(own);
    clinic.clock.advance(NINETY_DAYS - 1);
    expect(await isKnown(own)).toBe(true);
    clinic.clock.advance(NINETY_DAYS);
    expect(await isKnown(own)).toBe(false);
  });

  // Shows: S-5, S-6
  test('asks for work at a computer where this person is not known, before anything is judged', async () => {
    const bare = { recaptcha: undefined };
    const own = cookiesOf(await signIn())[1]?.split(';')[0] ?? '';
    const colleague = await aStaffMember(clinic, 'manager');
    for (const { email, cookie } of [
      { email: robin.email },
      { email: 'nobody@clinic.example' },
      { email: colleague.email, cookie: own },
    ]) {
      clinic.clock.advance(30);
      const refused = await signIn({ ...bare, email }, { cookie });
      expect([refused.statusCode, refused.code()]).toEqual([422, 'captchaNeeded']);
      expect((await signIn({ email, recaptcha: 'no' }, { cookie })).code()).toBe('captchaFailed');
    }
    const actionsBefore = await actions();
    expect((await signIn(bare, { cookie: own })).statusCode).toBe(200);
    clinic.captcha.down = true;
    clinic.clock.advance(30);
    expect((await signIn(bare, { cookie: own })).statusCode).toBe(200);
    expect((await signIn()).code()).toBe('captchaUnavailable');
    expect(actionsBefore).toEqual(['signed in']);
  });

  test('forgets the computers of who is reset or closed', async () => {
    const own = cookiesOf(await signIn())[1]?.split(';')[0] ?? '';
    await operate(clinic.platform, 'staff', 'reset-factor', robin.email);
    clinic.clock.advance(30);
    expect((await signIn({ recaptcha: undefined }, { cookie: own })).code()).toBe('captchaNeeded');
  });

  test('makes who guesses at a computer of the clinic wait as well', async () => {
    const cookie = cookiesOf(await signIn())[1]?.split(';')[0];
    clinic.clock.advance(30);
    for (let tries = 0; tries < 5; tries++) await signIn({ password: 'wrong' }, { cookie });
    expect((await signIn({}, { cookie })).statusCode).toBe(429);
  });
});

describe('A session at the front desk (S-18)', () => {
  // Shows: S-18
  test('locks after 15 minutes in which only pages asked by themselves', async () => {
    const cookie = await deskSession(clinic, robin);
    clinic.clock.advance(LOCK_AFTER - 1);
    expect((await session(cookie, { 'x-background': '1' })).answer().extras.isLocked).toBe(false);
    clinic.clock.advance(1);
    expect((await session(cookie)).answer().extras.isLocked).toBe(true);
    const day = await askDesk(clinic, 'deskDay', { cookie, params: { date: '2026-11-21' } });
    expect(day.code()).toBe('deskLocked');
  });

  test('stays open for who does something', async () => {
    const cookie = await deskSession(clinic, robin);
    for (let minutes = 0; minutes < 60; minutes += 14) {
      clinic.clock.advance(14 * 60);
      expect((await session(cookie)).answer().extras.isLocked).toBe(false);
    }
  });

  test.each([
    ['the password', () => STAFF_PASSWORD],
    ['a new code', () => codeAt(now())],
  ])('is opened again by %s', async (_, secret) => {
    const cookie = await deskSession(clinic, robin);
    await askDesk(clinic, 'deskLock', { cookie });
    expect((await session(cookie)).answer().extras.isLocked).toBe(true);
    expect((await unlock(cookie, 'Nobody-knows-it')).code()).toBe('deskUnlockRefused');
    expect((await unlock(cookie, secret())).answer().extras.isLocked).toBe(false);
    expect((await session(cookie)).answer().extras.isLocked).toBe(false);
    expect(await actions()).toEqual(['screen locked', 'screen opened']);
  });

  test('ends after 12 hours, whatever is done', async () => {
    const cookie = await deskSession(clinic, robin);
    for (let spent = 0; spent + 600 < SESSION_LIMIT; spent += 600) {
      clinic.clock.advance(600);
      await session(cookie);
    }
    clinic.clock.advance(599);
    expect((await session(cookie)).statusCode).toBe(200);
    clinic.clock.advance(1);
    expect((await session(cookie)).code()).toBe('deskSignedOut');
  });

  test('ends when its owner signs out, and the browser forgets the cookie', async () => {
    const cookie = await deskSession(clinic, robin);
    const out = await askDesk(clinic, 'deskSignOut', { cookie });
    expect(out.headers['set-cookie']).toContain('desk=; Max-Age=0');
    expect((await session(cookie)).statusCode).toBe(401);
  });

  // Shows: S-18
  test('asks for a code of the last ten minutes before somebody is invited', async () => {
    const manager = await aStaffMember(clinic, 'manager');
    const cookie = await deskSession(clinic, manager);
    const invite = (email: string) =>
      askDesk(clinic, 'deskInvite', {
        cookie,
        body: { email, name: 'Kim Park', roles: ['auditor'] },
      });
    expect((await invite('kim@clinic.example')).statusCode).toBe(200);
    clinic.clock.advance(RECENT_FACTOR);
    expect((await invite('lou@clinic.example')).code()).toBe('factorNeeded');
    await unlock(cookie, STAFF_PASSWORD);
    expect((await invite('lou@clinic.example')).code()).toBe('factorNeeded');
    await unlock(cookie, codeAt(now()));
    expect((await invite('lou@clinic.example')).statusCode).toBe(200);
  });

  test('is asked once, though the answer was lost and they are invited again', async () => {
    const manager = await aStaffMember(clinic, 'manager');
    const cookie = await deskSession(clinic, manager);
    const invite = (name: string) =>
      askDesk(clinic, 'deskInvite', {
        cookie,
        body: { email: 'kim@clinic.example', name, roles: ['auditor'] },
      });
    (await invite('Kim Park')).answer();
    (await invite('Kim Park')).answer();
    expect(await clinic.mails()).toHaveLength(1);
    expect((await invite('Kim Parker')).code()).toBe('staffExists');
    clinic.clock.advance(AGAIN_SECONDS);
    expect((await invite('Kim Park')).code()).toBe('staffExists');
  });
});

describe('An invitation to the front desk (S-18)', () => {
  const run = (...typed: string[]) => operate(clinic.platform, 'staff', ...typed);
  const invite = () =>
    run('invite', 'Kim@Clinic.example', '--name', 'Kim Park', '--roles', 'manager');
  async function mailedToken() {
    await clinic.platform.outbox.drain();
    return /\/desk\/invitation#([\w-]+)/.exec(clinic.mail.sent.at(-1)?.text ?? '')?.[1] ?? '';
  }
  const read = (token: string) => askDesk(clinic, 'deskReadInvitation', { body: { token } });
  async function accept(token: string, password = 'Walnut-and-Rain-7') {
    const { secret } = (await read(token)).answer().extras;
    const body = { token, password, code: codeAt(now(), secret) };
    const response = await askDesk(clinic, 'deskAcceptInvitation', { body });
    return { response, secret };
  }

  // Shows: S-18
  test('is mailed, sets password and second factor once, and gives ten codes that work once', async () => {
    expect((await invite()).lines).toEqual([
      'Invited. The link is mailed to kim@clinic.example, works once and for 24 hours.',
    ]);
    const token = await mailedToken();
    expect(clinic.mail.sent.at(-1)).toMatchObject({ to: 'kim@clinic.example' });
    expect((await read(token)).answer().extras).toMatchObject({ name: 'Kim Park' });
    const { response, secret } = await accept(token);
    const { recoveryCodes } = response.answer().extras;
    expect(new Set(recoveryCodes).size).toBe(10);
    expect((await read(token)).code()).toBe('invitationNotValid');

    const kim = { email: 'kim@clinic.example', password: 'Walnut-and-Rain-7' };
    clinic.clock.advance(30);
    expect((await signIn({ ...kim, code: codeAt(now(), secret) })).statusCode).toBe(200);
    const code = recoveryCodes[3]?.toLowerCase().replace('-', ' ');
    expect((await signIn({ ...kim, code })).statusCode).toBe(200);
    expect((await signIn({ ...kim, code })).statusCode).toBe(401);
    expect(await actions()).toEqual([
      'command run',
      'staff invited',
      'invitation accepted',
      'signed in',
      'signed in',
      'wrong code behind the right password',
    ]);
  });

  // Shows: S-18
  test('is valid though the keys change before it is mailed, and while its code is set up', async () => {
    const old = newKeyMaterial();
    const changed = (material: typeof old) => {
      const { id, text } = newKey();
      return { ...material, current: id, index: id, keys: { ...material.keys, [id]: text } };
    };
    const useKeys = (material: typeof old) =>
      Object.assign(clinic.platform.keyring, createKeyring(material));
    useKeys(old);
    await invite();
    const next = changed(old);
    useKeys(next);
    const token = await mailedToken();
    const { secret } = (await read(token)).answer().extras;
    useKeys(changed(next));
    const body = { token, password: 'Walnut-and-Rain-7', code: codeAt(now(), secret) };
    (await askDesk(clinic, 'deskAcceptInvitation', { body })).answer();
    clinic.clock.advance(30);
    const kim = { email: 'kim@clinic.example', password: body.password };
    expect((await signIn({ ...kim, code: codeAt(now(), secret) })).statusCode).toBe(200);
  });

  test('is over after 24 hours, and ended by a newer one', async () => {
    await invite();
    const first = await mailedToken();
    expect((await run('reset-factor', 'kim@clinic.example')).code).toBe(0);
    const second = await mailedToken();
    expect(second).not.toBe(first);
    expect((await read(first)).code()).toBe('invitationNotValid');
    clinic.clock.advance(INVITATION_VALID_FOR - 1);
    expect((await read(second)).statusCode).toBe(200);
    clinic.clock.advance(1);
    expect((await read(second)).code()).toBe('invitationNotValid');
  });

  test('takes neither a wrong code nor a password that anybody would try', async () => {
    await invite();
    const token = await mailedToken();
    const body = { token, password: 'Walnut-and-Rain-7', code: '000000' };
    expect((await askDesk(clinic, 'deskAcceptInvitation', { body })).code()).toBe('codeRefused');
    expect((await accept(token, 'password123')).response.code()).toBe('invalidInput');
    expect((await accept(token)).response.statusCode).toBe(200);
  });

  test('of a clinician says which provider it is', async () => {
    const invited = [
      'invite',
      'a@clinic.example',
      '--name',
      'Amelia Stone',
      '--roles',
      'clinician',
    ];
    expect((await run(...invited)).refused).toContain('--provider');
    expect((await run(...invited, '--provider', '999')).refused).toContain('--provider');
    expect((await run(...invited, '--provider', '101')).code).toBe(0);
    expect((await run('list')).lines).toContain(
      'a@clinic.example  Amelia Stone  clinician  provider 101  has not set a password yet',
    );
  });

  // Shows: S-18
  test('comes anew when the factors are reset, which ends every session and is mailed', async () => {
    const cookie = await deskSession(clinic, robin);
    await run('reset-factor', robin.email);
    expect((await session(cookie)).code()).toBe('deskSignedOut');
    expect((await signIn()).statusCode).toBe(401);
    const { response } = await accept(await mailedToken());
    expect(response.statusCode).toBe(200);
    expect(clinic.mail.sent.at(-1)?.subject).toBe('Your second factor was reset - Test Clinic');
  });

  test.each([['reset-factor'], ['close', '--yes']])(
    'takes no code that was checked a moment before %s',
    async (what, ...sure) => {
      const { platform } = clinic;
      const member = await staffByEmail(platform.database.db, robin.email);
      const shown = member && codeShown(platform.keyring, member, codeAt(now()), now());
      await run(what, robin.email, ...sure);
      expect(await platform.database.inTransaction(async (tx) => shown?.take(tx))).toBe(false);
    },
  );

  test('is of no use once the account is closed, and neither is a session', async () => {
    const cookie = await deskSession(clinic, robin);
    await run('reset-factor', robin.email);
    const token = await mailedToken();
    expect((await run('close', robin.email, '--yes')).lines).toEqual(['Closed.']);
    expect((await read(token)).code()).toBe('invitationNotValid');
    expect((await session(cookie)).statusCode).toBe(401);
    expect((await clinic.mails()).at(-1)?.subject).toBe(
      'Your account at the front desk is closed - Test Clinic',
    );
    expect((await run('reset-factor', robin.email)).refused).toBe('The account is closed.');
  });

  test.each([
    ['a role that there is not', ['--name', 'Kim', '--roles', 'manager,owner'], '--roles'],
    ['no role', ['--name', 'Kim'], '--roles'],
    ['no name', ['--roles', 'manager'], '--name'],
  ])('is not written for %s', async (_, options, why) => {
    expect((await run('invite', 'kim@clinic.example', ...options)).refused).toContain(why);
  });
});
