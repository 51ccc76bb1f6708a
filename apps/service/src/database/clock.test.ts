import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type DatabaseClock, databaseClock } from './clock.store.ts';
import type { Database } from './db.ts';

const NOON = 1_796_328_000;
const MINUTES = 60_000;

/** Milliseconds: what the database says, the host's clock, and the one that only ever goes on. */
let database: number;
let wall: number;
let steady: number;
let looks: number;
let answer: () => Promise<unknown>;
let clock: DatabaseClock;

const pass = (ms: number) => {
  database += ms;
  wall += ms;
  steady += ms;
};
/** The wait for an answer, of which half is the way there. */
const answered = async (afterMs = 0) => {
  const rows = [{ ms: database + afterMs / 2 }];
  pass(afterMs);
  return { rows };
};

beforeEach(async () => {
  vi.useFakeTimers();
  [database, wall, steady, looks] = [NOON * 1000, 5_000_000, 1_000, 0];
  answer = answered;
  const db = { $client: { query: () => ((looks += 1), answer()) } };
  const host = { wall: () => wall, steady: () => steady };
  clock = await databaseClock({ db } as unknown as Pick<Database, 'db'>, host);
});
afterEach(() => {
  clock.stop();
  vi.useRealTimers();
});

describe('The service’s now', () => {
  test('is the database’s, whatever the host’s clock says', () => {
    expect(clock.now()).toBe(NOON);
    pass(90_000);
    expect(clock.now()).toBe(NOON + 90);
  });

  test('comes with how far the host’s clock is before it', async () => {
    const apart = 5_000 - NOON;
    expect(clock.skew()).toBe(apart);
    wall += 10 * MINUTES;
    await clock.sure?.();
    expect(clock.skew()).toBe(apart + 600);
  });

  // Shows: R-11
  test.each([10 * MINUTES, -10 * MINUTES])(
    'does not follow a step of the host by %i ms',
    (step) => {
      wall += step;
      expect(clock.now()).toBe(NOON);
    },
  );

  test('is looked up before the next answer when the host slept', async () => {
    await clock.sure?.();
    expect(looks).toBe(1);
    database += 10 * MINUTES;
    wall += 10 * MINUTES;
    await Promise.all([clock.sure?.(), clock.sure?.()]);
    expect([clock.now(), looks]).toEqual([NOON + 600, 2]);
    await clock.sure?.();
    expect(looks).toBe(2);
  });

  test('is looked up within a second also where nobody asks', async () => {
    database += 10 * MINUTES;
    wall += 10 * MINUTES;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(clock.now()).toBe(NOON + 600);
  });

  test('follows the database’s every minute', async () => {
    pass(MINUTES);
    database += 5_000;
    await vi.advanceTimersByTimeAsync(1_000);
    expect([clock.now(), looks]).toEqual([NOON + 65, 2]);
  });

  test('is not taken from an answer that was long on its way', async () => {
    pass(MINUTES);
    answer = async () => {
      pass(4_000);
      return { rows: [{ ms: database }] };
    };
    await vi.advanceTimersByTimeAsync(1_000);
    expect(clock.now()).toBe(NOON + 64);
  });

  test('goes on, and keeps nobody waiting for over a second, while the database is silent', async () => {
    answer = () => new Promise(() => undefined);
    wall += 10 * MINUTES;
    const first = clock.sure?.();
    await vi.advanceTimersByTimeAsync(1_000);
    await first;
    await clock.sure?.();
    pass(3_000);
    expect(clock.now()).toBe(NOON + 3);
  });

  test('goes on when the database fails', async () => {
    answer = () => Promise.reject(new Error('gone'));
    wall += 10 * MINUTES;
    await clock.sure?.();
    expect(clock.now()).toBe(NOON);
  });
});
