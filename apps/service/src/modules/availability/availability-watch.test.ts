import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Availability } from './availability.ts';
import { type AvailabilityWatch, availabilityWatch } from './availability-watch.ts';

let found: Availability['kind'];
let said: string[];
let looks: number;
let commit: () => void;
let watch: AvailabilityWatch;

beforeEach(() => {
  vi.useFakeTimers();
  found = 'online';
  said = [];
  looks = 0;
  watch = availabilityWatch({
    look() {
      looks += 1;
      return Promise.resolve(found);
    },
    isAnnounced: () => Promise.resolve(found === 'announced'),
    onCommit: (listener) => (commit = listener),
    tell: (event) => said.push(event),
    log: { trouble: (code) => said.push(code) },
  });
  watch.start();
});
afterEach(() => {
  watch.stop();
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('The watch over availability (R-70)', () => {
  test('tells of an announcement with its commit, and of its end, once each', async () => {
    await pass(0);
    found = 'announced';
    commit();
    await pass(0);
    commit();
    await pass(20_000);
    found = 'online';
    commit();
    await pass(20_000);
    expect(said).toEqual(['oscarOffline', 'oscarOnline']);
  });

  test('does not ask the records after every commit', async () => {
    await pass(0);
    for (let commits = 0; commits < 10; commits++) {
      commit();
      await pass(50);
    }
    expect(looks).toBe(1);
  });

  test('lets the records miss two looks, whatever is committed meanwhile', async () => {
    await pass(0);
    found = 'recordsOffline';
    for (let commits = 0; commits < 10; commits++) commit();
    await pass(10_000);
    expect(said).toEqual([]);
    found = 'online';
    await pass(5_000);
    found = 'recordsOffline';
    await pass(10_000);
    expect(said).toEqual([]);
  });

  test('tells that the records are gone at the third look, and at once that they are back', async () => {
    await pass(0);
    found = 'recordsOffline';
    await pass(15_000);
    expect(said).toEqual(['oscarOffline']);
    found = 'online';
    await pass(5_000);
    expect(said).toEqual(['oscarOffline', 'oscarOnline']);
  });

  test('looks no more once the last patient has left', async () => {
    watch.stop();
    found = 'announced';
    commit();
    await pass(60_000);
    expect(said).toEqual([]);
  });
});
