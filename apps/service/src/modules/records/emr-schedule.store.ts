import { CLOSED_DAY, datesOf, dayRuler, overlaid, replacedBetween } from '@clinic/domain';
import type { DateSpan, EpochSeconds, SaidOfDay, Span } from '@clinic/domain';
import {
  type SQL,
  and,
  between,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  or,
  sql,
} from 'drizzle-orm';

import { type Database, type Db, type Tx, part } from '../../database/db.ts';
import { putRows } from '../../database/put-rows.ts';
import type { EmrDay, EmrNames, EmrProvider, EmrSlotCode } from './emr.ts';
import {
  NO_WORK,
  exceptionsBetween,
  keyOfDay,
  lockSchedule,
  standingDays,
  writeDays,
} from './schedule.store.ts';
import { emrName, provider, scheduleDay, slotCode } from './schema.ts';

/** What an EMR says of who works when. */
export interface EmrSchedule {
  readonly providers: readonly EmrProvider[];
  readonly slotCodes: readonly EmrSlotCode[];
  /** The days of the dates to keep; null when the EMR keeps no schedule. */
  readonly days: readonly EmrDay[] | null;
}

/** A day whose codes an EMR has changed; `before` is null where none were known. */
export interface ChangedDay extends SaidOfDay {
  readonly before: string | null;
}

/**
 * Updates our tables to what an EMR says. Providers and codes that it does not name stay, and what the
 * clinic has said here of a single day, such as that it is closed, lies over the EMR's day. Writes only
 * differences, and for every day when the EMR said it. When the EMR keeps no schedule, the days are
 * left to the templates again.
 */
export function keepEmrSchedule(
  database: Database,
  schedule: EmrSchedule,
  dates: DateSpan,
  now: EpochSeconds,
): Promise<readonly ChangedDay[]> {
  return database.inTransaction(async (tx) => {
    const listed = new Map((await tx.select().from(provider)).map((row) => [row.id, row]));
    const providers = schedule.providers.filter((each) => !isIn(listed.get(each.id), each));
    if (providers.length > 0) await putRows(tx, provider, providers);
    await keepCodes(tx, schedule);
    await lockSchedule(tx);
    if (schedule.days === null) {
      const isOfEmr = isNotNull(scheduleDay.fetchedAt);
      if ((await tx.$count(scheduleDay, isOfEmr)) > 0)
        await tx.update(scheduleDay).set({ fetchedAt: null }).where(isOfEmr);
      return [];
    }
    const ids = schedule.providers.map(({ id }) => id);
    const days = datesOf(dates).flatMap((clinicDate) =>
      ids.map((providerId) => ({ clinicDate, providerId })),
    );
    const wanted = await underExceptions(tx, dates, days, schedule.days, now);
    const standing = await standingDays(tx, dates);
    // A day that is to be read anew may have been read before that was known.
    const isAwaited = new Set(
      standing.filter(({ fetchedAt }) => fetchedAt === UNREAD).map(keyOfDay),
    );
    const taken = wanted.filter((day) => !isAwaited.has(keyOfDay(day)));
    await writeDays(tx, standing, taken);
    const isRead = and(
      between(scheduleDay.clinicDate, dates.from, dates.to),
      inArray(scheduleDay.providerId, ids),
      or(isNull(scheduleDay.fetchedAt), ne(scheduleDay.fetchedAt, UNREAD)),
    );
    await tx.update(scheduleDay).set({ fetchedAt: now }).where(isRead);
    return changedDays(standing, taken);
  });
}

/** `fetched_at_s` of a day that is to be read anew, before all others. */
const UNREAD = 0;

/** A day of the EMR's schedule, and when it was read last. */
export interface ReadDay extends Omit<SaidOfDay, 'codes'> {
  readonly readAt: EpochSeconds;
}

/**
 * The days of an EMR's schedule that are to be read anew, and as many as `most` allows of those of the
 * providers, up to a date, that were read before `before`, the oldest first.
 */
