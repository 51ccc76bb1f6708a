import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts';
import { type Tx, DatabaseConflict, sql } from './db.ts';
import { sqlStateOf } from './sqlstate.ts';

// What stores and routes rely on, whichever engine runs them.
let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database.close());

const ID = '00000000-0000-4000-8000-000000000001';
const OTHER_ID = '00000000-0000-4000-8000-000000000002';
const takeStep = (tx: Tx, start: number, provider = '101') =>
  sql(tx)`insert into appointment_step values (${provider}, ${start}, ${ID}::uuid)`;
const steps = async (on: Pick<Tx, '$client'> = database.db) =>
  (
    await sql<{ start: number }>(on)`
      select step_start_s as start from appointment_step order by step_start_s`
  ).map(({ start }) => start);
/** An appointment of five minutes with its columns in SQL. */
const book = (
  tx: Tx,
  over: { id?: string; provider?: string; start?: number; type?: string } = {},
) => {
  const { id = ID, provider = '101', start = 1_796_328_000, type = 'O' } = over;
  return sql(tx)`
    insert into appointment (id, record_id, provider_id, start_s, end_s, clinic_date, type, state,
                             created_at_s, changed_at_s)
    values (${id}::uuid, 'c1', ${provider}, ${start}, ${start + 300}, '2026-12-03', ${type},
            'booked', 0, 0)`;
};

describe('Transactions at the same time', () => {
  test('show nobody what they wrote before they commit', async () => {
    const written = Promise.withResolvers<void>();
    const read = written.promise.then(() => steps());
    await database.inTransaction<string>(async (tx, rollBack) => {
      await takeStep(tx, 0);
      written.resolve();
      // One engine answers the reader meanwhile, the other afterwards.
      await new Promise(setImmediate);
      return rollBack('given up');
    });
    expect(await read).toEqual([]);
  });

  test('read what was committed since their last statement', async () => {
    const begun = Promise.withResolvers<void>();
    const before = database.inTransaction(async (tx) => {
      const seen = await steps(tx);
      begun.resolve();
      return seen;
    });
    await begun.promise;
    await database.inTransaction((tx) => takeStep(tx, 0));
    expect(await before).toEqual([]);
    expect(await database.inTransaction(steps)).toEqual([0]);
  });

  test('wait for a row that one of them has locked, and lose no change', async () => {
    await database.inTransaction((tx) => takeStep(tx, 0));
    const advance = () =>
      database.inTransaction(async (tx) => {
        const [row] = await sql<{ start: number }>(tx)`
          select step_start_s as start from appointment_step for update`;
        await sql(tx)`update appointment_step set step_start_s = ${(row?.start ?? NaN) + 300}`;
      });
    await Promise.all([advance(), advance(), advance()]);
    expect(await steps()).toEqual([900]);
  });

  test('leave to each other what another has locked', async () => {
    await database.inTransaction(async (tx) => {
      for (const start of [0, 300, 600]) await takeStep(tx, start);
    });
    const takeOne = () =>
      database.inTransaction(
        (tx) => sql<{ start: number }>(tx)`
          with first as (select provider_id, step_start_s from appointment_step
                          order by step_start_s limit 1 for update skip locked)
          delete from appointment_step s using first f
           where s.provider_id = f.provider_id and s.step_start_s = f.step_start_s
          returning s.step_start_s as start`,
      );
    const taken = await Promise.all([takeOne(), takeOne(), takeOne()]);
    expect(
      taken
        .flat()
        .map(({ start }) => start)
        .sort((a, b) => a - b),
    ).toEqual([0, 300, 600]);
    expect(await steps()).toEqual([]);
  });

  test('give what only one can have to one of them', async () => {
    const tries = ['101', '101', '101'].map((provider, at) =>
      database.inTransactionOrConflict((tx) =>
        book(tx, { id: `${ID.slice(0, -1)}${at}`, provider }),
      ),
    );
    const outcomes = (await Promise.all(tries)).map((outcome) => outcome.kind);
    expect(outcomes.sort()).toEqual(['committed', 'conflict', 'conflict']);
  });

  test('tell of their commits one after another, and never of a rollback', async () => {
    const told: string[] = [];
    const commit = (name: string) =>
      database.inTransaction(async () => database.afterCommit(() => told.push(name)));
    await commit('first');
    await database.inTransaction<string>(async (_, rollBack) => {
      database.afterCommit(() => told.push('never'));
      return rollBack('given up');
    });
    await commit('second');
    expect(told).toEqual(['first', 'second']);
  });
});

