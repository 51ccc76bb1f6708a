import { addDays, startOfDay, toClinic } from '../clinic-time.ts';
import type { ClinicDate, EpochSeconds } from '../clinic-time.ts';

/** The window ends with the clinic day this many days after today. */
export const WINDOW_DAYS = 90;
/** From this time of day on, the picker starts with tomorrow. */
const PICKER_MOVES_ON_AT = '19:00';
/** A slot starts more than this many seconds ahead. */
export const NOTICE_SECONDS = 30 * 60;

/** The clinic dates between which a patient may look for a slot, both inclusive. */
export interface DateBounds {
  readonly today: ClinicDate;
  /** Today, or tomorrow from 19:00:00 clinic time on. */
  readonly min: ClinicDate;
  /** Today + 90. */
  readonly max: ClinicDate;
}

/** What the date picker offers at an instant.. */
export function dateBounds(now: EpochSeconds): DateBounds {
  const { date, time } = toClinic(now);
  return {
    today: date,
    min: time >= PICKER_MOVES_ON_AT ? addDays(date, 1) : date,
    max: addDays(date, WINDOW_DAYS),
  };
}

/** Whether a start is more than 30 minutes ahead; exactly 30 is not.. */
export const isFarEnoughAhead = (start: EpochSeconds, now: EpochSeconds): boolean =>
  start - now > NOTICE_SECONDS;

/** Whether a start lies on or before the clinic day today + 90.. */
export function isInsideWindow(start: EpochSeconds, now: EpochSeconds): boolean {
  // Skips the calendar for starts that are certainly inside: a grid checks thousands of slots.
  if (start - now < (WINDOW_DAYS - 1) * 86_400) return true;
  return start < startOfDay(addDays(toClinic(now).date, WINDOW_DAYS + 1));
}

/** Why a start is too near or too far to be booked, or null.. */
export function whyUntimely(
  start: EpochSeconds,
  now: EpochSeconds,
): 'slotTooSoon' | 'slotTooLate' | null {
  if (!isFarEnoughAhead(start, now)) return 'slotTooSoon';
  return isInsideWindow(start, now) ? null : 'slotTooLate';
}
