import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { type Db, databaseOn } from './db.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A database that commits at once, and counts what it tells other processes. */
function aDatabase() {
  const notify = vi.fn(async () => undefined);
  const database = databaseOn({
    db: {} as Db,
    transaction: (work) => work({} as Db),
    answers: async () => true,
    close: async () => undefined,
    bus: { notify, listen: () => undefined, close: async () => undefined },
  });
  const commit = () => database.inTransaction(async () => undefined);
  return { database, notify, commit };
}

test('a commit is told at once, and those of the moment after it together', async () => {
  const { database, notify, commit } = aDatabase();
  const heard = vi.fn();
  database.onCommit(heard);
  await commit();
  expect([heard.mock.calls.length, notify.mock.calls.length]).toEqual([1, 1]);
  await commit();
  await commit();
  expect(notify).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(50);
  expect([heard.mock.calls.length, notify.mock.calls.length]).toEqual([2, 2]);
  vi.advanceTimersByTime(200);
  expect(notify).toHaveBeenCalledTimes(2);
  await commit();
  expect(notify).toHaveBeenCalledTimes(3);
});

test('what was not told yet is told when the database closes', async () => {
  const { database, notify, commit } = aDatabase();
  await commit();
  await database.close();
  expect(notify).toHaveBeenCalledTimes(1);
  const other = aDatabase();
  await other.commit();
  await other.commit();
  await other.database.close();
  expect(other.notify).toHaveBeenCalledTimes(2);
});
