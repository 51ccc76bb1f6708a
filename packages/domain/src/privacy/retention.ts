import { isClinicDate, type ClinicDate } from '../clinic-time.ts';
import { MINIMUM_AGE } from '../identity/identity.ts';

/** S-15, §9: from the last entry, or from the day the patient comes of age, whichever is later. */
export const RETENTION_YEARS = 16;

/** The last day on which the records of a patient must be kept. */
export function keepUntil(birthDate: ClinicDate, lastEntry: ClinicDate): ClinicDate {
  const ofAge = yearsAfter(birthDate, MINIMUM_AGE);
  return yearsAfter(lastEntry > ofAge ? lastEntry : ofAge, RETENTION_YEARS);
}

/** The same day that many years on; 1 March where 29 February has none. */
export function yearsAfter(date: ClinicDate, years: number): ClinicDate {
  const year = String(Number(date.slice(0, 4)) + years).padStart(4, '0');
  const then = `${year}${date.slice(4)}`;
  return isClinicDate(then) ? then : `${year}-03-01`;
}
