import { dayRuler, endOf, noSteps } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';
import type { Db } from '../../database/db.ts';
import { type StandingOnDay, standingOnDays } from '../appointments/index.ts';
import { readLengths, stretchesOn } from '../schedule/index.ts';

/** An appointment that stands although the schedule would not offer it as it is. */
export interface OutsideSchedule extends StandingOnDay {
  /** When one that was booked there now would end; null where none would be. */
  readonly endsNow: EpochSeconds | null;
}

/**
 * what was booked stands, whatever became of hours, types and paces. These are the
 * appointments ahead that lie outside of their provider's hours now, or have another length.
 */
export async function outsideSchedule(db: Db, now: EpochSeconds): Promise<OutsideSchedule[]> {
  const [standing, lengths] = await Promise.all([standingOnDays(db, now), readLengths(db)]);
  return standing.flatMap((each) => {
    const { date, providerId, type, start } = each;
    const ruler = dayRuler(date);
    const row = { date, providerId, codes: each.codes ?? '' };
    const stretches = stretchesOn(row, ruler, lengths, type);
    // By its start every code is released.
    const endsNow = endOf(stretches, noSteps(), ruler, start);
    return endsNow === each.end ? [] : [{ ...each, endsNow }];
  });
}
