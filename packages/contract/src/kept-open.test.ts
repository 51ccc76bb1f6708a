import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepOpen, pauseAfter, type Told } from './kept-open.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A connection of which the test says what becomes of each try, and the browser around it. */
function aConnection({ mayTry = (): boolean => true, chance = 0.5 } = {}) {
  const window = new EventTarget();
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const tries: (Told & { at: number; isOver: boolean })[] = [];
  const heard: string[] = [];
  const stop = keepOpen(
    (told) => {
      const mine = { ...told, at: Date.now(), isOver: false };
      tries.push(mine);
      return () => {
        mine.isOver = true;
      };
    },
    {
      onOpen: (isReturn) => heard.push(isReturn ? 'return' : 'open'),
      onClosed: (isRefused) => heard.push(isRefused ? 'refused' : 'lost'),
      onPoll: () => heard.push('poll'),
      mayTry,
    },
    { window, document, now: () => Date.now(), random: () => chance },
  );
  const last = () => {
    const found = tries.at(-1);
    if (found === undefined) throw new Error('Nothing was tried');
    return found;
  };
  return {
    tries,
    heard,
    stop,
    last,
    /** Open for as long as a connection must stand to count. */
    standing: () => {
      last().opened();
      vi.advanceTimersByTime(11_000);
    },
    happens: (name: string, more = {}) =>
      window.dispatchEvent(Object.assign(new Event(name), more)),
    show: (visibilityState: string) => {
      Object.assign(document, { visibilityState });
      document.dispatchEvent(new Event('visibilitychange'));
    },
  };
}

for (const [name, becomes] of Object.entries({
  'that the service refuses': (told: Told) => told.closed(true),
  'that fails': (told: Told) => told.closed(false),
  'that hangs': () => void vi.advanceTimersByTime(4_000),
}))
  test(`a try ${name} is followed by another, as is a connection that ends so`, () => {
    const line = aConnection();
    becomes(line.last());
    expect(line.tries).toHaveLength(1);
    vi.advanceTimersByTime(1_000);
    expect(line.tries).toHaveLength(2);
    line.standing();
    line.last().closed(name.includes('refuses'));
    vi.advanceTimersByTime(1_000);
    expect(line.tries).toHaveLength(3);
    line.last().opened();
    expect(line.heard.filter((each) => each === 'return')).toHaveLength(2);
  });

test('whose code cannot be loaded is tried again', async () => {
  const heard: string[] = [];
  let tries = 0;
  keepOpen(
    async (told) => {
      tries += 1;
      if (tries === 1) throw new TypeError('Failed to fetch the module');
      told.opened();
      return () => {};
    },
    { onOpen: () => heard.push('open'), onPoll: () => {} },
    {
      window: new EventTarget(),
      document: Object.assign(new EventTarget(), { visibilityState: 'visible' }),
      now: () => Date.now(),
      random: () => 0.5,
    },
  );
  await vi.advanceTimersByTimeAsync(1_000);
  expect(heard).toEqual(['open']);
});

test('the pauses grow, no two pages alike, and nobody knocks in a storm', () => {
  const pauses = Array.from({ length: 7 }, (_, n) => pauseAfter(n + 1, n < 5 ? 0 : 60_000, 0.5));
  expect(pauses).toEqual([1_000, 2_000, 4_000, 4_000, 4_000, 15_000, 15_000]);
  expect([pauseAfter(9, 60_000, 0), pauseAfter(9, 60_000, 1)]).toEqual([7_500, 22_500]);
  const line = aConnection();
  for (let second = 0; second < 600; second += 1) {
    if (!line.last().isOver) line.last().closed(true);
    vi.advanceTimersByTime(1_000);
  }
  expect(line.tries.length).toBeGreaterThan(40);
  expect(line.tries.length).toBeLessThan(50);
});

test('a service that lets in and closes at once is not stormed', () => {
  const line = aConnection();
  for (let second = 0; second < 600; second += 1) {
    if (!line.last().isOver) {
      line.last().opened();
      line.last().closed(false);
    }
    vi.advanceTimersByTime(1_000);
  }
  expect(line.tries.length).toBeLessThan(50);
});

