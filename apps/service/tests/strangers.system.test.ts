import { type AnyCall, deskCalls } from '@clinic/contract';
import type { InjectOptions, Response } from 'light-my-request';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RATES, type Rates } from '../src/server/rates.ts';
import { type SomeStaff, STAFF_PASSWORD, aStaffMember, askDesk, codeAt } from '../testing/desk.ts';
import { operate } from '../testing/operator.ts';
import {
  type AskOptions,
  PASSWORD,
  aProof,
  ask,
  ratesTimes,
  registeredCalls,
  requestOf,
} from '../testing/index.ts';
import { deskRequests } from './desk-requests.ts';
import { LONG, everyCall } from './every-call.ts';
import { type TwoPatients, twoPatients } from './two-patients.ts';
import { validRequests } from './valid-requests.ts';

/** The limits of an installation; or a tenth of them, and of the posts. */
const POSTS = LONG ? 1_000 : 100;
const rates = LONG ? RATES : ratesTimes(0.1);
const AT_ONCE = 50;
/** A known computer signs in within this time. */
const SECONDS = 1;

let clinic: TwoPatients;
let robin: SomeStaff;
/** What the browsers of Robin and of the patient keep from their first sign-in. */
let atDesk: string;
let atHome: string;
let strangers: Readonly<Record<string, (n: number) => AskOptions>>;

const cookieOf = ({ headers }: Response, name: RegExp) =>
  [headers['set-cookie']]
    .flat()
    .map(String)
    .find((each) => name.test(each))
    ?.split(';')[0] ?? '';

interface From {
  readonly cookie?: string;
  /** The network address, behind the proxy. */
  readonly address?: string;
}
const headersOf = ({ cookie = '', address = '198.51.100.7' }: From) => ({
  'x-forwarded-for': address,
  ...(cookie !== '' && { cookie }),
});

/** As the page signs in: with a proof where it is asked for one. */
async function staffSignIn(from: From, over: object = {}) {
  const body = { email: robin.email, password: STAFF_PASSWORD, ...over };
  const send = (more: object) =>
    askDesk(clinic, 'deskSignIn', {
      headers: headersOf(from),
      body: { code: codeAt(clinic.clock.now()), ...body, ...more },
    });
  const first = await send({});
  const isAsked = first.statusCode === 422 && first.code() === 'captchaNeeded';
  return isAsked ? send({ recaptcha: aProof() }) : first;
}
const patientSignIn = (from: From, over: object = {}) =>
  ask(clinic, 'login', {
    headers: headersOf(from),
    body: {
      method: 'email',
      email: clinic.asker.row.email,
      password: PASSWORD,
      recaptcha: aProof(),
      ...over,
    },
  });

async function open(limits: Rates = rates) {
  clinic = await twoPatients(limits, { config: { trustProxy: true } });
  robin = await aStaffMember(clinic, 'receptionist');
  atDesk = cookieOf(await staffSignIn({}), /device|computer/);
  atHome = cookieOf(await patientSignIn({}), /device/);
  const desk = await deskRequests(clinic);
  const token = (n: number) => `${n}${'A'.repeat(43)}`.slice(0, 43);
  const junk = (n: number) => `junk${n}@nowhere.example`;
  strangers = {
    login: (n) => ({
      body: { method: 'email', email: junk(n), password: 'wrong', recaptcha: aProof() },
    }),
    validateRecovery: (n) => ({
      body: { email: junk(n), birthYear: 1901, birthMonth: 1, birthDay: 1, recaptcha: aProof() },
    }),
    sendResetCode: (n) => ({ body: { email: junk(n) } }),
    resetPassword: (n) => ({
      body: { email: junk(n), code: 'AAAAAAAA', password: 'Another-2026' },
    }),
    confirmEmail: (n) => ({ body: { token: token(n), password: 'wrong' } }),
    readAccountLink: (n) => ({ body: { token: token(n) } }),
    acceptAccountLink: (n) => ({
      body: { token: token(n), birthYear: 1984, birthMonth: 5, birthDay: 17 },
    }),
    mintDashboardLink: () => ({
      body: { email: junk(0) },
      headers: {
        'x-dashboard-time': String(clinic.clock.now()),
        'x-dashboard-signature': 'a'.repeat(64),
      },
    }),
    resendConfirmation: (n) => ({ body: { email: junk(n), recaptcha: aProof() } }),
    deskSignIn: (n) => ({
      ...desk.deskSignIn(),
      body: { email: junk(n), password: 'wrong', code: '000000', recaptcha: aProof() },
    }),
    deskReadInvitation: (n) => ({ body: { token: token(n) } }),
    deskAcceptInvitation: (n) => ({
      body: { token: token(n), password: 'Kettle-and-Fern', code: '000000' },
    }),
    deskAskPasskey: (n) => ({ body: { email: junk(n) } }),
  };
}

