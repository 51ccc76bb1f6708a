import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TestLog, testLog } from '../../testing/test-app.ts';
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts';
import { type FixedClock, fixedClock } from '../../testing/clock-fixed.ts';
import { MailRefused, randomIds } from '../server/ports.ts';
import { type Outbox, createOutbox, outboxStanding } from './outbox.store.ts';

let database: TestDatabase;
let clock: FixedClock;
let outbox: Outbox;
let log: TestLog;
const make = () => createOutbox({ database, clock, ids: randomIds, log });
beforeEach(async () => {
  database = await testDatabase();
  clock = fixedClock(1_797_364_800);
  log = testLog();
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

  test('lets no email wait for what goes to the EMR', async () => {
    const emr = Promise.withResolvers<void>();
    const sent: string[] = [];
    outbox.handle('document-to-emr', () => emr.promise);
    outbox.handle('note', async () => void sent.push('note'));
    await database.inTransaction((tx) => outbox.enqueue(tx, 'document-to-emr', {}, clock.now()));
    await enqueue();
    const all = outbox.drain();
    expect(await outbox.drain('emails')).toBe(0);
    expect(sent).toEqual(['note']);
    emr.resolve();
    expect(await all).toBe(2);
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

  test('puts off what cannot be done yet, which counts as never tried', async () => {
    const tries: number[] = [];
    outbox.handle('note', async (_payload, _key, attempts) => {
      tries.push(attempts);
      return tries.length < 3 ? { until: clock.now() + 3600 } : undefined;
    });
    await enqueue();
    for (const done of [0, 0, 1]) {
      expect(await outbox.drain()).toBe(done);
      clock.advance(3599);
      expect(await outbox.drain()).toBe(0);
      expect(await outboxStanding(database.db)).toMatchObject({ triedInVain: 0 });
      clock.advance(1);
    }
    expect(tries).toEqual([1, 1, 1]);
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

  test('gives up what is refused for good after 3 tries in an hour, and says so once', async () => {
    const tries: number[] = [];
    const start = clock.now();
    outbox.handle('note', async () => {
      tries.push(clock.now() - start);
      throw new MailRefused(550);
    });
    await enqueue({ appointment: 'v1' });
    for (let minute = 0; minute <= 180; minute += 5) {
      expect(await outbox.drain()).toBe(0);
      if (tries.length < 3)
        expect(await outboxStanding(database.db)).toMatchObject({ waiting: 1, failed: 0 });
      clock.advance(300);
    }
    expect(tries).toEqual([0, 20 * 60, 60 * 60]);
    expect(log.failures.splice(0)).toEqual([expect.objectContaining({ code: 'mail-failed' })]);
    expect(await outboxStanding(database.db)).toEqual({
      waiting: 0,
      triedInVain: 0,
      failed: 1,
      forEmr: 0,
      lastFailed: [{ kind: 'note', payload: { appointment: 'v1' }, at: start + 3600 }],
    });
  });

  test('goes on with trouble that may pass, however often, and counts refusals apart', async () => {
    const answers = ['down', 'down', 'refused', 'down', 'refused', 'down', 'taken'];
    outbox.handle('note', async () => {
      const answer = answers.shift();
      if (answer === 'refused') throw new MailRefused(554);
      if (answer === 'down') throw new Error('The mail server does not answer');
    });
    await enqueue();
    let done = 0;
    for (let hour = 0; hour < 12; hour++) {
      done += await outbox.drain();
      const { waiting, triedInVain } = await outboxStanding(database.db);
      expect(triedInVain).toBe(waiting);
      clock.advance(3600);
    }
    expect([done, answers]).toEqual([1, []]);
    expect(log.failures.splice(0).map(({ code }) => code)).toEqual(Array(4).fill('outbox-failed'));
    expect(await outboxStanding(database.db)).toMatchObject({ waiting: 0, failed: 0 });
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

  test('of a process that died is sent by another half a minute later', async () => {
    outbox.handle('note', () => new Promise(() => {}));
    await enqueue();
    void outbox.drain();
    const other = make();
    other.handle('note', async () => undefined);
    await expect.poll(async () => (await outboxStanding(database.db)).triedInVain).toBe(1);
    clock.advance(29);
    expect(await other.drain()).toBe(0);
    clock.advance(1);
    expect(await other.drain()).toBe(1);
  });

  test('stays with a process that takes long over a batch, and is sent once', async () => {
    const done: unknown[] = [];
    const other = make();
    other.handle('note', async (payload) => void done.push(payload.n));
    outbox.handle('note', async (payload) => {
      clock.advance(15);
      expect(await other.drain()).toBe(0);
      done.push(payload.n);
    });
    for (let n = 0; n < 10; n++) await enqueue({ n });
    expect(await outbox.drain()).toBe(10);
    expect(done).toHaveLength(10);
  });

  test('is left to the process that took it, once one was silent for too long', async () => {
    const done: unknown[] = [];
    const other = make();
    other.handle('note', async (payload) => void done.push(payload.n));
    outbox.handle('note', async () => {
      done.push('begun');
      clock.advance(30);
      await other.drain();
    });
    await enqueue({ n: 1 });
    await enqueue({ n: 2 });
    await outbox.drain();
    expect(done).toEqual(['begun', expect.any(Number), expect.any(Number)]);
  });

  test('takes one handler for a kind', () => {
    outbox.handle('note', async () => undefined);
    expect(() => outbox.handle('note', async () => undefined)).toThrow('already');
  });
});
