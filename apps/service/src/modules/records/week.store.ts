import { type ClinicDate, addDays, datesOf } from '@clinic/domain';
import { eq } from 'drizzle-orm';

import type { Db } from '../../database/db.ts';
import { WEEKDAYS } from '../../server/table-columns.ts';
import { written } from '../../server/table-text.ts';
import { codesOn, spansOf, weekdayOf } from './schedule.store.ts';
import { recordsException, recordsTemplate } from './schema.ts';

/** A provider's working week from a date on: 288 codes for each weekday, Sunday first. */
export interface WorkingWeek {
  readonly providerId: string;
  readonly validFrom: ClinicDate;
  readonly week: readonly string[];
}

/** The week of a provider as it applies on a date, without exceptions, and since when. */
export async function weekOn(
  db: Db,
  providerId: string,
  date: ClinicDate,
): Promise<{
  readonly week: readonly string[];
  readonly since: ClinicDate | null;
  /** When the next week begins to apply; null without one. */
  readonly next: ClinicDate | null;
}> {
  const all = await templatesOf(db, providerId);
  const inForce = all.filter(({ validFrom }) => validFrom <= date);
  const week: string[] = [];
  for (const day of datesOf({ from: date, to: addDays(date, 6) }))
    week[weekdayOf(day)] = codesOn(day, providerId, inForce, []);
  const begins = all.map(({ validFrom }) => validFrom).sort();
  return {
    week,
    since: begins.findLast((validFrom) => validFrom <= date) ?? null,
    next: begins.find((validFrom) => validFrom > date) ?? null,
  };
}

export const templatesOf = (db: Db, providerId: string) =>
  db.select().from(recordsTemplate).where(eq(recordsTemplate.providerId, providerId));

export const exceptionsOf = (db: Db, providerId: string) =>
  db.select().from(recordsException).where(eq(recordsException.providerId, providerId));

/** The codes of each date from `validFrom` on if the week applied; null for earlier dates. */
export async function codesWithWeek(
  db: Db,
  { providerId, validFrom, week }: WorkingWeek,
): Promise<(date: ClinicDate) => string | null> {
  const exceptions = await exceptionsOf(db, providerId);
  const standing = (await templatesOf(db, providerId)).filter(
    (each) => each.validFrom !== validFrom,
  );
  const wanted = week.map((codes, weekday) => ({ providerId, weekday, validFrom, codes }));
  const templates = [...standing, ...wanted];
  return (date) => (date < validFrom ? null : codesOn(date, providerId, templates, exceptions));
}

/** The week as a file of working weeks that can be imported. */
export function weekAsFile({ providerId, validFrom, week }: WorkingWeek): Uint8Array {
  const rows = WEEKDAYS.flatMap((name, weekday) =>
    spansOf(week[weekday] ?? '').map(({ from, to, code }) =>
      // The id is text: no spreadsheet took its zeros.
      [`'${providerId}`, name, from, to, code, validFrom],
    ),
  );
  const header = ['provider', 'weekday', 'from', 'to', 'code', 'validFrom'];
  return Buffer.from(written([header, ...rows]));
}
