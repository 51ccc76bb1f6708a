import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sharedConnection } from './live.ts';

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
