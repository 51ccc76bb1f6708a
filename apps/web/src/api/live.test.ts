import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Told } from '@clinic/contract/kept-open';
import { afterCharges, noteCharge } from './charges-under-way.ts';
import { keepToken, dropToken } from './access-token.ts';
import { keepConnection, listenLive, listenThrough, sharedConnection } from './live.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A connection that counts how often it was opened, and is open. */
function aConnection() {
  const seen = { opened: 0, open: 0 };
  const listen = sharedConnection(() => {
    seen.opened += 1;
    seen.open += 1;
    return () => (seen.open -= 1);
  });
  return { seen, listen };
}

test('the first page is left to load before the connection is opened', () => {
  const { seen, listen } = aConnection();
  const stop = listen({});
  vi.advanceTimersByTime(5_900);
  expect(seen.opened).toBe(0);
  vi.advanceTimersByTime(200);
  expect(seen.open).toBe(1);
  stop();
  expect(seen.open).toBe(0);
});

test('until the connection is opened, a page is told that it hears nothing', () => {
  const { listen } = aConnection();
  const onNotYetOpen = vi.fn();
  const stop = listen({ onNotYetOpen });
  vi.advanceTimersByTime(5_900);
  expect(onNotYetOpen).toHaveBeenCalledTimes(3);
  vi.advanceTimersByTime(20_000);
  expect(onNotYetOpen.mock.calls.length).toBeLessThan(5);
  stop();
});

test('who looks at times is connected at once, by the one connection', () => {
  const { seen, listen } = aConnection();
  const stops = [listen({}), listen({ onSlots: () => {} })];
  expect(seen.open).toBe(1);
  vi.advanceTimersByTime(10_000);
  expect(seen.opened).toBe(1);
  for (const stop of stops) stop();
  expect(seen.open).toBe(0);
});

test('a page that is left at once opens no connection', () => {
  const { seen, listen } = aConnection();
  listen({})();
  vi.advanceTimersByTime(10_000);
  expect(seen.opened).toBe(0);
});

/** The connection of a signed-in patient, of which the test says what becomes of each try. */
function aKeptConnection() {
  const tries: (Told & { isOver: boolean })[] = [];
  const heard: string[] = [];
  listenThrough(
    sharedConnection(() =>
      keepConnection((told) => {
        const mine = { ...told, isOver: false };
        tries.push(mine);
        return () => {
          mine.isOver = true;
        };
      }),
    ),
  );
  const stop = listenLive({
    onSlots: () => {},
    onConnect: () => heard.push('connect'),
    onReturn: () => heard.push('return'),
    onUnheard: () => heard.push('unheard'),
    onLost: () => heard.push('lost'),
    onTurnedAway: () => heard.push('turned away'),
  });
  const last = () => {
    const told = tries.at(-1);
    if (told === undefined) throw new Error('Nothing was tried');
    return told;
  };
  return {
    tries,
    heard,
    stop,
    opens() {
      while (last().isOver) vi.advanceTimersByTime(1_000);
      last().opened();
    },
    /** Every try fails, for so many seconds. */
    fails(seconds: number, isRefused = false) {
      for (let second = 0; second < seconds; second += 1) {
        last().closed(isRefused);
        vi.advanceTimersByTime(1_000);
      }
    },
  };
}

describe('The connection of a patient (R-70)', () => {
  beforeEach(() => keepToken('a-token'));
  afterEach(() => dropToken());

  // Shows: R-70
  test('counts as lost after fifteen seconds without return, once, and not during a charge', async () => {
    const line = aKeptConnection();
    line.opens();
    vi.advanceTimersByTime(60_000);
    line.fails(14);
    expect(line.heard).toEqual(['connect']);
    line.fails(2);
    expect(line.heard).toEqual(['connect', 'lost']);
    line.fails(60);
    expect(line.heard.filter((each) => each === 'lost')).toHaveLength(1);
    line.opens();
    line.heard.length = 0;
    const charge = Promise.withResolvers<void>();
    void noteCharge(charge.promise);
    line.fails(20);
    expect(line.heard).toEqual([]);
    charge.resolve();
    await afterCharges();
    line.stop();
  });

  test('that the service refuses is tried again and not lost, and the pages ask for themselves', () => {
    const line = aKeptConnection();
    line.opens();
    line.fails(120, true);
    expect(line.heard).not.toContain('lost');
    expect(line.heard).toContain('turned away');
    expect(line.heard.filter((each) => each === 'unheard').length).toBeGreaterThan(1);
    expect(line.tries.length).toBeGreaterThan(8);
    line.opens();
    expect(line.heard.slice(-2)).toEqual(['connect', 'return']);
    line.stop();
  });

  test('that was refused and then finds nobody is lost, too', () => {
    const line = aKeptConnection();
    line.opens();
    line.fails(1, true);
    line.fails(20);
    expect(line.heard).toContain('lost');
    line.stop();
  });

  test('that opens after failures says that events may have been missed', () => {
    const line = aKeptConnection();
    line.fails(3);
    line.opens();
    expect(line.heard).toEqual(['connect', 'return']);
    line.stop();
  });

  test('is not tried once the patient has logged out', () => {
    const line = aKeptConnection();
    line.opens();
    dropToken();
    const before = line.tries.length;
    line.fails(120, true);
    expect(line.tries).toHaveLength(before);
    line.stop();
  });
});
