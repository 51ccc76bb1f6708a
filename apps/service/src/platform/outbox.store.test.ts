import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testLog } from '../../testing/test-app.ts';
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts';
import { type FixedClock, fixedClock } from '../adapters/clock-fixed.ts';
import { randomIds } from '../adapters/ids.ts';
import { type Outbox, createOutbox } from './outbox.ts';

let database: TestDatabase;
let clock: FixedClock;
let outbox: Outbox;
const make = () => createOutbox({ database, clock, ids: randomIds, log: testLog() });
beforeEach(async () => {
  database = await testDatabase();
  clock = fixedClock(1_797_364_800);
  outbox = make();
});
afterEach(() => database.close());

const enqueue = (payload: Record<string, unknown> = { n: 1 }, dueAt = clock.now()) =>
  database.inTransaction((tx) => outbox.enqueue(tx, 'note', payload, dueAt));

describe('The outbox', () => {
  test('does each row once, after its transaction', async () => {
    const done: unknown[] = [];
    outbox.handle('note', async (payload) => void done.push(payload.n));
    await enqueue({ n: 1 });
    await enqueue({ n: 2 });
    expect(await outbox.drain()).toBe(2);
    expect(await outbox.drain()).toBe(0);
    expect(new Set(done)).toEqual(new Set([1, 2]));
  });

  test('does nothing of a transaction that failed', async () => {
    outbox.handle('note', async () => undefined);
    const failing = database.inTransaction(async (tx) => {
      await outbox.enqueue(tx, 'note', {}, clock.now());
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await outbox.drain()).toBe(0);
  });

  test('waits until a row is due', async () => {
    outbox.handle('note', async () => undefined);
    await enqueue({}, clock.now() + 60);
    expect(await outbox.drain()).toBe(0);
    clock.advance(60);
    expect(await outbox.drain()).toBe(1);
  });

  test('tries again after 1, 2 and 4 minutes, under the same key', async () => {
    const keys: string[] = [];
    outbox.handle('note', async (_, key) => {
      keys.push(key);
      if (keys.length < 4) throw new Error('not yet');
    });
    await enqueue();
    await outbox.drain();
    for (const minutes of [1, 2, 4]) {
      clock.advance(minutes * 60 - 1);
      expect(await outbox.drain()).toBe(0);
      clock.advance(1);
      await outbox.drain();
    }
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(1);
    clock.advance(86_400);
    expect(await outbox.drain()).toBe(0);
  });

  test('is worked off by two processes without doing anything twice', async () => {
    const done: unknown[] = [];
    const other = make();
    for (const each of [outbox, other])
      each.handle('note', async (payload) => void done.push(payload.n));
    for (let n = 0; n < 30; n++) await enqueue({ n });
    const counts = await Promise.all([outbox.drain(), other.drain()]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(30);
    expect(new Set(done).size).toBe(30);
  });

  test('takes one handler for a kind', () => {
    outbox.handle('note', async () => undefined);
    expect(() => outbox.handle('note', async () => undefined)).toThrow('already');
  });
});