describe('What the database refuses', () => {
  const failed = (work: (tx: Tx) => Promise<unknown>) =>
    database.inTransaction(work).then(
      () => 'nothing',
      (error: unknown) =>
        error instanceof DatabaseConflict ? error.constraint : (sqlStateOf(error) ?? String(error)),
    );

  test.each<[string, (tx: Tx) => Promise<unknown>, string]>([
    [
      'a second row with the key of another',
      (tx) => takeStep(tx, 0),
      'appointment_step_provider_id_step_start_s_pk',
    ],
    ['an appointment over another', (tx) => book(tx, { id: OTHER_ID }), 'appointment_no_overlap'],
    ['a second row with the id of another', (tx) => book(tx, { start: 0 }), 'appointment_pkey'],
    ['what a check forbids', (tx) => book(tx, { id: OTHER_ID, start: 60 }), '23514'],
    [
      'a column without its value',
      (tx) => sql(tx)`insert into appointment_step (provider_id) values ('101')`,
      '23502',
    ],
    ['what is no uuid', (tx) => sql(tx)`select ${'x'}::uuid`, '22P02'],
    ['a text with a zero byte', (tx) => sql(tx)`select ${'a\0b'}::text`, '22021'],
    [
      'a number that is too large',
      (tx) => sql(tx)`select ${'9223372036854775808'}::bigint`,
      '22003',
    ],
    ['what a trigger forbids', (tx) => sql(tx)`truncate audit`, 'P0001'],
  ])('is %s, and says why', async (_, work, reason) => {
    await database.inTransaction(async (tx) => {
      await takeStep(tx, 0);
      await book(tx);
    });
    expect(await failed(work)).toBe(reason);
  });

  test('ends the transaction, also for who goes on after it', async () => {
    const goingOn = failed(async (tx) => {
      await takeStep(tx, 0);
      await takeStep(tx, 0).catch(() => undefined);
      await takeStep(tx, 300);
    });
    expect(await goingOn).not.toBe('nothing');
    expect(await steps()).toEqual([]);
    await database.inTransaction((tx) => takeStep(tx, 600));
    expect(await steps()).toEqual([600]);
  });

  test('keeps no row of a statement that fails at one of them', async () => {
    const several = failed(
      (tx) => sql(tx)`
        insert into appointment_step select '101', unnest(${[0, 300, 0]}::bigint[]), ${ID}::uuid`,
    );
    expect(await several).toBe('appointment_step_provider_id_step_start_s_pk');
    expect(await steps()).toEqual([]);
  });

  test('is passed over where the statement says so, which then tells what it added', async () => {
    const added = await database.inTransaction(async (tx) => {
      await takeStep(tx, 300);
      return sql<{ start: number }>(tx)`
        insert into appointment_step select '101', unnest(${[0, 300]}::bigint[]), ${ID}::uuid
        on conflict do nothing returning step_start_s as start`;
    });
    expect(added).toEqual([{ start: 0 }]);
  });
});

describe('Values', () => {
  test('come from both engines as the same types', async () => {
    const [row] = await sql(database.db)`
      select 9007199254740991::bigint as seconds, 7::int as count, 0.1::float8 as part, true as is,
             ${ID}::uuid as id, 'é𝄞'::text as words, null::text as nothing,
             '2026-12-03'::date::text as day, array['a', 'b,"c"']::text[] as texts,
             '{"b": [1, null], "a": "x"}'::jsonb as json, count(*) as all
        from appointment_step`;
    expect(row).toEqual({
      seconds: Number.MAX_SAFE_INTEGER,
      count: 7,
      part: 0.1,
      is: true,
      id: ID,
      words: 'é𝄞',
      nothing: null,
      day: '2026-12-03',
      texts: ['a', 'b,"c"'],
      json: { a: 'x', b: [1, null] },
      all: 0,
    });
  });

  test('of bytes come as bytes', async () => {
    const [row] = await sql<{ bytes: Uint8Array }>(database.db)`
      select ${new Uint8Array([0, 92, 255])}::bytea as bytes`;
    expect([...(row?.bytes ?? [])]).toEqual([0, 92, 255]);
  });

  test('go to both as lists, bytes, JSON, nothing, true and false', async () => {
    const json = JSON.stringify({ it: ['is'] });
    const [row] = await sql(database.db)`
      select (select sum(n)::bigint from unnest(${[1, 2]}::bigint[]) as n) as sum, ${['a,b', '']}::text[] as texts,
             ${[ID, OTHER_ID]}::uuid[] = array[${ID}, ${OTHER_ID}]::uuid[] as ids,
             (select count(*) from unnest(${[new Uint8Array([1]), new Uint8Array([2])]}::bytea[]))
               as hashes,
             ${json}::text::jsonb ->> 'it' as json, ${null}::text is null as nothing,
             ${false}::boolean as is, ${0.5}::float8 as part`;
    expect(row).toEqual({
      sum: 3,
      texts: ['a,b', ''],
      ids: true,
      hashes: 2,
      json: '["is"]',
      nothing: true,
      is: false,
      part: 0.5,
    });
  });

  test('of text stand in the order of their characters', async () => {
    const rows = await sql<{ word: string }>(database.db)`
      select word from unnest(${['b', 'é', 'B', 'a', '_', '10', '9']}::text[]) as word order by word`;
    expect(rows.map(({ word }) => word)).toEqual(['10', '9', 'B', '_', 'a', 'b', 'é']);
  });

  test('tell a transaction that came later from what was there', async () => {
    const changedXid = async () =>
      (
        await sql<{ seen: boolean; version: string }>(database.db)`
          select changed_xid::text as version,
                 pg_visible_in_snapshot(changed_xid, pg_current_snapshot()) as seen
            from schedule_version`
      )[0];
    const before = await changedXid();
    await database.inTransaction(
      (tx) => sql(tx)`insert into schedule_day (clinic_date, provider_id, codes)
                      values ('2026-12-03', '101', repeat('_', 288))`,
    );
    const after = await changedXid();
    expect(before?.seen && after?.seen).toBe(true);
    expect(BigInt(after?.version ?? 0)).toBeGreaterThan(BigInt(before?.version ?? 0));
  });
});
