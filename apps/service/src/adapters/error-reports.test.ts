import { describe, expect, it } from 'vitest';
import { type ErrorReport, scrubbed } from '../server/log.ts';
import { createLoggedErrorReports, createSentryErrorReports } from './error-reports.ts';

const PAYMENT = '2f0c5f8e-6f0a-4f5e-9d0a-000000000001';
const report: ErrorReport = {
  kind: 'charge',
  code: 'insufficient_funds',
  payment: PAYMENT,
  requestId: 'req-1a',
  state: 'declined',
  status: 402,
  tries: 1,
};

const ofTheService: ErrorReport = {
  kind: 'service',
  code: 'job-failed.outbox',
  call: 'createBooking',
  error: 'TypeError',
  sqlState: '23505',
  frames: [
    'at async Object.drain (file:///srv/clinic/apps/service/src/outbox.ts:40:12)',
    'at new Pool (/srv/node_modules/@scope/pg-pool/index.js:1:1)',
    'at node:internal/process/task_queues:104:5',
  ],
};

describe('what a report of an error may carry', () => {
  it('is its codes, numbers and our own ids', () => {
    expect(scrubbed(report)).toEqual(report);
  });

  it('is also what the engine and the database say of where an error arose', () => {
    expect(scrubbed(ofTheService)).toEqual(ofTheService);
  });

  it.each([
    'Casey paid',
    'at home since Monday',
    'at /Casey Morgan:1:1',
    'at x (a@b.example:1:1)',
    7,
  ])('is not the frame %j', (frame) => {
    expect(scrubbed({ ...ofTheService, frames: [frame], sqlState: 'Casey Morgan' })).toEqual({
      kind: 'service',
      code: 'job-failed.outbox',
      call: 'createBooking',
      error: 'TypeError',
      frames: [],
    });
  });

  // Shows: S-8
  it('is nothing that the allowlist does not name', () => {
    const leaky = { ...report, message: 'Casey paid', card: '4242424242424242', reason: 'Cough' };
    expect(scrubbed(leaky)).toEqual(report);
  });

  it.each([
    ['a sentence', 'Your card was declined.'],
    ['a card number', 'c4242424242424242'],
    ['a card number in groups', 'c4242-4242-4242-4242'],
    ['a health number', 'hin9876543218'],
    ['an e-mail address', 'casey@practice.example'],
    ['no text', 42],
  ])('is not %s, wherever it stands', (_, value) => {
    const found = scrubbed({ kind: value, code: value, requestId: value, state: value });
    expect(found).toEqual({ kind: 'client', code: 'unknown' });
  });

  it.each([Number.NaN, 4242424242424242, 1.5, '402'])('is not the number %s', (status) => {
    expect(scrubbed({ kind: 'charge', code: 'x', status })).toEqual({ kind: 'charge', code: 'x' });
  });
});

describe('the practice reports', () => {
  it('count by kind and code, and go nowhere', () => {
    const told: string[] = [];
    const reports = createLoggedErrorReports((code) => told.push(code));
    reports.report(report);
    reports.report(report);
    reports.report({ kind: 'capture', code: 'gateway_down' });
    expect(told).toEqual([
      'error-report:charge:insufficient_funds:1',
      'error-report:charge:insufficient_funds:2',
      'error-report:capture:gateway_down:1',
    ]);
  });
});

describe("the reports to Sentry's address", () => {
  const sent: { url: string; body: string }[] = [];
  const lost: unknown[] = [];
  const reports = (answer: () => Promise<Response>) =>
    createSentryErrorReports({
      dsn: 'https://key@errors.example/7',
      newId: () => PAYMENT,
      now: () => 1000,
      onLost: (error) => lost.push(error),
      fetch: async (url, init) => {
        const request = new Request(url, init);
        sent.push({ url: request.url, body: await request.text() });
        return answer();
      },
    });
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  // Shows: 7.browser.3
  it('are an envelope with the scrubbed report and no more', async () => {
    const withName = { ...report, name: 'Casey' };
    reports(async () => new Response('{}')).report(withName);
    await settled();
    const { url, body } = sent.at(-1) ?? { url: '', body: '' };
    const lines = body.split('\n').map((line) => JSON.parse(line) as unknown);
    expect(url).toBe('https://errors.example/api/7/envelope/');
    expect(lines[2]).toMatchObject({
      message: 'charge:insufficient_funds',
      tags: { kind: 'charge', code: 'insufficient_funds' },
      extra: { payment: PAYMENT, status: 402 },
    });
    expect(body).not.toContain('Casey');
    expect(lost).toEqual([]);
  });

  it('are waited for by whoever ends the process', async () => {
    let taken: (answer: Response) => void = () => undefined;
    const slow = reports(() => new Promise((resolve) => (taken = resolve)));
    await slow.sent();
    slow.report(report);
    let isSent = false;
    const waiting = slow.sent().then(() => (isSent = true));
    await settled();
    expect(isSent).toBe(false);
    taken(new Response('{}'));
    await waiting;
    expect(lost).toEqual([]);
  });

  it('never throw: what was not taken is told and forgotten', async () => {
    reports(async () => new Response('', { status: 429 })).report(report);
    reports(() => Promise.reject(new Error('no network'))).report(report);
    await settled();
    expect(lost).toHaveLength(2);
  });
});
