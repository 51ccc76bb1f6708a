import { expect, test } from 'vitest';

import { type CallResult, createClient } from './client.ts';
import { ASKING_MS, askUntilKnown, outcomeOf } from './outcome.ts';
import { type TextCode, text } from './texts/index.ts';

type Result = CallResult<'createBooking'>;

const unreachable: Result = { kind: 'unreachable' };
const booked = { kind: 'answer', answer: { success: true } } as Result;
const refusal = (status: number, code: TextCode): Result => ({
  kind: 'refusal',
  status,
  refusal: { success: false, extras: { code, message: text('en', code) } },
});
const ofAProxy = (status: number): Result => ({ kind: 'refusal', status, refusal: null });
const told = (result: Result, unknown = 0, askingMs = 0) =>
  outcomeOf(result, { unknown, askingMs }).kind;

// Shows: R-95
test('no answer, an answer that is none of ours, and a service that broke off tell nothing', () => {
  for (const result of [
    unreachable,
    ofAProxy(500),
    ofAProxy(502),
    ofAProxy(504),
    ofAProxy(408),
    refusal(500, 'bug'),
    refusal(503, 'serviceBusy'),
    refusal(503, 'paymentUnknown'),
    refusal(503, 'clinicConfirming'),
    refusal(409, 'paymentUnderWay'),
  ])
    expect([result, told(result), told(result, 3)]).toEqual([result, 'askAgain', 'askAgain']);
});

test('what the service decided is known, the first time and asked again', () => {
  for (const result of [
    refusal(409, 'slotTaken'),
    refusal(409, 'holdGone'),
    refusal(402, 'cardDeclined'),
    refusal(409, 'amountDiffers'),
    refusal(422, 'invalidInput'),
    refusal(404, 'notFound'),
    refusal(503, 'paymentsUnavailable'),
    refusal(503, 'primaryDoctorUnknown'),
    refusal(503, 'recordsOffline'),
  ])
    expect([result, told(result), told(result, 3)]).toEqual([result, 'refused', 'refused']);
  expect([told(booked), told(booked, 3)]).toEqual(['done', 'done']);
});

test('who is turned away at the door did nothing now, and nobody looked for what was done before', () => {
  for (const result of [
    refusal(429, 'tooManyRequests'),
    refusal(403, 'notVisible'),
    ofAProxy(404),
    ofAProxy(402),
  ])
    expect([result, told(result), told(result, 1)]).toEqual([result, 'refused', 'askAgain']);
});

test('a session that ended meanwhile ends the asking, and what was done stays unknown', () => {
  expect(told(refusal(401, 'tokenNotValid'))).toBe('refused');
  expect(told(refusal(401, 'tokenNotValid'), 1)).toBe('unknown');
});

test("after the minute it is unknown, in the service's words where it had some", () => {
  const late = { unknown: 20, askingMs: ASKING_MS };
  expect(outcomeOf(unreachable, late)).toEqual({ kind: 'unknown', message: null });
  expect(outcomeOf(refusal(500, 'bug'), late)).toEqual({ kind: 'unknown', message: null });
  expect(outcomeOf(refusal(503, 'paymentUnknown'), late)).toEqual({
    kind: 'unknown',
    message: text('en', 'paymentUnknown'),
  });
});

// Shows: R-95
test('the same call is sent again, ever more rarely, for a minute', async () => {
  let now = 0;
  const pauses: number[] = [];
  let told = 0;
  const known = await askUntilKnown(
    async () => unreachable,
    { now: () => now, pause: async (ms) => void (pauses.push(ms), (now += ms)) },
    () => (told += 1),
  );
  expect(known).toEqual({ kind: 'unknown', message: null });
  expect(pauses.slice(0, 7)).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000]);
  expect([now > ASKING_MS - 8000, now <= ASKING_MS, told]).toEqual([true, true, 1]);
});

test('the asking ends with the first answer that knows', async () => {
  const answers = [unreachable, ofAProxy(502), refusal(409, 'slotTaken'), booked];
  const known = await askUntilKnown(
    async () => answers.shift() ?? unreachable,
    { now: () => 0, pause: async () => {} },
    () => {},
  );
  expect(known).toMatchObject({ kind: 'refused', refused: { status: 409 } });
  expect(answers).toEqual([booked]);
});

// Shows: R-95
test('a call that books or pays does not compile without its key', async () => {
  const result: (string | null)[] = [];
  const ask = createClient({
    base: '/api',
    headers: () => ({}),
    fetch: async (_, { headers } = {}) => {
      result.push(new Headers(headers).get('idempotency-key'));
      return Response.json({ success: true });
    },
  });
  // @ts-expect-error -- what may be done once only is asked for under a key
  await ask('charge', { headers: {}, body: {} });
  await ask('charge', { headers: { 'idempotency-key': 'book-0001' }, body: {} });
  expect(result).toEqual([null, 'book-0001']);
});
