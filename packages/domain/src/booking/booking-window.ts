import { addDays, startOfDay, toClinic } from '../clinic-time.ts';
import type { ClinicDate, EpochSeconds } from '../clinic-time.ts';

/** The window ends with the clinic day this many days after today. */
export const WINDOW_DAYS = 90;
/** From this time on the picker starts with tomorrow. */
const PICKER_MOVES_ON_AT = '19:00';

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

/** The last second of the clinic day today + 90.. */
export function lastBookableInstant(now: EpochSeconds): EpochSeconds {
  return startOfDay(addDays(toClinic(now).date, WINDOW_DAYS + 1)) - 1;
}

/** Whether a start lies on or before the clinic day today + 90.. */
export function isInsideWindow(start: EpochSeconds, now: EpochSeconds): boolean {
  // No calendar is asked for what is certainly inside: a grid checks thousands of slots.
  return start - now < (WINDOW_DAYS - 1) * 86_400 || start <= lastBookableInstant(now);
}
