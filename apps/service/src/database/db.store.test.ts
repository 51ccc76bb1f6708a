import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts';
import { type Tx, part, writeLast } from './db.ts';
import { audit, appointment, appointmentStep } from '../schema.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database.close());

const appointmentId = '00000000-0000-4000-8000-000000000001';
const step = { providerId: '101', stepStart: 1_796_328_000, appointmentId };
const takeLast = (tx: Tx, providerId: string) =>
  writeLast(
    tx,
    'take-last',
    part`insert into appointment_step values (${providerId}, ${step.stepStart}, ${appointmentId})`,
  );
const aAppointment = (over: Partial<typeof appointment.$inferInsert> = {}) => ({
  id: crypto.randomUUID(),
  recordId: 'c1',
  providerId: '101',
  start: 1_796_328_000,
  end: 1_796_328_300,
  clinicDate: '2026-12-03',
  type: 'O',
  state: 'booked',
  createdAt: 0,
  changedAt: 0,
  ...over,
});

describe('A transaction', () => {
  test('keeps what it wrote when it ends', async () => {
    await database.inTransaction((tx) => tx.insert(appointmentStep).values(step));
    expect(await database.db.select().from(appointmentStep)).toEqual([step]);
  });

  test('keeps nothing when it throws', async () => {
    const failing = database.inTransaction(async (tx) => {
      await tx.insert(appointmentStep).values(step);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await database.db.select().from(appointmentStep)).toEqual([]);
  });

  test('keeps nothing and answers when it is rolled back with an answer', async () => {
    const answer = await database.inTransaction<string>(async (tx, rollBack) => {
      await tx.insert(appointmentStep).values(step);
      return rollBack('changed my mind');
    });
    expect(answer).toBe('changed my mind');
    expect(await database.db.select().from(appointmentStep)).toEqual([]);
  });

  test('answers a conflict as a value, with the constraint that somebody else met first', async () => {
    await database.inTransaction((tx) => tx.insert(appointmentStep).values(step));
    const outcome = await database.inTransactionOrConflict((tx) =>
      tx.insert(appointmentStep).values(step),
    );
    expect(outcome).toEqual({
      kind: 'conflict',
      constraint: 'appointment_step_provider_id_step_start_s_pk',
    });
  });

  test('writes last what was left for its end, in its order', async () => {
    const seen = await database.inTransaction(async (tx) => {
      for (const providerId of ['102', '103']) takeLast(tx, providerId);
      await tx.insert(appointmentStep).values(step);
      return tx.select().from(appointmentStep);
    });
    expect(seen).toEqual([step]);
    const kept = await database.db.select().from(appointmentStep);
    expect(kept.map(({ providerId }) => providerId)).toEqual(['101', '102', '103']);
  });

  test('keeps nothing when one of its last writes fails, and says which conflict it was', async () => {
    const failing = database.inTransactionOrConflict(async (tx) => {
      await tx.insert(appointmentStep).values(step);
      takeLast(tx, '102');
      takeLast(tx, step.providerId);
    });
    expect(await failing).toMatchObject({ kind: 'conflict' });
    expect(await database.db.select().from(appointmentStep)).toEqual([]);
  });

  test('that is rolled back or repeated writes nothing last of what came before', async () => {
    await database.inTransaction<string>(async (tx, rollBack) => {
      takeLast(tx, step.providerId);
      return rollBack('given up');
    });
    let tries = 0;
    await database.inTransaction(async (tx) => {
      const providerId = String(++tries);
      takeLast(tx, providerId);
      if (tries === 1)
        await tx.execute(sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`);
    });
    const kept = await database.db.select().from(appointmentStep);
    expect(kept.map(({ providerId }) => providerId)).toEqual(['2']);
  });

  test('refuses the outer database and a second transaction inside', async () => {
    const outer = database.inTransaction(async () => database.db.select().from(appointmentStep));
    await expect(outer).rejects.toThrow('use the Tx');
    const nested = database.inTransaction(() => database.inTransaction(async () => 1));
    await expect(nested).rejects.toThrow('inside a transaction');
  });

  test('is repeated when the database asks for it, three times at most', async () => {
    let tries = 0;
    const outcome = database.inTransactionOrConflict(async (tx) => {
      tries++;
      await tx.execute(sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`);
    });
    // It is no conflict: nobody else has what it asked for.
    await expect(outcome).rejects.toMatchObject({ cause: { code: '40001' } });
    expect(tries).toBe(4);
  });
});

describe('The schema', () => {
  const insert = (over: Partial<typeof appointment.$inferInsert>) =>
    database.inTransactionOrConflict((tx) => tx.insert(appointment).values(aAppointment(over)));

  test('refuses two active claims that overlap, and takes one that follows', async () => {
    await insert({});
    expect(await insert({ start: 1_796_327_700, end: 1_796_328_300 })).toEqual({
      kind: 'conflict',
      constraint: 'appointment_no_overlap',
    });
    expect((await insert({ start: 1_796_328_300, end: 1_796_328_600 })).kind).toBe('committed');
    expect((await insert({ state: 'released' })).kind).toBe('committed');
  });

  test.each([
    ['an end before its start', { end: 1_796_327_700 }],
    ['a start off the 5-minute grid', { start: 1_796_328_060 }],
    ['a state nobody knows', { state: 'lost' }],
    ['a hold without an end', { state: 'held' }],
  ])('refuses %s', async (_, over) => {
    await expect(insert(over)).rejects.toThrow();
  });

  test('lets nothing leave a final state', async () => {
    await insert({ state: 'cancelled' });
    const revive = database.inTransaction((tx) => tx.update(appointment).set({ state: 'booked' }));
    await expect(revive).rejects.toThrow();
  });

  // Shows: S-14
  test('keeps the audit trail as it was written, but for its chain once (S-14)', async () => {
    const row = { at: 1, actor: 'a', action: 'b', subject: 'c', details: { d: 1 } };
    const mac = new Uint8Array([1]);
    await database.inTransaction((tx) => tx.insert(audit).values({ ...row, mac }));
    const change = (set: Partial<typeof audit.$inferInsert>) =>
      database.inTransaction((tx) => tx.update(audit).set(set));
    await expect(change({ action: 'x' })).rejects.toThrow();
    await expect(change({ action: 'x', chain: mac })).rejects.toThrow();
    await change({ chain: mac });
    await expect(change({ chain: new Uint8Array([2]) })).rejects.toThrow();
    await expect(database.inTransaction((tx) => tx.delete(audit))).rejects.toThrow();
  });
});
