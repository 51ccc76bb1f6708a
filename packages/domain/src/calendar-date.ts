import { isClinicDate } from './clinic-time.ts';
import type { ClinicDate } from './clinic-time.ts';

/**
 * A date from its parts (month 1 to 12), or null when the calendar has none such, as for 30
 * February. For birthdays, crash and passport dates, which never pass through an instant..
 */
export function calendarDate(year: number, month: number, day: number): ClinicDate | null {
  const padded = (n: number, length: number) => String(n).padStart(length, '0');
  const date = `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
  return isClinicDate(date) ? date : null;
}