export async function daysToRead(
  db: Db,
  {
    from,
    to,
    before,
    providers,
    most,
  }: DateSpan & {
    readonly before: EpochSeconds;
    readonly providers: readonly string[];
    readonly most: { readonly anew: number; readonly others: number };
  },
): Promise<readonly ReadDay[]> {
  const { providerId, clinicDate, fetchedAt } = scheduleDay;
  const read = (isWanted: SQL | undefined, limit: number) =>
    db
      .select({ providerId, clinicDate, readAt: sql`${fetchedAt}`.mapWith(fetchedAt) })
      .from(scheduleDay)
      .where(and(gte(clinicDate, from), isWanted))
      .orderBy(fetchedAt, clinicDate, providerId)
      .limit(limit);
  const anew = await read(eq(fetchedAt, UNREAD), most.anew);
  const left = most.others - anew.length;
  if (left <= 0) return anew;
  const isOld = and(gt(fetchedAt, UNREAD), lte(fetchedAt, before));
  const isTheirs = and(lte(clinicDate, to), inArray(providerId, [...providers]));
  return [...anew, ...(await read(and(isOld, isTheirs), left))];
}

/** Has the days of an EMR's schedule read anew that were not read since `before`; returns how many. */
export async function readDaysAnew(
  db: Db,
  { from, to, before }: DateSpan & { readonly before: EpochSeconds },
): Promise<number> {
  const { providerId, clinicDate, fetchedAt } = scheduleDay;
  const days = await db
    .update(scheduleDay)
    .set({ fetchedAt: UNREAD })
    .where(and(between(clinicDate, from, to), lte(fetchedAt, before)))
    .returning({ providerId });
  return days.length;
}

/** The EMR has refused a time: it is not offered until its day was read anew. */
export const refuseTime = (
  database: Database,
  { providerId, clinicDate, ...time }: Span & Pick<ReadDay, 'clinicDate'>,
): Promise<void> =>
  database.inTransaction(async (tx) => {
    await lockSchedule(tx);
    const isDay = and(
      eq(scheduleDay.clinicDate, clinicDate),
      eq(scheduleDay.providerId, providerId),
      isNotNull(scheduleDay.fetchedAt),
    );
    const [day] = await tx.select().from(scheduleDay).where(isDay);
    if (day === undefined) return;
    const [ruler, refused] = [dayRuler(clinicDate), { from: time.start, to: time.end }];
    const codes = replacedBetween(day.codes, ruler, refused, CLOSED_DAY);
    await tx.update(scheduleDay).set({ codes, fetchedAt: UNREAD }).where(isDay);
  });

/**
 * Writes what an EMR says of days that were asked for; those of which it says nothing are without work.
 * Leaves alone what was written or refused since it was asked.
 */
export function keepEmrDays(
  database: Database,
  asked: readonly ReadDay[],
  ofEmr: readonly EmrDay[],
  now: EpochSeconds,
): Promise<readonly ChangedDay[]> {
  return database.inTransaction(async (tx) => {
    await lockSchedule(tx);
    const dates = asked.map(({ clinicDate }) => clinicDate).sort();
    const span = { from: dates[0] ?? '', to: dates.at(-1) ?? '' };
    const standing = await standingDays(tx, span);
    const readAt = new Map(standing.map((row) => [keyOfDay(row), row.fetchedAt]));
    const left = asked.filter((day) => readAt.get(keyOfDay(day)) === day.readAt);
    const wanted = await underExceptions(tx, span, left, ofEmr, now);
    await writeDays(tx, standing, wanted);
    for (const { providerId, clinicDate } of wanted)
      await tx
        .update(scheduleDay)
        .set({ fetchedAt: now })
        .where(and(eq(scheduleDay.clinicDate, clinicDate), eq(scheduleDay.providerId, providerId)));
    return changedDays(standing, wanted);
  });
}

