import { dayRuler, endOf, noSteps, toClinic } from '@clinic/domain';
import type { ClinicDate, EpochSeconds } from '@clinic/domain';
import type { Db } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import type { Who } from '../../security/audit.store.ts';
import type { Imported } from '../../server/csv-import.ts';
import { versionOfContent } from '../../server/version.ts';
import {
  type StandingOnDay,
  lockDay,
  sayDay,
  singleDayOf,
  standingOnDays,
} from '../appointments/index.ts';
import {
  type DayOfProvider,
  type WorkingWeek,
  codesWithWeek,
  weekAsFile,
} from '../records/index.ts';
import { readLengths, stretchesOn } from '../schedule/index.ts';
import { clinicTables } from './tables.ts';

/** An appointment that stands although the schedule would not offer it as it is. */
export interface OutsideSchedule extends StandingOnDay {
  /** When one that was booked there now would end; null where none would be. */
  readonly endsNow: EpochSeconds | null;
}

/**
 * what was booked stands, whatever became of hours, types and paces. These are the
 * appointments ahead that lie outside of their provider's hours now, or have another length. With
 * `wanted` it is asked of the days for which that says codes, as if the schedule had them.
 */
export async function outsideSchedule(
  db: Db,
  now: EpochSeconds,
  wanted?: (providerId: string, date: ClinicDate) => string | null,
): Promise<OutsideSchedule[]> {
  const [standing, lengths] = await Promise.all([standingOnDays(db, now), readLengths(db)]);
  return standing.flatMap((each) => {
    const { date, providerId, type, start } = each;
    const codes = wanted ? wanted(providerId, date) : (each.codes ?? '');
    if (codes === null) return [];
    const ruler = dayRuler(date);
    const row = { date, providerId, codes };
    const stretches = stretchesOn(row, ruler, lengths, type);
    // By its start every code is released.
    const endsNow = endOf(stretches, noSteps(), ruler, start);
    return endsNow === each.end ? [] : [{ ...each, endsNow }];
  });
}

/** What saving a working week would do, or did. */
export interface SavedWeek extends Imported {
  /** what would stand outside of it, or last longer or shorter than its hours say. */
  readonly outside: readonly OutsideSchedule[];
}

/**
 * Saves a provider's working week as the import of such a file does: all of it or nothing, and only
 * what somebody has seen the preview of, by its version; null only looks.
 */
export async function saveWeek(
  platform: Platform,
  week: WorkingWeek,
  who: Who & { readonly wanted: string | null },
): Promise<SavedWeek> {
  const table = clinicTables.find(({ what }) => what === 'schedule');
  if (table === undefined) throw new Error('There is a table of working weeks');
  const { db } = platform.database;
  const codesOn = await codesWithWeek(db, week);
  const outside = await outsideSchedule(db, who.now, (providerId, date) =>
    providerId === week.providerId ? codesOn(date) : null,
  );
  return { ...(await table.importFile(platform, weekAsFile(week), who)), outside };
}

/** What saying something of a single day would do, or did. */
interface SavedDay {
  readonly isSaved: boolean;
  /** Names what would be changed. */
  readonly version: string;
  readonly outside: readonly OutsideSchedule[];
}

/**
 * Says what a single day of a provider is like, whatever the week says, or leaves it to the week again
 * where its codes are null. Like a week it is saved as somebody has seen the preview of it, or not.
 */
export async function saveDay(
  { database, appendAudit }: Pick<Platform, 'database' | 'appendAudit'>,
  wanted: DayOfProvider & { readonly codes: string | null },
  { actor, now, wanted: version }: Who & { readonly wanted: string | null },
): Promise<SavedDay> {
  const { codes, ...day } = wanted;
  const { providerId, clinicDate } = day;
  return database.inTransaction(async (tx) => {
    await lockDay(tx, day);
    const { said, closed, offeredWith } = await singleDayOf(tx, day);
    const outside = await outsideSchedule(tx, now, (id, date) =>
      id === providerId && date === clinicDate ? offeredWith(codes) : null,
    );
    const foreseen = { version: versionOfContent([day, said, codes]), outside };
    // Sent again after a lost answer, it has said before what it was to say.
    if (version !== null && said === codes) return { ...foreseen, isSaved: true };
    if (version !== foreseen.version) return { ...foreseen, isSaved: false };
    await sayDay(tx, wanted, closed, toClinic(now).date);
    await appendAudit(tx, {
      actor,
      action: codes === null ? 'single day left to the week' : 'single day said',
      subject: `provider:${providerId}`,
      details: { date: clinicDate, codes },
      at: now,
    });
    return { ...foreseen, isSaved: true };
  });
}
