import { describe, expect, test } from 'vitest';
import { STATUTORY_HOLIDAYS, statutoryHolidays } from './statutory-holidays.ts';

const datesOf = (year: number) => statutoryHolidays(year).map(({ date }) => date.slice(5));

// Shows: S-18
describe('The statutory holidays of British Columbia', () => {
  test('are eleven, in the order of the year', () => {
    expect(statutoryHolidays(2026).map(({ holiday }) => holiday)).toEqual(STATUTORY_HOLIDAYS);
    expect(STATUTORY_HOLIDAYS).toHaveLength(11);
  });

  test.each([
    [2024, '01-01 02-19 03-29 05-20 07-01 08-05 09-02 09-30 10-14 11-11 12-25'],
    [2025, '01-01 02-17 04-18 05-19 07-01 08-04 09-01 09-30 10-13 11-11 12-25'],
    [2026, '01-01 02-16 04-03 05-18 07-01 08-03 09-07 09-30 10-12 11-11 12-25'],
    [2027, '01-01 02-15 03-26 05-24 07-01 08-02 09-06 09-30 10-11 11-11 12-25'],
    // An early Easter, and Mondays at the end of their week.
    [2035, '01-01 02-19 03-23 05-21 07-01 08-06 09-03 09-30 10-08 11-11 12-25'],
    // The latest Easter, and Mondays at the beginning of their week.
    [2038, '01-01 02-15 04-23 05-24 07-01 08-02 09-06 09-30 10-11 11-11 12-25'],
  ])('of %i fall on %s', (year, dates) => {
    expect(datesOf(year)).toEqual(dates.split(' '));
  });
});
