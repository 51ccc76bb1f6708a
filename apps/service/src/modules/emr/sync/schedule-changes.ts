import { NOT_WORKING, STEP_SECONDS, addDays, dayRuler, stepAt, toClinic } from '@clinic/domain';
import type { ClinicDate, DateSpan, EpochSeconds, Span } from '@clinic/domain';

import type { Db } from '../../../database/db.ts';
import type { Platform } from '../../../platform.ts';
import type { Emr, ProviderId } from '../../records/emr.ts';
import {
  daysToRead,
  keepEmrDays,
  keepEmrNames,
  keepEmrSchedule,
  knownProviders,
  readDaysAnew,
  timeoutAsOffline,
  type ChangedDay,
} from '../../records/index.ts';
import { hideProviders, listProviders } from '../../schedule/index.ts';
import { type StandingOnDay, standingOnDays } from '../../appointments/index.ts';
import { type Lease, type SyncState, lastSync } from './sync-state.ts';

// Follows a schedule that changes in the EMR: nothing there tells of it, so its days are read again.

/** The days ahead that are watched, and how long one round over them takes. */
const DAYS_WATCHED = 14;
const ROUND_SECONDS = 570;
/** What was read so lately is not read again. */
const FRESH_SECONDS = 60;
/** After a pause a sync reads no more than these. */
const MOST_AT_ONCE = 60;
const MOST_ANEW = 400;

const watched = (now: EpochSeconds) => {
  const today = toClinic(now).date;
  return { from: today, to: addDays(today, DAYS_WATCHED - 1) };
};

interface TemplatesToRead {
  readonly dates: DateSpan;
  readonly renewLease: Lease['renewLease'];
  /** Names of the EMR are read with the whole window. */
  readonly isFullSync: boolean;
}

/** Reads the templates of as many of these dates as the EMR gives at once. */
export async function readTemplates(
  { database }: Pick<Platform, 'database'>,
  emr: Emr,
  { dates: { from, to }, renewLease, isFullSync }: TemplatesToRead,
  now: EpochSeconds,
): Promise<{ readonly left: DateSpan | null; readonly changed: readonly ChangedDay[] }> {
  const providers = await timeoutAsOffline(emr.providers());
  await renewLease();
  const slotCodes = await timeoutAsOffline(emr.slotCodes());
  await renewLease();
  if (isFullSync) {
    const names = await timeoutAsOffline(emr.names());
    if (names !== null) await keepEmrNames(database, names);
    await renewLease();
  }
  const read = await timeoutAsOffline(emr.dayTemplates({ from, to }));
  const { days, through } = read ?? { days: null, through: to };
  const known = new Set(await knownProviders(database.db));
  const unknown = providers.map(({ id }) => id).filter((id) => !known.has(id));
  // A provider who is new there is shown once the desk says so; hidden before their days are written.
  if (unknown.length > 0) await database.inTransaction((tx) => hideProviders(tx, unknown));
  const schedule = { providers, slotCodes, days };
  const changed = await keepEmrSchedule(database, schedule, { from, to: through }, now);
  return { left: through < to ? { from: addDays(through, 1), to } : null, changed };
}

/**
 * Reads again the days on which the EMR refused a time or that staff asked for, and then the days ahead that
 * were read longest ago. Returns those that changed.
 */
export async function readScheduleAgain(
  { database }: Pick<Platform, 'database'>,
  emr: Emr,
  { last, renewLease }: { readonly last: SyncState; readonly renewLease: Lease['renewLease'] },
  now: EpochSeconds,
): Promise<readonly ChangedDay[]> {
  const shown = (await listProviders(database.db)).filter(({ status }) => !status.hidden);
  const since = Math.max(0, now - (last.answeredAt ?? now));
  // A call a second at most, and no more of them than make one round of it.
  const share = Math.ceil((shown.length * DAYS_WATCHED * since) / ROUND_SECONDS);
  const due = await daysToRead(database.db, {
    ...watched(now),
    before: now - FRESH_SECONDS,
    providers: shown.map(({ id }) => id),
    // While the whole window is read for the first time, nothing else is.
    most: {
      anew: MOST_ANEW,
      others: last.templates === null ? Math.min(share, since, MOST_AT_ONCE) : 0,
    },
  });
  const changed: ChangedDay[] = [];
  for (const [date, days] of Map.groupBy(due, ({ clinicDate }) => clinicDate)) {
    await renewLease();
    const whose = days.map(({ providerId }) => providerId as ProviderId);
    const read = await timeoutAsOffline(emr.dayNow(date, whose));
    if (read !== null) changed.push(...(await keepEmrDays(database, days, read, now)));
  }
  return changed;
}

/** Has the days ahead read again by the next sync, because staff say that they have changed them. */
export const readScheduleNow = (db: Db, now: EpochSeconds): Promise<number> =>
  readDaysAnew(db, { ...watched(now), before: now - FRESH_SECONDS });

/**
 * The ids of booked appointments under which the schedule has closed, now that these days have changed. An
 * appointment that staff put outside of working time was never within it, and is none of them.
 */
export async function outsideNow(
  { database }: Pick<Platform, 'database'>,
  last: SyncState,
  changed: readonly ChangedDay[],
  now: EpochSeconds,
): Promise<readonly string[]> {
  const byDay = new Map(changed.map((day) => [`${day.providerId} ${day.clinicDate}`, day]));
  const dates = [...new Set(changed.map(({ clinicDate }) => clinicDate))];
  const [before, onThem] = await Promise.all([
    last.outside.length === 0 ? [] : standingOnDays(database.db, now, { ids: last.outside }),
    dates.length === 0 ? [] : standingOnDays(database.db, now, { dates }),
  ]);
  const found = onThem.filter((each) => {
    const day = byDay.get(`${each.providerId} ${each.date}`);
    return day !== undefined && isWithin(each, day.before) && !isWithin(each, day.codes);
  });
  return [...new Set([...before.filter(isOutside), ...found].map(({ id }) => id))];
}

/** Booked appointments under which the schedule has closed, as they stand now. */
export const appointmentsOutside = async (db: Db, now: EpochSeconds): Promise<StandingOnDay[]> =>
  standingOnDays(db, now, { ids: (await lastSync(db)).outside });

const isOutside = (each: StandingOnDay) => !isWithin(each, each.codes);

/** Whether somebody works during the whole appointment, by the codes of its day. */
function isWithin(
  { date, start, end }: Pick<Span, 'start' | 'end'> & { readonly date: ClinicDate },
  codes: string | null,
): boolean {
  const ruler = dayRuler(date);
  for (let at = start - (start % STEP_SECONDS); at < end; at += STEP_SECONDS) {
    const step = stepAt(ruler, at);
    if (step === null || (codes?.[step] ?? NOT_WORKING) === NOT_WORKING) return false;
  }
  return true;
}
