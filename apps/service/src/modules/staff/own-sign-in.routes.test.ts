import { once } from 'node:events';
import { sql } from 'drizzle-orm';
import { type Socket, io } from 'socket.io-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  STAFF_PASSWORD,
  type SomeStaff,
  aStaffMember,
  askDesk,
  codeAt,
  deskSession,
} from '../../../testing/desk.ts';
import { type TestApp, aClinic, aProof, testApp } from '../../../testing/index.ts';
import { operate } from '../../../testing/operator.ts';
import { jobsOf } from '../../jobs.ts';
import { RECENT_FACTOR } from './authorize-staff.ts';
import { LOCK_AFTER, SESSION_LIMIT } from './sessions.store.ts';
import { AGAIN_SECONDS } from './members.ts';

const NEW_PASSWORD = 'Walnut-and-Rain-7';
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36';

let clinic: TestApp;
let robin: SomeStaff;
/** Robin's sessions at the counter and in the back office. */
let counter: string;
let office: string;
beforeEach(async () => {
  clinic = await testApp();
  await aClinic(clinic);
  robin = await aStaffMember(clinic, 'receptionist');
  counter = await deskSession(clinic, robin);
  office = await deskSession(clinic, robin);
});
afterEach(() => clinic.close());

const now = () => clinic.clock.now();
const standing = async (cookie: string) => {
  const answered = await askDesk(clinic, 'deskSession', { cookie });
  if (answered.statusCode !== 200) return answered.code();
  return answered.answer().extras.isLocked ? 'locked' : 'open';
};
const trail = async () =>
  (await clinic.trail()).map(({ actor, action, subject, details }) => ({
    actor,
    action,
    subject,
    details,
  }));
const actions = async () => (await trail()).map(({ action }) => action);
const mailed = async () => (await clinic.mails()).map(({ to, subject }) => `${to}: ${subject}`);
const signIn = (over: object = {}, options: object = {}) =>
  askDesk(clinic, 'deskSignIn', {
    ...options,
    body: {
      email: robin.email,
      password: STAFF_PASSWORD,
      code: codeAt(now()),
      recaptcha: aProof(),
      ...over,
    },
  });

describe('A new password of one’s own (S-18)', () => {
  const change = (over: object = {}, cookie = counter) =>
    askDesk(clinic, 'deskChangePassword', {
      cookie,
      body: { currentPassword: STAFF_PASSWORD, newPassword: NEW_PASSWORD, ...over },
    });

  // Shows: S-18
  test('ends every other session, is mailed, stands on the trail, and signs in', async () => {
    (await change()).answer();
    expect([await standing(counter), await standing(office)]).toEqual(['open', 'deskSignedOut']);
    expect(await mailed()).toEqual([`${robin.email}: Your password was changed - Test Clinic`]);
    expect(await trail()).toEqual([
      {
        actor: `staff:${robin.id}`,
        action: 'password changed',
        subject: `staff:${robin.id}`,
        details: {},
      },
    ]);
    expect((await signIn()).statusCode).toBe(401);
    expect((await signIn({ password: NEW_PASSWORD })).statusCode).toBe(200);
  });

  // Shows: S-5
  test('forgets every computer but the one at which it was changed', async () => {
    const signedIn = async () => {
      clinic.clock.advance(30);
      const cookies = [(await signIn()).headers['set-cookie']].flat().map(String);
      return cookies.map((cookie) => cookie.split(';')[0] ?? '');
    };
    const [elsewhere, here] = [await signedIn(), await signedIn()];
    (await change({}, here.join('; '))).answer();
    const withoutProof = async ([, device]: readonly string[]) => {
      clinic.clock.advance(30);
      const again = { password: NEW_PASSWORD, recaptcha: undefined };
      return (await signIn(again, { cookie: device })).statusCode;
    };
    expect([await withoutProof(here), await withoutProof(elsewhere)]).toEqual([200, 422]);
  });

  test.each([
    ['another password than the current one', { currentPassword: 'Kettle-and-Fern-2025' }],
    ['a password that anybody would try', { newPassword: 'password123' }],
    ['one’s own name', { newPassword: 'robin lee' }],
    ['a short one', { newPassword: 'Fern-26' }],
  ])('is not set with %s', async (_, over) => {
    expect((await change(over)).code()).toBe('invalidInput');
    expect([await standing(counter), await standing(office)]).toEqual(['open', 'open']);
    expect(await mailed()).toEqual([]);
  });

  test('needs a code of the last ten minutes beside the current one', async () => {
    clinic.clock.advance(RECENT_FACTOR);
    expect((await change()).code()).toBe('factorNeeded');
  });

  test('is set once, though the answer was lost and it is sent again', async () => {
    (await change()).answer();
    (await change()).answer();
    expect(await mailed()).toHaveLength(1);
    clinic.clock.advance(AGAIN_SECONDS + 1);
    expect((await change()).code()).toBe('invalidInput');
  });

  test('is guessed ten times at most', async () => {
    const wrong = { currentPassword: 'Kettle-and-Fern-2025' };
    const statuses = [];
    for (let at = 0; at < 11; at += 1) {
      statuses.push((await change(wrong)).statusCode);
      // Longer than any wait.
      clinic.clock.advance(65);
      await askDesk(clinic, 'deskUnlock', { cookie: counter, body: { secret: codeAt(now()) } });
    }
    expect(statuses.filter((status) => status === 422)).toHaveLength(10);
    expect(statuses.at(-1)).toBe(429);
  });
});

