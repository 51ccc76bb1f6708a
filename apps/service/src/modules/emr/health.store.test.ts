import { afterEach, beforeEach, expect, test } from 'vitest';

import { type FakeEmr, fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { toInstant } from '@clinic/domain';

import { aClinic, aPatientRow } from '../../../testing/a-clinic.ts';
import { ask } from '../../../testing/ask.ts';
import { signIn } from '../../../testing/sign-in.ts';
import { type TestApp, testApp } from '../../../testing/test-app.ts';
import type { EmrKey, KeyStanding } from '../records/emr.ts';
import { emrHealth, watchKeys } from './health.ts';
import { appointments } from '../appointments/store.ts';
import { syncFromEmr } from './sync/sync.ts';
import { emrBook } from './emr-book.ts';

const start = toInstant('2026-11-23', '08:00');

let clinic: TestApp;
let emr: FakeEmr;
/** Which keys were tried, look by look. */
let tried: (readonly EmrKey[])[];
let token: string;
let events: string[];

beforeEach(async () => {
  const fake = fakeEmr({ days: null });
  tried = [];
  events = [];
  emr = {
    ...fake,
    tryKeys(keys, within) {
      tried.push(keys);
      return fake.tryKeys(keys, within);
    },
  };
  clinic = await testApp({ emr });
  await aClinic(clinic.database, { providers: [{ id: '101' }] });
  token = await signIn(clinic, { id: await aPatientRow(clinic.database) });
  await sync();
  await watch();
});
afterEach(() => clinic.close());

const now = () => clinic.clock.now();
const log = () => ({ ...clinic.log, event: (code: string) => void events.push(code) });
const ports = () => ({ ...clinic.platform, emr, log: log() });
const watch = () => watchKeys(ports(), now());
const health = () => emrHealth(clinic.database.db, now());
/** A sync that is refused ends with the refusal. */
const sync = () =>
  syncFromEmr({ ...ports(), appointments, emrBook }, now()).catch((error: unknown) =>
    expect(error).toHaveProperty('name', 'EmrRefused'),
  );
async function after(seconds: number) {
  clinic.clock.advance(seconds);
  await sync();
  await watch();
}
const book = async () => {
  const slot = { start, end: start + 300, doctor: '101', selectedType: 'O' };
  const body = { ...slot, reason: 'Cough' };
  return ask(clinic, 'createBooking', { token, body });
};
const status = async () => (await ask(clinic, 'recordsStatus')).answer();

test('a token that is refused pauses booking within five minutes, and nobody is told of silence', async () => {
  expect(await health()).toMatchObject({ kind: 'answers', isBookingPaused: false });
  emr.faults.refuses = ['token'];
  const since = now() + 120;
  for (let seconds = 0; seconds < 300; seconds += 20) await after(20);
  expect(await health()).toMatchObject({
    kind: 'refused',
    isFollowed: true,
    isBookingPaused: true,
    refused: [{ key: 'token', since }],
    asOf: now(),
  });
  expect(await status()).toEqual({
    success: true,
    status: true,
    extras: { asOf: now(), refused: true },
  });
  expect((await book()).refusal().extras.code).toBe('clinicRefuses');
  expect(emr.busy()).toEqual([]);
  expect(events).toEqual(['emr-token-refused']);
});

test('a login that is refused is a refusal, and no silence; one that is taken again heals it', async () => {
  emr.faults.refuses = ['login'];
  for (let seconds = 0; seconds < 300; seconds += 20) await after(20);
  expect(await health()).toMatchObject({
    kind: 'refused',
    isFollowed: false,
    isBookingPaused: true,
    refused: [{ key: 'login', why: 'The login was refused' }],
  });
  expect(await status()).toMatchObject({ status: true, extras: { refused: true } });
  emr.faults.refuses = [];
  for (let seconds = 0; seconds < 140; seconds += 20) await after(20);
  expect(await health()).toMatchObject({ kind: 'answers', refused: [] });
  expect((await book()).statusCode).toBe(200);
});

test('an EMR that takes both keys and refuses what is asked is neither silent nor well', async () => {
  emr.faults.refuses = ['login'];
  emr.tryKeys = (keys) =>
    Promise.resolve(keys.map((key) => ({ key, state: 'taken', why: null, ...noEnd })));
  for (let seconds = 0; seconds < 140; seconds += 20) await after(20);
  expect(await health()).toMatchObject({ kind: 'refused', isBookingPaused: true, refused: [] });
});

test('silence is no refusal, and says nothing of the keys', async () => {
  emr.faults.offline = true;
  for (let seconds = 0; seconds < 140; seconds += 20) await after(20);
  expect(await health()).toMatchObject({ kind: 'silent', refused: [] });
  expect(await status()).not.toHaveProperty('extras.refused');
});

test('each key is tried once in two minutes by all processes together, and no login that the sync has proved', async () => {
  tried = [];
  for (let seconds = 0; seconds < 360; seconds += 20) {
    clinic.clock.advance(20);
    await sync();
    await Promise.all([watch(), watch(), watch()]);
  }
  expect(tried).toEqual([['token'], ['token'], ['token']]);
});

const noEnd = { endsAt: null, livesSeconds: null };
const DAY = 86_400;

test.each([
  ['two weeks ahead', 365 * DAY, 14 * DAY],
  ['ten minutes ahead where it lives an hour', 3_600, 600],
] as const)('the end of a token is told %s', async (_, livesSeconds, ahead) => {
  const endsAt = now() + livesSeconds;
  emr.tryKeys = (keys) =>
    Promise.resolve(
      keys.map((key): KeyStanding => ({ key, state: 'taken', why: null, endsAt, livesSeconds })),
    );
  await after(120);
  const told = async (at: number) => (await emrHealth(clinic.database.db, at)).ending;
  expect(await told(endsAt - ahead - 1)).toEqual([]);
  expect(await told(endsAt - ahead)).toContainEqual({ key: 'token', endsAt });
});

test('a token that lives for an hour only pauses nothing when it ends: booking goes by the login', async () => {
  emr.tryKeys = (keys) =>
    Promise.resolve(
      keys.map((key): KeyStanding => ({
        key,
        state: key === 'token' ? 'refused' : 'taken',
        why: null,
        endsAt: null,
        livesSeconds: 3_600,
      })),
    );
  await after(120);
  expect(await health()).toMatchObject({ kind: 'refused', isBookingPaused: false });
  expect((await book()).statusCode).toBe(200);
});
