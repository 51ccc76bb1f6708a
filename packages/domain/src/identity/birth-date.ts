import type { ClinicDate } from '../clinic-time.ts';

/** Under this age a representative consents. */
export const MINIMUM_AGE = 19;
export const EARLIEST_BIRTH: ClinicDate = '1900-01-01';

/** Whether a date can be somebody's birthday: from 1900 on and not after the clinic's today. */
export function isBirthDate(date: ClinicDate, today: ClinicDate): boolean {
  return date >= EARLIEST_BIRTH && date <= today;
}

/** Full years lived on a day; who was born on 29 February ages on 1 March of a common year. */
export function ageOn(birth: ClinicDate, today: ClinicDate): number {
  const years = Number(today.slice(0, 4)) - Number(birth.slice(0, 4));
  return today.slice(5) < birth.slice(5) ? years - 1 : years;
}

/** Whether a representative must consent: younger than 19.. */
export function needsRepresentative(birth: ClinicDate, today: ClinicDate): boolean {
  return ageOn(birth, today) < MINIMUM_AGE;
}