test('while it is not open its listeners ask for themselves, and no longer once it is', () => {
  const line = aConnection();
  line.standing();
  vi.advanceTimersByTime(300_000);
  expect(line.heard).toEqual(['open']);
  line.last().closed(true);
  for (let beat = 0; beat < 8; beat += 1) {
    vi.advanceTimersByTime(10_000);
    if (!line.last().isOver) line.last().closed(true);
  }
  expect(line.heard.filter((each) => each === 'poll')).toHaveLength(2);
  vi.advanceTimersByTime(20_000);
  line.last().opened();
  line.heard.length = 0;
  vi.advanceTimersByTime(300_000);
  expect(line.heard).toEqual([]);
});

test('a network that comes or goes, and waking up, open it anew: what stood may be dead', () => {
  const line = aConnection();
  line.standing();
  line.happens('offline');
  expect([line.tries.length, line.tries[0]?.isOver]).toEqual([2, true]);
  line.last().closed(false);
  vi.advanceTimersByTime(60_000);
  const before = line.tries.length;
  line.happens('online');
  expect(line.tries).toHaveLength(before + 1);
  line.standing();
  expect(line.heard.at(-1)).toBe('return');
  vi.setSystemTime(Date.now() + 3_600_000);
  vi.advanceTimersByTime(10_000);
  expect(line.tries).toHaveLength(before + 2);
  line.last().opened();
  expect(line.heard.at(-1)).toBe('return');
});

test.each(['sleep', 'another network', 'the back-forward cache'])(
  'after %s a try that hangs is given up as soon as at first',
  (after) => {
    const line = aConnection();
    line.standing();
    vi.advanceTimersByTime(3_600_000);
    if (after === 'the back-forward cache') line.happens('pagehide', { persisted: true });
    vi.setSystemTime(Date.now() + 3_600_000);
    if (after === 'the back-forward cache') line.happens('pageshow', { persisted: true });
    else if (after === 'sleep') vi.advanceTimersByTime(10_000);
    else line.happens('online');
    expect(line.tries).toHaveLength(2);
    vi.advanceTimersByTime(6_000);
    expect(line.tries).toHaveLength(3);
    expect(line.tries[1]?.isOver).toBe(true);
  },
);

test('a page that is looked at again does not wait for the pause to end', () => {
  const line = aConnection();
  for (let failure = 0; failure < 9; failure += 1) {
    line.last().closed(false);
    vi.advanceTimersByTime(15_000);
  }
  line.last().closed(false);
  vi.advanceTimersByTime(2_000);
  const before = line.tries.length;
  line.show('hidden');
  expect(line.tries).toHaveLength(before);
  line.show('visible');
  expect(line.tries).toHaveLength(before + 1);
  line.last().closed(false);
  line.show('visible');
  expect(line.tries).toHaveLength(before + 1);
});

test('a page goes into the back-forward cache without it, and comes back with it', () => {
  const line = aConnection();
  line.standing();
  line.happens('pagehide', { persisted: false });
  expect(line.last().isOver).toBe(false);
  line.happens('pagehide', { persisted: true });
  expect(line.last().isOver).toBe(true);
  vi.advanceTimersByTime(60_000);
  expect(line.tries).toHaveLength(1);
  line.happens('pageshow', { persisted: true });
  expect(line.tries).toHaveLength(2);
  line.last().opened();
  expect(line.heard.at(-1)).toBe('return');
});

test('nobody knocks who may not come in, until they may', () => {
  let isSignedIn = true;
  const line = aConnection({ mayTry: () => isSignedIn });
  line.standing();
  isSignedIn = false;
  line.last().closed(true);
  vi.advanceTimersByTime(600_000);
  expect(line.tries).toHaveLength(1);
  isSignedIn = true;
  vi.advanceTimersByTime(15_000);
  expect(line.tries).toHaveLength(2);
});

test('once stopped nothing is tried, polled or told, whatever happens', () => {
  const line = aConnection();
  line.standing();
  line.stop();
  expect(line.last().isOver).toBe(true);
  line.heard.length = 0;
  line.last().closed(false);
  for (const name of ['online', 'offline', 'pageshow']) line.happens(name);
  line.show('visible');
  vi.advanceTimersByTime(600_000);
  expect([line.tries.length, line.heard, vi.getTimerCount()]).toEqual([1, [], 0]);
});
