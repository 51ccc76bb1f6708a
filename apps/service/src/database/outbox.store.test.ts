import { isNull, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TestLog, testLog } from '../../testing/test-app.ts';
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts';
import { type FixedClock, fixedClock } from '../../testing/clock-fixed.ts';
import { MailRefused, randomIds } from '../server/ports.ts';
import {
  type Outbox,
  type OutboxHandler,
  createOutbox,
  outboxStanding,
  sendAgain,
} from './outbox.store.ts';
import { outbox as table } from './schema.ts';

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

const SUBJECTS = {
  m1: '11111111-1111-4111-8111-111111111111',
  m2: '22222222-2222-4222-8222-222222222222',
};
/** Enqueues an email about a message, which is its subject. */
const about = (subject: keyof typeof SUBJECTS, n: unknown) =>
  database.inTransaction((tx) =>
    outbox.enqueue(tx, 'message-email', { messageId: SUBJECTS[subject], n }, clock.now()),
  );

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
    const id = await enqueue({ appointment: 'v1' });
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
      lastFailed: [
        { id, isRefused: true, kind: 'note', payload: { appointment: 'v1' }, at: start + 3600 },
      ],
    });
  });

  test('sends what was refused or too late again where it is asked to, and nothing else', async () => {
    const answers: ('tooLate' | undefined)[] = ['tooLate', undefined];
    const keys: string[] = [];
    outbox.handle('note', async (_, key) => {
      keys.push(key);
      return answers.shift();
    });
    const id = await enqueue();
    const again = () => database.inTransaction((tx) => sendAgain(tx, id, clock.now()));
    expect(await again()).toBe(false);
    await outbox.drain();
    expect((await outboxStanding(database.db)).lastFailed).toMatchObject([
      { id, isRefused: false },
    ]);
    expect(await again()).toBe(true);
    expect(await outbox.drain()).toBe(1);
    expect(keys).toEqual([id, id]);
    expect(await again()).toBe(false);
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

  test('begins nothing more once it is drained', async () => {
    let open = 0;
    let beforeNext: (() => Promise<void>) | null = null;
    const inTransaction: typeof database.inTransaction = async (work) => {
      const before = beforeNext;
      beforeNext = null;
      open += 1;
      await before?.();
      return database.inTransaction(work).finally(() => (open -= 1));
    };
    const watched = { database: { ...database, inTransaction }, clock, ids: randomIds, log };
    const draining = createOutbox(watched);
    const answer = Promise.withResolvers<void>();
    draining.handle('note', async ({ n }) => {
      if (n === 1) return void (await enqueue({ n: 2 }));
      // It is done while more is looked for.
      beforeNext = async () => {
        answer.resolve();
        await expect.poll(() => outboxStanding(database.db)).toMatchObject({ waiting: 0 });
      };
      return answer.promise;
    });
    await enqueue({ n: 1 });
    expect(await draining.drain('emails')).toBe(2);
    expect(open).toBe(0);
  });

  test('of a process that died is sent by another half a minute later', async () => {
    const taken = Promise.withResolvers<void>();
    outbox.handle('note', () => {
      taken.resolve();
      return new Promise(() => {});
    });
    await enqueue();
    await outbox.start('emails');
    const other = make();
    other.handle('note', async () => undefined);
    await taken.promise;
    expect(await outboxStanding(database.db)).toMatchObject({ waiting: 1, triedInVain: 0 });
    clock.advance(29);
    expect(await other.drain()).toBe(0);
    clock.advance(1);
    expect(await other.drain()).toBe(1);
  });

  test('stays with a process that takes long over a subject, and is sent once', async () => {
    const done: unknown[] = [];
    const other = make();
    other.handle('message-email', async (payload) => void done.push(payload.n));
    outbox.handle('message-email', async (payload) => {
      clock.advance(15);
      expect(await other.drain()).toBe(0);
      done.push(payload.n);
    });
    for (let n = 0; n < 10; n++) await about('m1', n);
    expect(await outbox.drain()).toBe(10);
    expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('is left to the process that took it, once one was silent for too long', async () => {
    const done: unknown[] = [];
    const other = make();
    other.handle('message-email', async (payload) => void done.push(payload.n));
    outbox.handle('message-email', async () => {
      done.push('begun');
      clock.advance(30);
      await other.drain();
    });
    await about('m1', 1);
    await about('m1', 2);
    await outbox.drain();
    expect(done).toEqual(['begun', 1, 2]);
  });

  describe('keeps the order of what is about one subject', () => {
    test('though all of it was written within a second, and whichever is due first', async () => {
      const sent: unknown[] = [];
      outbox.handle('message-email', async ({ n }) => void sent.push(n));
      for (let n = 0; n < 8; n++) await about('m1', n);
      const column = sql`due_at_s - (payload->>'n')::int`;
      await database.inTransaction((tx) => tx.update(table).set({ dueAt: column }));
      await outbox.drain();
      expect(sent).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    });

    test('while the first fails, and holds up nothing else', async () => {
      const sent: unknown[] = [];
      let down = true;
      outbox.handle('message-email', async ({ n, messageId }) => {
        if (down && messageId === SUBJECTS.m1) throw new Error('not yet');
        sent.push(n);
      });
      await about('m1', 1);
      await about('m1', 2);
      await about('m2', 3);
      expect(await outbox.drain()).toBe(1);
      expect(sent).toEqual([3]);
      expect(await outboxStanding(database.db)).toMatchObject({ waiting: 2, triedInVain: 1 });
      down = false;
      clock.advance(59);
      expect(await outbox.drain()).toBe(0);
      clock.advance(1);
      expect(await outbox.drain()).toBe(2);
      expect(sent).toEqual([3, 1, 2]);
      expect(log.failures.splice(0)).toHaveLength(1);
    });

    test('and tries all of it at once when something new is to be told', async () => {
      const sent: unknown[] = [];
      let down = true;
      outbox.handle('message-email', async ({ n }) => {
        if (down) throw new Error('not yet');
        sent.push(n);
      });
      await about('m1', 1);
      for (const pause of [60, 120, 240, 480]) {
        await outbox.drain();
        clock.advance(pause);
      }
      await outbox.drain();
      down = false;
      await about('m1', 2);
      expect(await outbox.drain()).toBe(2);
      expect(sent).toEqual([1, 2]);
      log.failures.splice(0);
    });

    test('goes on after the first was given up', async () => {
      const sent: unknown[] = [];
      outbox.handle('message-email', async ({ n }) => {
        if (n === 1) throw new MailRefused(550);
        sent.push(n);
      });
      await about('m1', 1);
      await about('m1', 2);
      for (const minutes of [20, 40, 0]) {
        expect(await outbox.drain()).toBe(minutes === 0 ? 1 : 0);
        clock.advance(minutes * 60);
      }
      expect(sent).toEqual([2]);
      expect(await outboxStanding(database.db)).toMatchObject({ waiting: 0, failed: 1 });
      log.failures.splice(0);
    });

    test('between two processes, and beside one of version 0.2.0', async () => {
      const sent: unknown[] = [];
      const [other, answers] = [make(), Promise.withResolvers<void>()];
      outbox.handle('message-email', async ({ n }) => {
        await answers.promise;
        sent.push(n);
      });
      other.handle('message-email', async ({ n }) => void sent.push(n));
      await about('m1', 1);
      await outbox.start('emails');
      await about('m1', 2);
      expect(await other.drain()).toBe(0);
      answers.resolve();
      // The first is done only once the job has noted so.
      await expect.poll(() => outbox.drain().then(() => sent)).toEqual([1, 2]);
      await about('m1', 3);
      // As 0.2.0 leases.
      await database.inTransaction((tx) =>
        tx
          .update(table)
          .set({ dueAt: clock.now() + 180, attempts: 1 })
          .where(isNull(table.doneAt)),
      );
      await about('m1', 4);
      expect(await other.drain()).toBe(0);
      clock.advance(180);
      expect(await other.drain()).toBe(2);
      expect(sent).toEqual([1, 2, 3, 4]);
    });

    test('and drops what a later one tells too, once that is sent', async () => {
      const sent: unknown[] = [];
      let down = true;
      const handler: OutboxHandler = async ({ n }, _key, _attempts, { replaced }) => {
        if (down) throw new Error('not yet');
        sent.push([n, ...replaced.map((each) => each.n)]);
      };
      outbox.handle('message-email', handler, (later, earlier) => later.odd === earlier.odd);
      for (let n = 1; n <= 4; n++)
        await database.inTransaction((tx) =>
          outbox.enqueue(
            tx,
            'message-email',
            { messageId: SUBJECTS.m1, n, odd: n % 2 },
            clock.now(),
          ),
        );
      expect(await outbox.drain()).toBe(0);
      down = false;
      clock.advance(60);
      expect(await outbox.drain()).toBe(4);
      expect(sent).toEqual([
        [3, 1],
        [4, 2],
      ]);
      log.failures.splice(0);
    });

    test('and tells a try that has been overtaken', async () => {
      const sent: unknown[] = [];
      const handler: OutboxHandler = async ({ n }, _key, _attempts, { isOvertaken }) => {
        if (n === 1) await about('m1', 2);
        if (await isOvertaken()) return { until: clock.now() };
        sent.push(n);
      };
      outbox.handle('message-email', handler, () => true);
      await about('m1', 1);
      expect(await outbox.drain()).toBe(2);
      expect(sent).toEqual([2]);
    });
  });

  test('gives up what would come too late, and says so', async () => {
    outbox.handle('note', async () => 'tooLate');
    await enqueue();
    expect(await outbox.drain()).toBe(0);
    expect(await outboxStanding(database.db)).toMatchObject({ waiting: 0, failed: 1 });
  });

  describe('whose mail server takes ten minutes to answer', () => {
    test('sends the email once, with others beside it, and keeps its lease', async () => {
      const answer = Promise.withResolvers<void>();
      const sent: unknown[] = [];
      const handler: OutboxHandler = async ({ n }) => {
        if (n === 'slow') await answer.promise;
        sent.push(n);
      };
      const other = make();
      for (const each of [outbox, other]) each.handle('note', handler);
      await enqueue({ n: 'slow' });
      await outbox.start('emails');
      for (let second = 0; second < 590; second += 5) {
        clock.advance(5);
        await enqueue({ n: second });
        await outbox.start('emails');
        await other.drain('emails');
      }
      await expect.poll(() => sent.length).toBe(118);
      answer.resolve();
      await outbox.drain();
      expect(sent.filter((n) => n === 'slow')).toEqual(['slow']);
    });

    test('keeps its lease although the database was away when it was to be prolonged', async () => {
      let isAway = false;
      const inTransaction: typeof database.inTransaction = async (work) => {
        if (isAway) throw new Error('away');
        return database.inTransaction(work);
      };
      const slow = createOutbox({
        database: { ...database, inTransaction },
        clock,
        ids: randomIds,
        log,
      });
      const answer = Promise.withResolvers<void>();
      slow.handle('note', () => answer.promise);
      outbox.handle('note', async () => undefined);
      await enqueue();
      await slow.start('emails');
      clock.advance(20);
      isAway = true;
      await expect(slow.start('emails')).rejects.toThrow('away');
      isAway = false;
      clock.advance(5);
      await slow.start('emails');
      clock.advance(20);
      expect(await outbox.drain('emails')).toBe(0);
      answer.resolve();
      await slow.drain('emails');
    });

    test('for all of them, works on no more at once than it may', async () => {
      const three = createOutbox({ database, clock, ids: randomIds, log, emailsAtOnce: 3 });
      const answer = Promise.withResolvers<void>();
      const begun: unknown[] = [];
      three.handle('note', ({ n }) => {
        begun.push(n);
        return answer.promise;
      });
      for (let n = 0; n < 10; n++) await enqueue({ n });
      await three.start('emails');
      await three.start('emails');
      await expect.poll(() => begun.length).toBeGreaterThanOrEqual(3);
      expect(begun).toHaveLength(3);
      answer.resolve();
      expect(await three.drain()).toBe(10);
      expect(new Set(begun).size).toBe(10);
    });
  });

  test('takes one handler for a kind', () => {
    outbox.handle('note', async () => undefined);
    expect(() => outbox.handle('note', async () => undefined)).toThrow('already');
  });
});
