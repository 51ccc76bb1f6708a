import { datesOf, overlaid } from '@clinic/domain';
import type { DateSpan, EpochSeconds } from '@clinic/domain';
import { and, between, inArray, isNotNull } from 'drizzle-orm';

import type { Database } from '../../database/db.ts';
import { putRows } from '../../database/put-rows.ts';
import type { EmrDay, EmrProvider, EmrSlotCode } from './emr.ts';
import {
  NO_EXCEPTION,
  NO_WORK,
  exceptionsBetween,
  keyOf,
  lockSchedule,
  standingDays,
  writeDays,
} from './schedule.store.ts';
import { provider, scheduleDay, slotCode } from './schema.ts';

/** What an EMR says of who works when. */
export interface EmrSchedule {
  readonly providers: readonly EmrProvider[];
  readonly slotCodes: readonly EmrSlotCode[];
  /** The days of the dates to keep; null when the EMR keeps no schedule. */
  readonly days: readonly EmrDay[] | null;
}

/**
 * Updates our tables to what an EMR says. Providers and codes that it does not name stay, and what the
 * clinic has said here of a single day, such as that it is closed, lies over the EMR's day. Writes only
 * differences, and for every day when the EMR said it. When the EMR keeps no schedule, the days are
 * left to the templates again.
 */
export function keepEmrSchedule(
  database: Database,
  said: EmrSchedule,
  dates: DateSpan,
  now: EpochSeconds,
): Promise<void> {
  return database.inTransaction(async (tx) => {
    const listed = new Map((await tx.select().from(provider)).map((row) => [row.id, row]));
    const providers = said.providers.filter((each) => !isIn(listed.get(each.id), each));
    if (providers.length > 0) await putRows(tx, provider, providers);
    const known = new Map((await tx.select().from(slotCode)).map((row) => [row.code, row]));
    const codes = said.slotCodes
      .filter((each) => !isIn(known.get(each.code), each))
      .map((each) => ({ types: [], ...known.get(each.code), ...each }));
    if (codes.length > 0) await putRows(tx, slotCode, codes);
    await lockSchedule(tx);
    if (said.days === null) {
      const isOfEmr = isNotNull(scheduleDay.fetchedAt);
      if ((await tx.$count(scheduleDay, isOfEmr)) > 0)
        await tx.update(scheduleDay).set({ fetchedAt: null }).where(isOfEmr);
      return;
    }
    const ids = said.providers.map(({ id }) => id);
    const codesOf = new Map(
      said.days.map(({ providerId, date: day, codes: each }) => [
        keyOf({ providerId, clinicDate: day }),
        each,
      ]),
    );
    const exceptions = await exceptionsBetween(tx, dates);
    const wanted = datesOf(dates).flatMap((clinicDate) =>
      ids.map((providerId) => {
        const key = keyOf({ clinicDate, providerId });
        const codes = overlaid(exceptions.get(key) ?? NO_EXCEPTION, codesOf.get(key) ?? NO_WORK);
        return { clinicDate, providerId, codes, fetchedAt: now };
      }),
    );
    await writeDays(tx, await standingDays(tx, dates), wanted);
    const isSaid = and(
      between(scheduleDay.clinicDate, dates.from, dates.to),
      inArray(scheduleDay.providerId, ids),
    );
    await tx.update(scheduleDay).set({ fetchedAt: now }).where(isSaid);
  });
}

/** Whether a row already has all values of `said`. */
const isIn = (row: object | undefined, said: object): boolean =>
  row !== undefined &&
  Object.entries(said).every(([name, value]) => Reflect.get(row, name) === value);
