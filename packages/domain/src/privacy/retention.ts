import { isClinicDate, type ClinicDate } from '../clinic-time.ts';
import { MINIMUM_AGE } from '../identity/identity.ts';

/** S-15, §9: counted from the last entry, or from the day the patient comes of age if that is later. */
export const RETENTION_YEARS = 16;

/** The last day on which the records of a patient must be kept. */
export function keepUntil(birthDate: ClinicDate, lastEntry: ClinicDate): ClinicDate {
  const ofAge = yearsAfter(birthDate, MINIMUM_AGE);
  return yearsAfter(lastEntry > ofAge ? lastEntry : ofAge, RETENTION_YEARS);
}

/** The same day that many years later; for 29 February, 1 March in a common year. */
export function yearsAfter(date: ClinicDate, years: number): ClinicDate {
  const year = String(Number(date.slice(0, 4)) + years).padStart(4, '0');
  const then = `${year}${date.slice(4)}`;
  return isClinicDate(then) ? then : `${year}-03-01`;
}
