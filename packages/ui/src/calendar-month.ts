import { addDays, type ClinicDate } from '@clinic/domain';

const firstOfMonth = (date: ClinicDate): ClinicDate => `${date.slice(0, 8)}01`;

/** The same day `months` later, or the last day of that month when it is shorter. */
export function addMonths(date: ClinicDate, months: number): ClinicDate {
  const count = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 + months;
  const first = `${Math.floor(count / 12)}-${String((count % 12) + 1).padStart(2, '0')}-01`;
  const last = addDays(firstOfMonth(addDays(first, 31)), -1);
  const sameDay = first.slice(0, 8) + date.slice(8);
  return sameDay < last ? sameDay : last;
}

/** 0 for Sunday to 6 for Saturday. */
export function weekdayIndex(date: ClinicDate): number {
  // Sakamoto's method: plain arithmetic on year, month and day.
  const month = Number(date.slice(5, 7));
  const year = Number(date.slice(0, 4)) - (month < 3 ? 1 : 0);
  const shift = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4][month - 1] ?? 0;
  const leaps = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);
  return (year + leaps + shift + Number(date.slice(8))) % 7;
}

/**
 * The weeks of the month of `date`, from Sunday as in Canadian calendars, each of seven places; null for days
 * of other months.
 */
export function weeksOf(date: ClinicDate): readonly (readonly (ClinicDate | null)[])[] {
  const first = firstOfMonth(date);
  const cells: (ClinicDate | null)[] = Array.from({ length: weekdayIndex(first) }, () => null);
  for (let day = first; day.slice(0, 7) === first.slice(0, 7); day = addDays(day, 1))
    cells.push(day);
  while (cells.length % 7 !== 0) cells.push(null);
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7));
}
