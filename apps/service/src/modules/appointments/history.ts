import { isClinicDate, startOfDay, toClinic } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';

const YEARS_SHOWN = 2;

/** The instant from which appointments are listed without being asked for all: 24 months ago (§2). */
export function shownSince(now: EpochSeconds): EpochSeconds {
  const { date } = toClinic(now);
  const then = `${Number(date.slice(0, 4)) - YEARS_SHOWN}${date.slice(4)}`;
  // 29 February has no counterpart in most years.
  return startOfDay(isClinicDate(then) ? then : `${then.slice(0, 4)}-02-28`);
}
