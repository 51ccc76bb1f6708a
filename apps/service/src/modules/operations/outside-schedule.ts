import { dayRuler, endOf, noSteps, toClinic } from '@clinic/domain';
import type { ClinicDate, EpochSeconds } from '@clinic/domain';
import type { Db } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import type { Who } from '../../security/audit.store.ts';
import type { Imported } from '../../server/csv-import.ts';
import type { Refusal } from '../../server/refusal.ts';
import { type FormHeaders, overtaken, versionOfContent } from '../../server/version.ts';
import { type StandingOnDay, standingOnDays } from '../appointments/index.ts';
import { lockDay, setDay, singleDayOf } from '../closings/index.ts';
import {
  type DayOfProvider,
  type WorkingWeek,
  codesWithWeek,
  weekAsFile,
} from '../records/index.ts';
import { readLengths, stretchesOn } from '../schedule/index.ts';
import { tableNamed } from './tables.ts';

/** A booked appointment that the schedule would not offer now as it is. */
export interface OutsideSchedule extends StandingOnDay {
  /** When an appointment booked at this start now would end; null when none could be booked. */
  readonly endsNow: EpochSeconds | null;
}

/**
 * booked appointments stand when hours, types and paces change. Returns the appointments ahead that
 * now lie outside their provider's hours or have another length. With `wanted`, only the days for which it
 * returns codes are checked, against those codes.
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
    // Release times are not checked: by the start of an appointment every code is released.
    const endsNow = endOf(stretches, noSteps(), ruler, start);
    return endsNow === each.end ? [] : [{ ...each, endsNow }];
  });
}

/** The effect of saving a working week, or its preview. */
export interface SavedWeek extends Imported {
  /** appointments that would lie outside the week, or whose length would differ from it. */
  readonly outside: readonly OutsideSchedule[];
}

/**
 * Saves a provider's working week like an import of its file: all of it or nothing, and only the version
 * that somebody has previewed. A null version only previews.
 */
export async function saveWeek(
  platform: Platform,
  week: WorkingWeek,
  who: Who & { readonly wanted: string | null },
): Promise<SavedWeek> {
  const { db } = platform.database;
  const codesOn = await codesWithWeek(db, week);
  const outside = await outsideSchedule(db, who.now, (providerId, date) =>
    providerId === week.providerId ? codesOn(date) : null,
  );
  return { ...(await tableNamed('schedule').importFile(platform, weekAsFile(week), who)), outside };
}

/** The effect of saving a single day, or its preview. */
interface SavedDay {
  readonly isSaved: boolean;
  /** Identifies the change that was previewed. */
  readonly version: string;
  readonly outside: readonly OutsideSchedule[];
}

/**
 * Sets the codes of a single day of a provider in place of the week's; null codes return the day to the
 * week. Like a week, a day is saved only in the version that somebody has previewed.
 */
export async function saveDay(
  { database, appendAudit }: Pick<Platform, 'database' | 'appendAudit'>,
  wanted: DayOfProvider & { readonly codes: string | null },
  { actor, now, wanted: version }: Who & { readonly wanted: string | null },
  form: FormHeaders = {},
): Promise<SavedDay | Refusal> {
  const { codes, ...day } = wanted;
  const { providerId, clinicDate } = day;
  return database.inTransaction(async (tx) => {
    await lockDay(tx, day);
    const { exception, week, closed, offeredWith } = await singleDayOf(tx, day);
    const refused = overtaken(form, { codes: exception ?? week }, { codes: codes ?? week });
    if (refused !== null) return refused;
    const outside = await outsideSchedule(tx, now, (id, date) =>
      id === providerId && date === clinicDate ? offeredWith(codes) : null,
    );
    const preview = { version: versionOfContent([day, exception, codes]), outside };
    // When the request is repeated after a lost answer, the day has these codes already.
    if (version !== null && exception === codes) return { ...preview, isSaved: true };
    if (version !== preview.version) return { ...preview, isSaved: false };
    await setDay(tx, wanted, closed, toClinic(now).date);
    await appendAudit(tx, {
      actor,
      action: codes === null ? 'single day left to the week' : 'single day said',
      subject: `provider:${providerId}`,
      details: { date: clinicDate, codes },
      at: now,
    });
    return { ...preview, isSaved: true };
  });
}