// Shows: R-99
test('One’s own language is kept, and told to each session of one’s own', async () => {
  const language = async (cookie: string) =>
    (await askDesk(clinic, 'deskSession', { cookie })).answer().extras.language;
  expect(await language(office)).toBeNull();
  const choose = { cookie: counter, body: { language: 'fr' } };
  (await askDesk(clinic, 'deskChooseLanguage', choose)).answer();
  expect(await language(office)).toBe('fr');
  expect((await signIn()).answer().extras.language).toBe('fr');
  const kim = await deskSession(clinic, await aStaffMember(clinic, 'manager'));
  expect(await language(kim)).toBeNull();
});

describe('One’s own sessions (S-18)', () => {
  const list = async (cookie = counter) =>
    (await askDesk(clinic, 'deskOwnSessions', { cookie })).answer().extras.sessions;
  const end = (body: object, cookie = counter) =>
    askDesk(clinic, 'deskEndOwnSessions', { cookie, body });

  // Shows: S-18
  test('are listed with browser, times and lock, the newest first', async () => {
    clinic.clock.advance(60);
    const signedIn = await signIn({}, { headers: { 'user-agent': CHROME } });
    const [third = ''] = [signedIn.headers['set-cookie']].flat().map(String);
    await askDesk(clinic, 'deskLock', { cookie: office });
    const kim = await aStaffMember(clinic, 'manager');
    await deskSession(clinic, kim);
    expect(await list(third.split(';')[0])).toMatchObject([
      { device: 'Chrome, Windows', isCurrent: true, isLocked: false, signedInAt: now() },
      { device: '', isCurrent: false, signedInAt: now() - 60 },
      { device: '', isCurrent: false, signedInAt: now() - 60 },
    ]);
    expect((await list()).filter(({ isLocked }) => isLocked)).toHaveLength(1);
  });

  // Shows: S-18
  test('are ended one by one, or all but this one', async () => {
    const home = await deskSession(clinic, robin);
    const ofOffice = (await list(office)).find(({ isCurrent }) => isCurrent)?.id;
    (await end({ id: ofOffice })).answer();
    // Sent again, because the answer was lost.
    (await end({ id: ofOffice })).answer();
    expect([await standing(counter), await standing(office), await standing(home)]).toEqual([
      'open',
      'deskSignedOut',
      'open',
    ]);
    (await end({})).answer();
    expect([await standing(counter), await standing(home)]).toEqual(['open', 'deskSignedOut']);
    expect(await list()).toHaveLength(1);
    expect(await trail()).toEqual(
      [1, 2].map(() => ({
        actor: `staff:${robin.id}`,
        action: 'sessions ended',
        subject: `staff:${robin.id}`,
        details: { sessions: 1 },
      })),
    );
  });

  test('are ended with a code of the last ten minutes, and never a colleague’s', async () => {
    const kim = await aStaffMember(clinic, 'manager');
    const kims = await deskSession(clinic, kim);
    const [session] = await list(kims);
    (await end({ id: session?.id })).answer();
    expect(await standing(kims)).toBe('open');
    clinic.clock.advance(RECENT_FACTOR);
    expect((await end({})).code()).toBe('factorNeeded');
  });

  test('are not listed once they are over', async () => {
    clinic.clock.advance(SESSION_LIMIT - 1);
    const last = await deskSession(clinic, robin);
    expect(await list(last)).toHaveLength(3);
    clinic.clock.advance(1);
    const sessions = (await askDesk(clinic, 'deskOwnSessions', { cookie: last })).answer();
    expect(sessions.extras.sessions).toHaveLength(1);
  });

  test('the one before in a browser ends when somebody signs in there', async () => {
    expect((await signIn({}, { cookie: counter })).statusCode).toBe(200);
    expect([await standing(counter), await standing(office)]).toEqual(['deskSignedOut', 'open']);
  });
});

