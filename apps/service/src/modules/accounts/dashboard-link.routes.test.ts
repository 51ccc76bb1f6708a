import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type PatientRow,
  type TestApp,
  aClinic,
  aPatient,
  ask,
  signIn,
  testApp,
} from '../../../testing/index.ts';
import { oneTimeCode, session } from '../../schema.ts';
import { RATES } from '../../server/rates.ts';
import { patient } from './schema.ts';
import { dashboardSignature } from './dashboard-link.ts';

const SECRET = 'the-secret-of-the-dashboard';
let clinic: TestApp;
let pat: PatientRow;
const open = async (config: { dashboardSecret: string | null } = { dashboardSecret: SECRET }) => {
  clinic = await testApp({ config });
  await aClinic(clinic);
  pat = await aPatient(clinic, { email: 'pat@test.example' });
};
beforeEach(() => open());
afterEach(() => clinic.close());

interface Asking {
  readonly secret?: string;
  readonly time?: number;
  readonly body?: Record<string, unknown>;
  readonly signedBody?: Record<string, unknown>;
}
function mint({ secret = SECRET, time, body, signedBody }: Asking = {}) {
  const sent = body ?? { email: 'pat@test.example', selectedAppType: 'I' };
  const at = String(time ?? clinic.clock.now());
  const signature = dashboardSignature(secret, at, JSON.stringify(signedBody ?? sent));
  return ask(clinic, 'mintDashboardLink', {
    body: sent,
    headers: { 'x-dashboard-time': at, 'x-dashboard-signature': signature },
  });
}
const url = async (asking: Asking = {}) => (await mint(asking)).answer().extras.url;
const tokenOf = (address: string) => new URL(address).pathname.split('/')[2] ?? '';
const linkToken = async () => tokenOf(await url());
const me = (token: string, headers: Record<string, string> = {}) =>
  ask(clinic, 'getMe', { token, headers });
const sessionOf = async (token: string) => (await me(token)).answer().token ?? '';

