import { beforeEach, expect, test } from 'vitest';
import { type ErrorReport, type Log, type ReportedLog, reportedLog } from './log.ts';

let now: number;
let logged: string[];
let reported: ErrorReport[];
let log: ReportedLog;
beforeEach(() => {
  now = 0;
  logged = [];
  reported = [];
  const silent: Log = {
    request: () => undefined,
    error: (code) => void logged.push(code),
    event: () => undefined,
  };
  log = reportedLog(silent, { report: (one) => void reported.push(one) }, () => now);
});

// Shows: S-8
test('An error is logged, counted and reported: its kind and where it arose, nothing it said', () => {
  const cause = Object.assign(new Error('Key (email)=(casey@x.example)'), { code: '23505' });
  const error = new TypeError('Casey Morgan', { cause });
  log.error('bug', error, { requestId: 'r', route: '/api/me', call: 'getMe' });
  expect(logged).toEqual(['bug']);
  expect([...log.errorCounts]).toEqual([['bug', 1]]);
  expect(reported).toEqual([
    {
      kind: 'service',
      code: 'bug',
      error: 'TypeError',
      sqlState: '23505',
      requestId: 'r',
      call: 'getMe',
      frames: expect.arrayContaining([expect.stringContaining('reported-log.test.ts')]) as unknown,
    },
  ]);
  expect(JSON.stringify(reported)).not.toMatch(/casey/i);
});

test('An error again and again is reported ten times a minute and always counted', () => {
  for (let times = 0; times < 500; times += 1) log.error('serviceBusy', new Error());
  log.error('bug', new Error());
  expect(reported.map(({ code }) => code)).toEqual([
    ...Array<string>(10).fill('serviceBusy'),
    'bug',
  ]);
  now += 60_000;
  log.error('serviceBusy', new Error());
  expect(reported).toHaveLength(12);
  expect(log.errorCounts.get('serviceBusy')).toBe(501);
  expect(logged).toHaveLength(502);
});
