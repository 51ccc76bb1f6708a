import { takenTime } from '../src/modules/appointments/index.ts';
import { type ScheduleChanges, readChanges } from '../src/modules/schedule/store.ts';
import type { Db } from '../src/database/db.ts';

export { dayText, stretchesOn } from '../src/modules/schedule/schedule-response.ts';
export { factsOfDays, takenOn } from '../src/modules/schedule/days.ts';

/** What has changed in the schedule since a snapshot. */
export const whatChanged = (db: Db, snapshot: string | null): Promise<ScheduleChanges> =>
  readChanges(db, takenTime, snapshot);
