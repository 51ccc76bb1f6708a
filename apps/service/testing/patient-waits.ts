import { type Database, sql } from '../src/database/db.ts';
import type { Waits } from '../src/database/engine-postgres.ts';

/** For many at once on a machine of any speed: nobody is sent away for having waited. */
export const patientWaits: Waits = { lockMs: 60_000, statementMs: 60_000 };

/** Settles once so many transactions of this database wait for a lock. */
export async function untilSomeWait({ db }: Pick<Database, 'db'>, count = 1): Promise<void> {
  const waiting = () => sql(db)`
    select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await waiting()).length < count);
}
