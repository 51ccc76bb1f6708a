import { takenTime } from '../src/modules/appointments/index.ts';
import { type ScheduleChanges, changesSince } from '../src/modules/schedule/store.ts';
import { type Db, sql } from '../src/database/db.ts';

export { dayText, stretchesOn } from '../src/modules/schedule/answer.ts';
export { factsOfDays, takenOn } from '../src/modules/schedule/days.ts';

/** What has changed in the schedule since a snapshot, asked alone. */
export async function whatChanged(db: Db, snapshot: string | null): Promise<ScheduleChanges> {
  const [changes] = await sql<ScheduleChanges>(db)`${changesSince(takenTime, snapshot)}`;
  if (!changes) throw new Error('A question of one row has no row');
  return changes;
}