/** These days as the EMR has them, under what the clinic has set here for single days. */
async function underExceptions(
  tx: Tx,
  dates: DateSpan,
  days: readonly Omit<ReadDay, 'readAt'>[],
  ofEmr: readonly EmrDay[],
  fetchedAt: EpochSeconds,
) {
  const codesOf = new Map(
    ofEmr.map(({ date: clinicDate, ...day }) => [keyOfDay({ ...day, clinicDate }), day.codes]),
  );
  const exceptionOn = await exceptionsBetween(tx, dates);
  return days.map(({ providerId, clinicDate }) => {
    const day = { providerId, clinicDate };
    const codes = overlaid(exceptionOn(day), codesOf.get(keyOfDay(day)) ?? NO_WORK);
    return { ...day, codes, fetchedAt };
  });
}

function changedDays(
  standing: readonly (typeof scheduleDay.$inferSelect)[],
  wanted: readonly Pick<ChangedDay, 'providerId' | 'clinicDate' | 'codes'>[],
): readonly ChangedDay[] {
  const known = new Map(standing.map((row) => [keyOfDay(row), row.codes]));
  return wanted.flatMap(({ providerId, clinicDate, codes }) => {
    const before = known.get(keyOfDay({ providerId, clinicDate })) ?? null;
    return before === codes ? [] : [{ providerId, clinicDate, before, codes }];
  });
}

/**
 * Where the EMR keeps the schedule, its codes mean what its clinic says: what no person has bound serves nothing,
 * and the presets that it does not have are gone.
 */
async function keepCodes(tx: Tx, { slotCodes, days }: EmrSchedule): Promise<void> {
  const kept = await tx.select().from(slotCode);
  const isOpen = (row: (typeof kept)[number] | undefined) => days !== null && !row?.bound;
  const known = new Map(kept.map((row) => [row.code, row]));
  const codes = slotCodes.flatMap((each) => {
    const row = known.get(each.code);
    const types = isOpen(row) ? [] : (row?.types ?? []);
    return isIn(row, each) && types.length === row?.types.length ? [] : { ...row, ...each, types };
  });
  if (codes.length > 0) await putRows(tx, slotCode, codes);
  const presets = kept.filter(
    (row) => isOpen(row) && !slotCodes.some(({ code }) => code === row.code),
  );
  if (presets.length > 0)
    await tx.delete(slotCode).where(
      inArray(
        slotCode.code,
        presets.map(({ code }) => code),
      ),
    );
}

/** Whether the EMR has sites, as it answered last. */
export const EMR_HAS_SITES = part`exists (select from emr_name where kind = 'location')`;

/** The names of one kind that the EMR has; of locations those with most entries first. */
export const emrNames = (db: Db, kind: 'type' | 'location') =>
  db
    .select()
    .from(emrName)
    .where(eq(emrName.kind, kind))
    .orderBy(desc(emrName.entries), emrName.name);

/** Keeps what the EMR says of its names; where it cannot tell of sites, those that it had. */
export const keepEmrNames = (database: Database, { types, locations }: EmrNames): Promise<void> =>
  database.inTransaction(async (tx) => {
    const named = [...new Set(types)].map((name) => ({ providerId: '', name, entries: 0 }));
    const all = [['type', named] as const, ['location', locations] as const];
    for (const [kind, names] of all) {
      if (names === null) continue;
      const kept = await emrNames(tx, kind);
      const wanted = names.map((each) => ({ ...each, kind }));
      const isKept = wanted.every((each) => kept.some((row) => isIn(row, each)));
      if (isKept && kept.length === wanted.length) continue;
      await tx.delete(emrName).where(eq(emrName.kind, kind));
      if (wanted.length > 0) await putRows(tx, emrName, wanted);
    }
  });

/** Whether a row already has all these values. */
const isIn = (row: object | undefined, values: object): boolean =>
  row !== undefined &&
  Object.entries(values).every(([name, value]) => Reflect.get(row, name) === value);
