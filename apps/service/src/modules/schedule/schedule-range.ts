import {
  MOST_DAYS_PER_CALL,
  dateBounds,
  daysBetween,
  isClinicDate,
  toClinic,
} from '@clinic/domain';
import type { ClinicDate, DateSpan, EpochSeconds } from '@clinic/domain';

export type RangeRefusal = {
  readonly field: 'from' | 'to';
  readonly code: 'dateNotValid' | 'rangeReversed' | 'rangeTooLong';
};

const INSTANT = /^\d{1,12}$/;
/** The last second of the year 9999: later instants have no four-digit year. */
const LAST_INSTANT = 253_402_300_799;

function dateOf(bound: string): ClinicDate | null {
  if (!INSTANT.test(bound)) return isClinicDate(bound) ? bound : null;
  const at: EpochSeconds = Number(bound);
  return at <= LAST_INSTANT - 86_400 ? toClinic(at).date : null;
}

/**
 * The days that a schedule call means: `from` and `to` are clinic dates or epoch seconds, `to`
 * inclusive, six days at most. A range that lies wholly before today or after the booking window
 * is no valid date; of one that overlaps the window, the overlap is answered.
 */
export function scheduleRange(
  from: string,
  to: string,
  now: EpochSeconds,
): DateSpan | RangeRefusal {
  const first = dateOf(from);
  if (first === null) return { field: 'from', code: 'dateNotValid' };
  const last = dateOf(to);
  if (last === null) return { field: 'to', code: 'dateNotValid' };
  if (first > last) return { field: 'from', code: 'rangeReversed' };
  if (daysBetween(first, last) >= MOST_DAYS_PER_CALL) return { field: 'to', code: 'rangeTooLong' };
  const { today, max } = dateBounds(now);
  if (last < today) return { field: 'to', code: 'dateNotValid' };
  if (first > max) return { field: 'from', code: 'dateNotValid' };
  return { from: first < today ? today : first, to: last > max ? max : last };
}