describe('A colleague’s sessions (S-18)', () => {
  const params = () => ({ id: robin.id });
  const list = (cookie: string) =>
    askDesk(clinic, 'deskStaffSessions', { cookie, params: params() });

  // Shows: S-18
  test('are seen and ended by a manager, and by nobody else', async () => {
    const kim = await aStaffMember(clinic, 'manager');
    const cookie = await deskSession(clinic, kim);
    const { sessions } = (await list(cookie)).answer().extras;
    expect(sessions).toMatchObject([{ isCurrent: false }, { isCurrent: false }]);
    const end = (body: object) =>
      askDesk(clinic, 'deskEndStaffSessions', { cookie, params: params(), body });
    (await end({ id: sessions[0]?.id })).answer();
    const left = [await standing(counter), await standing(office)];
    expect(left.toSorted()).toEqual(['deskSignedOut', 'open']);
    (await end({})).answer();
    expect([await standing(counter), await standing(office)]).toEqual([
      'deskSignedOut',
      'deskSignedOut',
    ]);
    expect(await standing(cookie)).toBe('open');
    expect(await trail()).toEqual(
      [1, 2].map(() => ({
        actor: `staff:${kim.id}`,
        action: 'sessions ended',
        subject: `staff:${robin.id}`,
        details: { sessions: 1 },
      })),
    );
    for (const role of ['receptionist', 'clinician', 'auditor'] as const) {
      const other = await deskSession(clinic, await aStaffMember(clinic, role));
      expect((await list(other)).code()).toBe('notAllowed');
    }
  });

  test('are ended with a code of the last ten minutes, and one’s own elsewhere', async () => {
    const kim = await aStaffMember(clinic, 'manager');
    const cookie = await deskSession(clinic, kim);
    const end = (id: string) =>
      askDesk(clinic, 'deskEndStaffSessions', { cookie, params: { id }, body: {} });
    expect((await end(kim.id)).code()).toBe('ownStaffAccount');
    expect((await end(crypto.randomUUID())).code()).toBe('notFound');
    clinic.clock.advance(RECENT_FACTOR);
    expect((await end(robin.id)).code()).toBe('factorNeeded');
  });
});

describe('The web socket of a desk (S-18)', () => {
  let url: string;
  let sockets: Socket[];
  beforeEach(async () => {
    url = await clinic.app.listen({ host: '127.0.0.1', port: 0 });
    sockets = [];
  });
  afterEach(() => {
    for (const socket of sockets) socket.close();
  });

  async function listens(cookie: string): Promise<Socket> {
    const socket = io(`${url}/desk`, {
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      timeout: 600_000,
      extraHeaders: { origin: 'http://127.0.0.1:3000', cookie },
    });
    sockets.push(socket);
    await new Promise<void>((open, refused) => {
      socket.once('connect', open);
      socket.once('connect_error', refused);
    });
    return socket;
  }

  const asManager = async () => deskSession(clinic, await aStaffMember(clinic, 'manager'));
  const sessionOf = async (cookie: string) =>
    (await askDesk(clinic, 'deskOwnSessions', { cookie }))
      .answer()
      .extras.sessions.find(({ isCurrent }) => isCurrent)?.id;
  const own = (body: object) => askDesk(clinic, 'deskEndOwnSessions', { cookie: counter, body });
  const theirs = async (body: object) =>
    askDesk(clinic, 'deskEndStaffSessions', {
      cookie: await asManager(),
      params: { id: robin.id },
      body,
    });

  // Shows: S-18
  test.each([
    ['signs out', () => askDesk(clinic, 'deskSignOut', { cookie: office })],
    ['locks the screen', () => askDesk(clinic, 'deskLock', { cookie: office })],
    ['ends that session elsewhere', async () => own({ id: await sessionOf(office) })],
    ['signs out everywhere else', () => own({})],
    [
      'changes the password elsewhere',
      () =>
        askDesk(clinic, 'deskChangePassword', {
          cookie: counter,
          body: { currentPassword: STAFF_PASSWORD, newPassword: NEW_PASSWORD },
        }),
    ],
  ])('ends when its owner %s, and the others stay', async (_, act) => {
    const [ending, staying] = [await listens(office), await listens(counter)];
    const ended = once(ending as never, 'disconnect');
    expect((await act()).statusCode).toBe(200);
    expect((await ended)[0]).toBe('io server disconnect');
    await expect(listens(office)).rejects.toThrow('deskSignedOut');
    const heard = once(staying as never, 'desk');
    clinic.platform.realtime.sayToDesk();
    await heard;
  });

  // Shows: S-18
  test.each([
    ['ends it', async () => void (await theirs({})).answer()],
    [
      'resets the sign-in',
      async () => {
        const cookie = await asManager();
        (await askDesk(clinic, 'deskResetFactor', { cookie, params: { id: robin.id } })).answer();
      },
    ],
    [
      'closes the account by a command',
      async () => void (await operate(clinic.platform, 'staff', 'close', robin.email, '--yes')),
    ],
  ])('ends when a colleague %s', async (_, act) => {
    const ended = once((await listens(office)) as never, 'disconnect');
    await act();
    expect((await ended)[0]).toBe('io server disconnect');
  });

  /** What a socket hears of next, after all that the service does again each second: news, or its end. */
  async function heardAtTheSecond(socket: Socket): Promise<string> {
    const heard = new Promise<string>((resolve) => {
      socket.once('desk', () => resolve('news'));
      socket.once('disconnect', resolve);
    });
    const secondly = jobsOf(clinic.platform).filter(({ everyMs }) => everyMs <= 1_000);
    await Promise.all(secondly.map(({ work }) => work()));
    clinic.platform.realtime.sayToDesk();
    return heard;
  }

  // Shows: S-18
  test('ends at the second at which nothing was done for 15 minutes', async () => {
    const socket = await listens(office);
    clinic.clock.advance(60);
    expect(await standing(office)).toBe('open');
    clinic.clock.advance(LOCK_AFTER - 1);
    expect(await heardAtTheSecond(socket)).toBe('news');
    clinic.clock.advance(1);
    expect(await heardAtTheSecond(socket)).toBe('io server disconnect');
  });

  test('ends at the second at which its session does, however busy it was', async () => {
    const socket = await listens(office);
    clinic.clock.advance(SESSION_LIMIT);
    await clinic.database.db.execute(sql`update staff_session set last_active_at_s = ${now()}`);
    expect(await heardAtTheSecond(socket)).toBe('io server disconnect');
  });
});

