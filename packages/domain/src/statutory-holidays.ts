import {
  type ClinicDate,
  addDays,
  calendarDate,
  toClinic,
  toInstant,
  WEEKDAYS,
} from './clinic-time.ts';

/** The statutory holidays of section 1 of the Employment Standards Act of British Columbia. */
export const STATUTORY_HOLIDAYS = [
  'newYear',
  'family',
  'goodFriday',
  'victoria',
  'canada',
  'britishColumbia',
  'labour',
  'truthAndReconciliation',
  'thanksgiving',
  'remembrance',
  'christmas',
] as const;
export type StatutoryHoliday = (typeof STATUTORY_HOLIDAYS)[number];

/** The dates of a year, in their order. The Act knows no day on which one is observed in its place. */
export function statutoryHolidays(
  year: number,
): { readonly holiday: StatutoryHoliday; readonly date: ClinicDate }[] {
  const on = (month: number, day: number) => {
    const date = calendarDate(year, month, day);
    if (date === null) throw new RangeError(`There is no year ${year}`);
    return date;
  };
  /** The first Monday on a date or after it. */
  const mondayFrom = (month: number, day: number) => {
    const from = on(month, day);
    const after = WEEKDAYS.indexOf(toClinic(toInstant(from, '12:00')).weekday);
    return addDays(from, (7 - after) % 7);
  };
  const dates: Readonly<Record<StatutoryHoliday, ClinicDate>> = {
    newYear: on(1, 1),
    family: mondayFrom(2, 15),
    goodFriday: addDays(easter(year), -2),
    // The Monday before 25 May.
    victoria: mondayFrom(5, 18),
    canada: on(7, 1),
    britishColumbia: mondayFrom(8, 1),
    labour: mondayFrom(9, 1),
    truthAndReconciliation: on(9, 30),
    thanksgiving: mondayFrom(10, 8),
    remembrance: on(11, 11),
    christmas: on(12, 25),
  };
  return STATUTORY_HOLIDAYS.map((holiday) => ({ holiday, date: dates[holiday] }));

  /** Easter Sunday by the Gregorian reckoning, as Meeus, Jones and Butcher write it. */
  function easter(of: number): ClinicDate {
    const century = Math.floor(of / 100);
    const golden = of % 19;
    const moons = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
    const epact = (19 * golden + century - Math.floor(century / 4) - moons + 15) % 30;
    const sunday = (32 + 2 * (century % 4) + 2 * Math.floor((of % 100) / 4) - epact - (of % 4)) % 7;
    const late = Math.floor((golden + 11 * epact + 22 * sunday) / 451);
    const days = epact + sunday - 7 * late + 114;
    return on(Math.floor(days / 31), (days % 31) + 1);
  }
}