const unlocked = ({ access }: AnyCall) => access === 'public';
const isDesk = ({ id }: AnyCall) => id.startsWith('desk');
/** A stranger's request: a valid one, or junk where a valid one would be the owner's. */
function fromStranger(call: AnyCall, n: number) {
  const own = validRequests as Readonly<Record<string, (clinic: TwoPatients) => AskOptions>>;
  const asked = strangers[call.id]?.(n) ?? own[call.id]?.(clinic) ?? {};
  const headers = { ...headersOf({}), ...asked.headers };
  const page = { origin: 'http://127.0.0.1:3000', 'content-type': 'application/json' };
  return requestOf(call.id, {
    ...asked,
    headers: isDesk(call) ? { ...page, ...headers } : headers,
  });
}
async function post(times: number, request: (n: number) => InjectOptions) {
  for (let sent = 0; sent < times; sent += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, n) => clinic.app.inject(request(sent + n))),
    );
}

/** Tried by whoever is known, from the stranger's address; what each was answered. */
const doors: Readonly<Record<string, () => Promise<Response>>> = {
  'the sign-in of staff': () => staffSignIn({ cookie: atDesk }),
  'a challenge for a passkey': () =>
    askDesk(clinic, 'deskAskPasskey', {
      headers: headersOf({ cookie: atDesk }),
      body: { email: robin.email },
    }),
  'the sign-in of patients': () => patientSignIn({ cookie: atHome }),
  'the check for bots': () =>
    ask(clinic, 'captchaChallenge', { headers: headersOf({ cookie: atHome }) }),
  'the config of the page': () =>
    ask(clinic, 'getConfig', { headers: headersOf({ cookie: atHome }) }),
  'a recovery': () => {
    const { body } = validRequests.validateRecovery(clinic);
    return ask(clinic, 'validateRecovery', { headers: headersOf({ cookie: atHome }), body });
  },
  'the code of a recovery': () => {
    const { body } = validRequests.sendResetCode(clinic);
    return ask(clinic, 'sendResetCode', { headers: headersOf({ cookie: atHome }), body });
  },
  health: () => Promise.resolve(clinic.app.inject({ method: 'GET', url: '/healthz' })),
};
async function keptWaiting(): Promise<string[]> {
  const kept: string[] = [];
  for (const [door, knock] of Object.entries(doors)) {
    // A code works once.
    clinic.clock.advance(30);
    const { statusCode } = await knock();
    if (statusCode !== 200) kept.push(`${door}: ${statusCode}`);
  }
  return kept;
}

