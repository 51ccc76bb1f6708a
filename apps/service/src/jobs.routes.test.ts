import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { fakeEmr } from '@clinic/practice/emr/practice-emr.ts';
import { keptReports } from '../testing/kept-reports.ts';
import { testApp, testLog } from '../testing/test-app.ts';
import { jobRuns, lateJobs } from './database/job-runs.ts';
import { type Job, jobsOf, runJobs } from './jobs.ts';
import type { Emr } from './modules/records/emr.ts';

const job = (work: Job['work'], more: Partial<Job> = {}): Job => ({
  name: 'planted',
  everyMs: 1_000,
  lease: 'none',
  work,
  ...more,
});

describe('A repeated job', () => {
  let app: FastifyInstance;
  const reports = keptReports();
  const log = testLog({ reports });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  const withJob = async (planted: Job) => {
    await runJobs(app, [planted], log);
    await app.ready();
  };

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    app = Fastify();
    log.failures.length = 0;
  });
  afterEach(async () => {
    vi.useRealTimers();
    await app.close();
  });

  test('is done again its time after the last one was over, and never twice at once', async () => {
    const done: (() => void)[] = [];
    await withJob(job(() => new Promise<void>((resolve) => done.push(resolve))));
    expect(done).toHaveLength(0);
    await pass(5_000);
    expect(done).toHaveLength(1);
    done[0]?.();
    await pass(1_000);
    expect(done).toHaveLength(2);
    done[1]?.();
  });

  test('goes on after it failed, which is logged, counted and reported under its name', async () => {
    let tries = 0;
    await withJob(job(() => Promise.reject(new Error(`try ${(tries += 1)}`))));
    await pass(2_000);
    expect(tries).toBe(2);
    expect(log.failures.map(({ code }) => code)).toEqual(Array(2).fill('job-failed.planted'));
    expect(log.errorCounts.get('job-failed.planted')).toBe(2);
    expect(reports.last).toMatchObject([
      { kind: 'service', code: 'job-failed.planted', error: 'Error' },
      { kind: 'service', code: 'job-failed.planted', error: 'Error' },
    ]);
  });

  test('is done before the service opens where it says so, and keeps it shut if it fails', async () => {
    let done = 0;
    await withJob(job(() => Promise.resolve((done += 1)), { atStart: true }));
    expect(done).toBe(1);
    const broken = job(() => Promise.reject(new Error('broken')), { atStart: true });
    await expect(runJobs(Fastify(), [broken], log)).rejects.toThrow('broken');
  });

  test('takes as long as it needs before the service opens', async () => {
    const slow = job(() => new Promise((resolve) => setTimeout(resolve, 60_000)), {
      atStart: true,
    });
    const opened = withJob(slow);
    await pass(60_000);
    await expect(opened).resolves.toBeUndefined();
  });

  test('ends with the service, which waits for what is under way', async () => {
    let begun = 0;
    let finish = () => {};
    const work = () => {
      begun += 1;
      return new Promise<void>((resolve) => (finish = resolve));
    };
    await withJob(job(work));
    await pass(1_000);
    let closed = false;
    const closing = app.close().then(() => (closed = true));
    await pass(1_000);
    expect(closed).toBe(false);
    finish();
    await closing;
    await pass(10_000);
    expect(begun).toBe(1);
  });
});

test('A service opens although its spent rows cannot be dropped just then', async () => {
  const clinic = await testApp();
  const { platform } = clinic;
  const busy = () => Promise.reject(new Error('Another process has the rows'));
  const rateLimit = { ...platform.rateLimit, sweep: busy };
  const app = Fastify();
  await runJobs(app, jobsOf({ ...platform, rateLimit }), platform.log);
  await expect(app.ready()).resolves.toBeDefined();
  await app.close();
  await clinic.close();
});

test('An EMR is synced with where one is connected', async () => {
  const clinic = await testApp();
  const namesWith = (emr: Emr | null) =>
    jobsOf({ ...clinic.platform, emr }).map(({ name }) => name);
  await clinic.close();
  expect(namesWith(null)).not.toContain('emr');
  expect(namesWith(fakeEmr())).toContain('emr');
});

test('Each job of the service has a name of its own', async () => {
  const clinic = await testApp();
  const names = jobsOf({ ...clinic.platform, keepSchedule: () => Promise.resolve() }).map(
    ({ name }) => name,
  );
  await clinic.close();
  expect(names).toContain('schedule');
  expect(new Set(names).size).toBe(names.length);
});

test('When each kind of job last ended well is noted, over all processes, and who is late is told', async () => {
  const clinic = await testApp();
  const { database, clock } = clinic;
  /** A process that does one thing and notes it. */
  const processThatDoes = async (named: string) => {
    for (const { name, work } of jobsOf(clinic.platform))
      if (name === named || name === 'runs-noted') await work();
  };
  const began = clock.now();
  await processThatDoes('names');
  clock.advance(1_000);
  await processThatDoes('addresses');
  const runs = await jobRuns(database.db);
  expect([runs.get('names')?.endedAt, runs.get('addresses')?.endedAt]).toEqual([
    began,
    clock.now(),
  ]);
  expect(lateJobs(runs, clock.now())).toEqual([]);
  clock.advance(361);
  const late = lateJobs(runs, clock.now()).map(({ name }) => name);
  expect(late).toContain('names');
  expect(late).not.toContain('spent-rows');
  await clinic.close();
});
