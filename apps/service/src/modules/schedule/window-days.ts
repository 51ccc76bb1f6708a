import { WINDOW_DAYS, addDays } from '@clinic/domain';
import type { ClinicDate, DateSpan } from '@clinic/domain';

import type { ProviderDayRow } from './schedule-answer.ts';
import type { ScheduleVersions } from './schedule-versions.ts';

/** The providers' days by date. */
export type DaysByDate = ReadonlyMap<ClinicDate, readonly ProviderDayRow[]>;

/**
 * The templates of the whole booking window, read again only when one of them, a provider or a policy
 * has changed: bookings leave them as they are. `today` is the window's first day.
 */
export function windowDays(
  versions: ScheduleVersions,
  readDays: (range: DateSpan) => Promise<readonly ProviderDayRow[]>,
): (today: ClinicDate) => Promise<DaysByDate> {
  let kept: { readonly key: string; readonly days: Promise<DaysByDate> } | null = null;

  async function read(from: ClinicDate): Promise<DaysByDate> {
    const rows = await readDays({ from, to: addDays(from, WINDOW_DAYS) });
    const known = new Map<string, string>();
    const one = (codes: string) => known.get(codes) ?? (known.set(codes, codes), codes);
    const shared = rows.map((row) => ({ ...row, codes: one(row.codes) }));
    return Map.groupBy(shared, ({ date }) => date);
  }

  return async (today) => {
    const key = `${today}/${await versions.of([])}`;
    if (kept?.key === key) return kept.days;
    const entry = { key, days: read(today) };
    kept = entry;
    entry.days.catch(() => {
      if (kept === entry) kept = null;
    });
    return entry.days;
  };
}