describe(`${POSTS} posts of a stranger on the same network`, () => {
  beforeAll(() => open());
  afterAll(() => clinic.close());
  beforeEach(async () => {
    await clinic.platform.rateLimit.sweep(clinic.clock.now() + 3 * 86_400);
    clinic.clock.advance(3_600);
  });

  // Shows: S-5
  test('keep nobody from the link that was mailed to them', async () => {
    const junk = { body: { token: 'A'.repeat(43) } };
    await operate(
      clinic.platform,
      'staff',
      'invite',
      'kim@clinic.example',
      '--name',
      'Kim Roe',
      '--roles',
      'auditor',
    );
    await clinic.platform.outbox.drain();
    const mailed = clinic.mail.sent.findLast(({ to }) => to === 'kim@clinic.example')?.text ?? '';
    const invitation = /\/desk\/invitation#([\w-]+)/.exec(mailed)?.[1] ?? '';
    for (const id of ['deskReadInvitation', 'deskAcceptInvitation'] as const)
      await post(POSTS, (n) => fromStranger(deskCalls[id], n));
    for (const id of ['readAccountLink', 'confirmEmail'] as const)
      await post(POSTS, () => requestOf(id, { ...junk, headers: headersOf({}) }));
    const link = { 'x-access-token': `link_${'A'.repeat(43)}` };
    await post(POSTS, () => requestOf('getMe', { headers: { ...headersOf({}), ...link } }));

    const read = await askDesk(clinic, 'deskReadInvitation', {
      headers: headersOf({}),
      body: { token: invitation },
    });
    const account = await ask(clinic, 'readAccountLink', {
      headers: headersOf({}),
      body: { token: clinic.mailed.linkToken },
    });
    const minted = await ask(clinic, 'mintDashboardLink', validRequests.mintDashboardLink(clinic));
    const dashboard = new URL(minted.answer().extras.url);
    const me = await ask(clinic, 'getMe', {
      headers: {
        ...headersOf({}),
        'x-access-token': /link_[\w-]{43}/.exec(dashboard.href)?.[0] ?? '',
      },
    });
    expect([read, account, me].map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  });

  // Shows: S-5
  test('to every call without a session make nobody wait who is known', async () => {
    const kept: string[] = [];
    const calls = [
      ...everyCall.filter(unlocked),
      ...registeredCalls(clinic).filter(isDesk).filter(unlocked),
    ];
    expect(calls.length).toBeGreaterThan(18);
    for (const call of calls) {
      await post(POSTS, (n) => fromStranger(call, n));
      for (const each of await keptWaiting()) kept.push(`${call.id} shuts ${each}`);
      // What is known uses up of its own is forgotten within a day.
      clinic.clock.advance(25 * 3_600);
    }
    await post(POSTS, () => ({ method: 'POST', url: '/api/webhooks/stripe', payload: '{}' }));
    await post(POSTS, () => ({ method: 'POST', url: '/api/no-such-call', payload: {} }));
    kept.push(...(await keptWaiting()));
    expect(kept).toEqual([]);
  });

  test(`let a known computer in within ${SECONDS} s`, async () => {
    await post(POSTS, (n) => fromStranger(deskCalls.deskSignIn, n));
    const took: number[] = [];
    for (let n = 0; n < 20; n++) {
      clinic.clock.advance(30);
      const before = performance.now();
      expect((await staffSignIn({ cookie: atDesk })).statusCode).toBe(200);
      took.push((performance.now() - before) / 1000);
    }
    const p95 = took.toSorted((a, b) => a - b)[18] ?? Infinity;
    process.stdout.write(
      `a known computer signs in after ${POSTS} posts: p95 ${p95.toFixed(3)} s\n`,
    );
    if (LONG) expect(p95).toBeLessThanOrEqual(SECONDS);
  });
});

describe('Guesses at one account in a quarter of an hour (S-5)', () => {
  beforeAll(() => open(RATES));
  afterAll(() => clinic.close());

  /** How many of these guesses are judged, each as soon as it may be. */
  async function judged(guess: (n: number) => Promise<Response>): Promise<number> {
    const end = clinic.clock.now() + 15 * 60;
    let count = 0;
    for (let n = 0; clinic.clock.now() < end; n++) {
      const answer = await guess(n);
      if (answer.statusCode === 401) count += 1;
      else clinic.clock.advance(Math.max(1, Number(answer.headers['retry-after'] ?? 0)));
    }
    return count;
  }
  const most = { staff: RATES.staffPerAccount.count, patient: RATES.loginPerAccount.count };
  const wrong = { password: 'a-wrong-guess' };
  const elsewhere = (n: number) => ({ address: `2001:db8:${n.toString(16)}::1` });
  async function colleaguesCookie() {
    const email = (await aStaffMember(clinic, 'manager')).email;
    return cookieOf(await staffSignIn(elsewhere(0xf00), { email }), /device|computer/);
  }

  // Shows: S-5
  test('are ten from all unknown computers together, whatever network or cookie they come with', async () => {
    const colleagues = await colleaguesCookie();
    const cookies = ['', colleagues, atHome, `${colleagues}A`, 'device=' + 'A'.repeat(43)];
    const from = (n: number) => ({ ...elsewhere(n), cookie: cookies[n % cookies.length] ?? '' });
    expect(await judged((n) => staffSignIn(from(n), wrong))).toBe(most.staff);
    const home = (n: number) => ({ ...elsewhere(n), cookie: n % 2 ? colleagues : '' });
    expect(await judged((n) => patientSignIn(home(n), wrong))).toBe(most.patient);
  });

  // Shows: S-5
  test('are ten more from each known one', async () => {
    clinic.clock.advance(3_600);
    const second = cookieOf(await staffSignIn({}), /device|computer/);
    for (const cookie of [atDesk, second]) {
      const known = (n: number) => ({ ...elsewhere(n), cookie });
      expect(await judged((n) => staffSignIn(known(n), wrong))).toBe(most.staff);
    }
    expect(await judged((n) => staffSignIn(elsewhere(n), wrong))).toBe(most.staff);
  });
});

test('A network of IPv6 is counted as one, whichever of its addresses asks', async () => {
  await open();
  const statuses: number[] = [];
  for (let n = 0; n <= rates.staffPerAddress.count; n++) {
    const address = `2001:db8:77:${n.toString(16)}::${n.toString(16)}`;
    statuses.push((await staffSignIn({ address }, { email: `n${n}@x.example` })).statusCode);
  }
  expect([new Set(statuses.slice(0, -1)), statuses.at(-1)]).toEqual([new Set([401]), 429]);
  await clinic.close();
});