describe('A sign-in link (R-68)', () => {
  test('is made for the dashboard, for five minutes', async () => {
    const { extras } = (await mint()).answer();
    expect(extras.url).toMatch(/^http:\/\/127\.0\.0\.1:3000\/auth\/link_[\w-]{43}\/I$/);
    expect(extras.expiresAt).toBe(clinic.clock.now() + 300);
    expect(await url({ body: { email: ' PAT@test.example' } })).toMatch(/\/Z$/);
    const rows = JSON.stringify(await clinic.database.db.select().from(oneTimeCode));
    expect(rows).not.toContain(tokenOf(extras.url));
  });

  test.each<[string, () => Asking]>([
    ['signed by another secret', () => ({ secret: 'guessed' })],
    ['a minute and a second old', () => ({ time: clinic.clock.now() - 61 })],
    ['a minute and a second ahead', () => ({ time: clinic.clock.now() + 61 })],
    ['with another body than was signed', () => ({ signedBody: { email: 'eve@test.example' } })],
  ])('is not made for a request %s', async (_, asking) => {
    const refused = await mint(asking());
    expect([refused.statusCode, refused.refusal().extras.code]).toEqual([401, 'dashboardRefused']);
  });

  test('is not made twice for one signature', async () => {
    expect((await mint()).statusCode).toBe(200);
    expect((await mint()).refusal().extras.code).toBe('dashboardRefused');
    clinic.clock.advance(1);
    expect((await mint()).statusCode).toBe(200);
  });

  test('is not made without a secret in the configuration', async () => {
    await clinic.close();
    await open({ dashboardSecret: null });
    expect((await mint()).refusal().extras.code).toBe('dashboardClosed');
  });

  test('is not made for nobody, a blocked or closed account', async () => {
    const set = (over: Partial<PatientRow>) =>
      clinic.database.inTransaction((tx) =>
        tx.update(patient).set(over).where(eq(patient.id, pat.id)),
      );
    const code = async (asking: Asking = {}) => {
      clinic.clock.advance(1);
      return (await mint(asking)).refusal().extras.code;
    };
    expect(await code({ body: { email: 'nobody@test.example' } })).toBe('notFound');
    await set({ blocked: true });
    expect(await code()).toBe('accountBlocked');
    await set({ blocked: false, closedAt: 1 });
    expect(await code()).toBe('accountBlocked');
    await set({ closedAt: null, visibility: [] });
    expect(await code()).toBe('notVisible');
  });

  test('is what docs/dashboard.md shows the clinic’s web team', async () => {
    const page = readFileSync('docs/dashboard.md', 'utf8');
    const script = /```sh\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
    const now = String(clinic.clock.now());
    // Only the sending is replaced: curl's arguments are printed in place of being sent.
    const printed = execFileSync('bash', ['-c', `curl() { printf '%s\\n' "$@"; }\n${script}`], {
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        DASHBOARD_SECRET: SECRET,
        CLINIC: 'https://booking.example',
        PATIENT: 'pat@test.example',
        NOW: now,
      },
    }).split('\n');
    const headers = Object.fromEntries(
      printed.filter((each) => each.startsWith('x-')).map((each) => each.split(': ')),
    ) as Record<string, string>;
    const payload = printed[printed.indexOf('--data') + 1] ?? '';
    expect(printed.at(-2)).toBe('https://booking.example/api/dashboard/link');
    const answer = await clinic.app.inject({
      method: 'POST',
      url: '/api/dashboard/link',
      headers: { ...headers, 'content-type': 'application/json' },
      payload,
    });
    expect([answer.statusCode, answer.body]).toEqual([200, answer.body]);
  });
});

describe('The exchange of a link for a session (R-68)', () => {
  // Shows: R-68
  test('answers GET /me with the session token that replaces the link', async () => {
    const answer = (await me(await linkToken())).answer();
    expect(answer).toMatchObject({ email: 'pat@test.example' });
    expect(answer.token).toMatch(/^[\w-]{43}$/);
    const again = (await me(answer.token ?? '')).answer();
    expect(again.email).toBe('pat@test.example');
    expect(again.token).toBeUndefined();
    expect(JSON.stringify(await clinic.database.db.select().from(session))).not.toContain(
      answer.token,
    );
    const rows = await clinic.trail();
    expect(rows.map(({ action }) => action)).toEqual(['sign-in link made', 'signed in']);
  });

  // Shows: R-68
  test('opens nothing but GET /me', async () => {
    const token = await linkToken();
    for (const id of ['listAppointments', 'logout', 'renewSession'] as const)
      expect((await ask(clinic, id, { token })).statusCode).toBe(401);
    expect((await me(token)).statusCode).toBe(200);
  });

  // Shows: R-68
  test('may be repeated for 60 seconds, and gives the same session', async () => {
    const token = await linkToken();
    const first = await sessionOf(token);
    clinic.clock.advance(60);
    expect(await sessionOf(token)).toBe(first);
    expect(await clinic.database.db.select().from(session)).toHaveLength(1);
    clinic.clock.advance(1);
    expect((await me(token)).refusal().type).toBe('tokenNotValid');
    expect((await me(first)).statusCode).toBe(200);
  });

  test('sent twice at once gives one session', async () => {
    const token = await linkToken();
    const [one, other] = await Promise.all([sessionOf(token), sessionOf(token)]);
    expect(one).toBe(other);
    expect(await clinic.database.db.select().from(session)).toHaveLength(1);
  });

  test.each([
    ['used', (token: string) => me(token)],
    ['used in the background', (token: string) => me(token, { 'x-background': '1' })],
    ['signed out', (token: string) => ask(clinic, 'logout', { token })],
  ])('is over as soon as its session is %s', async (_, use) => {
    const token = await linkToken();
    await use(await sessionOf(token));
    expect((await me(token)).statusCode).toBe(401);
  });

  test('is over after five minutes', async () => {
    const token = await linkToken();
    clinic.clock.advance(300);
    expect((await me(token)).statusCode).toBe(401);
  });

  test('is refused to who was blocked meanwhile, and says so (R-60)', async () => {
    const token = await linkToken();
    await clinic.database.inTransaction((tx) =>
      tx.update(patient).set({ blocked: true }).where(eq(patient.id, pat.id)),
    );
    expect((await me(token)).refusal().extras.code).toBe('accountBlocked');
  });

  // Shows: S-5
  test('is bounded as a flood is, where links open nothing too (S-5)', async () => {
    await clinic.close();
    const tokensPerAddress = { ...RATES.tokensPerAddress, count: 30 };
    clinic = await testApp({ config: { rates: { ...RATES, tokensPerAddress } } });
    const guess = () => me(`link_${'A'.repeat(43)}`);
    const statuses = (await Promise.all(Array.from({ length: 50 }, guess))).map(
      ({ statusCode }) => statusCode,
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });

  test('leaves a session that was signed in otherwise alone', async () => {
    const other = await signIn(clinic, pat);
    await sessionOf(await linkToken());
    expect((await me(other)).statusCode).toBe(200);
  });
});
