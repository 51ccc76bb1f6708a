import { sql } from 'drizzle-orm';
import type { Database } from '../platform/db.ts';
import type { Clock } from '../ports/clock.ts';

const REFRESH_MS = 60_000;

export interface DatabaseClock extends Clock {
  stop(): void;
}

/** The process's clock plus its offset to the database's, looked up every minute (ADR 9). */
export async function databaseClock(
  database: Database,
  processNow: () => number = Date.now,
  refreshEvery = REFRESH_MS,
): Promise<DatabaseClock> {
  let offset = await offsetOf(database, processNow);
  const timer = setInterval(() => {
    offsetOf(database, processNow).then(
      (found) => {
        offset = found;
      },
      // While the database does not answer, the last offset is the best there is.
      () => undefined,
    );
  }, refreshEvery);
  timer.unref();
  return {
    now: () => Math.floor((processNow() + offset) / 1000),
    stop: () => clearInterval(timer),
  };
}

/** Milliseconds; half of the way there and back is the way back. */
async function offsetOf(database: Database, processNow: () => number): Promise<number> {
  const asked = processNow();
  const { rows } = await database.db.execute<{ ms: string | number }>(
    sql`select extract(epoch from clock_timestamp()) * 1000 as ms`,
  );
  const answered = processNow();
  return Number(rows[0]?.ms) - (asked + answered) / 2;
}