describe('Wrong codes behind the right password (S-18)', () => {
  const guess = async (over: object = { code: '000000' }) => {
    const { statusCode } = await signIn(over);
    expect(statusCode).toBe(401);
    // Longer than any wait between guesses.
    clinic.clock.advance(65);
  };
  const TOLD = () => `${robin.email}: Somebody has your password - Test Clinic`;

  // Shows: S-18
  test('are mailed to that person at the third, once an hour, and named in the trail', async () => {
    await guess();
    await guess();
    expect(await mailed()).toEqual([]);
    await guess();
    expect(await mailed()).toEqual([TOLD()]);
    await guess();
    await guess();
    await guess();
    expect(await mailed()).toEqual([TOLD()]);
    clinic.clock.advance(3_600);
    await guess();
    await guess();
    await guess();
    expect(await mailed()).toEqual([TOLD(), TOLD()]);
    const refused = (await trail()).filter(({ action }) => action.startsWith('wrong code'));
    expect(refused).toHaveLength(9);
    expect(new Set(refused.map(({ actor, subject }) => `${actor} ${subject}`))).toEqual(
      new Set([`visitor staff:${robin.id}`]),
    );
    expect((await actions()).filter((action) => action === 'told of wrong codes')).toHaveLength(2);
  });

  test('are three of one person, and not three wrong passwords', async () => {
    const kim = await aStaffMember(clinic, 'manager');
    await guess({ password: 'Kettle-and-Fern-2025', code: '000000' });
    await guess({ password: 'Kettle-and-Fern-2025', code: '000000' });
    await guess({ password: 'Kettle-and-Fern-2025', code: '000000' });
    await guess({ email: kim.email, code: '000000' });
    await guess({ email: kim.email, code: '000000' });
    await guess();
    await guess();
    expect(await mailed()).toEqual([]);
  });

  test('are mailed once, however many come at the same time', async () => {
    await Promise.all(Array.from({ length: 4 }, () => signIn({ code: '000000' })));
    expect(await mailed()).toEqual([TOLD()]);
  });
});

describe('A wrong guess at a locked screen (S-18)', () => {
  const unlock = (cookie: string, secret: string) =>
    askDesk(clinic, 'deskUnlock', { cookie, body: { secret } });

  // Shows: S-18
  test('keeps nobody from their other screens', async () => {
    const statuses = [];
    for (let at = 0; at < 12; at += 1) statuses.push((await unlock(counter, 'wrong')).statusCode);
    expect(statuses.at(-1)).toBe(429);
    expect((await unlock(office, STAFF_PASSWORD)).statusCode).toBe(200);
    expect((await unlock(counter, STAFF_PASSWORD)).statusCode).toBe(429);
  });

  test('counts for all screens of one person together, too', async () => {
    const screens = [counter, office];
    for (let at = 0; at < 3; at += 1) screens.push(await deskSession(clinic, robin));
    let guesses = 0;
    for (let round = 0; round < 11; round += 1) {
      for (const screen of screens)
        if ((await unlock(screen, 'wrong')).statusCode !== 429) guesses += 1;
      // Longer than any wait of one screen, and all within a quarter of an hour.
      clinic.clock.advance(70);
    }
    expect(guesses).toBe(30);
  });
});
