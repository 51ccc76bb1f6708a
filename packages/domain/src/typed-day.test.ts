import { describe, expect, test } from 'vitest';
import { addDays, datesOf, formatDay } from './clinic-time.ts';
import { readTypedDay } from './typed-day.ts';

/** A Saturday. */
const TODAY = '2026-11-21';
const read = (typed: string) => readTypedDay(typed, TODAY);

describe('A day that is typed as people say it', () => {
  test.each([
    ['2026-12-04', '2026-12-04'],
    ['20261204', '2026-12-04'],
    ['2026/12/4', '2026-12-04'],
    ['Dec 4', '2026-12-04'],
    ['december 4, 2027', '2027-12-04'],
    ['Dec. 4th', '2026-12-04'],
    ['4 déc', '2026-12-04'],
    ['4 DÉC. 26', '2026-12-04'],
    ['le 1er décembre', '2026-12-01'],
    ['4 de\u0301c', '2026-12-04'],
    ['Fri Dec 4', '2026-12-04'],
    ['ven. 4 déc', '2026-12-04'],
    ['mar 4', '2027-03-04'],
    ['15 août', '2027-08-15'],
    ['+3', '2026-11-24'],
    ['+ 3', '2026-11-24'],
    ['-1', '2026-11-20'],
    ['fri', '2026-11-27'],
    ['Vendredi', '2026-11-27'],
    ['mar', '2026-11-24'],
    ['sat', '2026-11-28'],
    ['today', '2026-11-21'],
    ['demain', '2026-11-22'],
    ['aujourd’hui', '2026-11-21'],
    // Today counts, yesterday is a year away.
    ['Nov 21', '2026-11-21'],
    ['Nov 20', '2027-11-20'],
    ['29 feb', '2028-02-29'],
    ['13/12', '2026-12-13'],
    ['12/13', '2026-12-13'],
    ['12/12', '2026-12-12'],
    ['٤ déc', '2026-12-04'],
    ['  fri ', '2026-11-27'],
  ])('"%s" is %s', (typed, day) => {
    expect(read(typed)).toEqual([day]);
  });

  test.each([
    ['4/12', ['2026-12-04', '2027-04-12']],
    ['12/4', ['2026-12-04', '2027-04-12']],
    ['4.12.2026', ['2026-04-12', '2026-12-04']],
    ['4-12-26', ['2026-04-12', '2026-12-04']],
    ['4 jui', ['2027-06-04', '2027-07-04']],
  ])('"%s" could be either of two', (typed, days) => {
    expect(read(typed)).toEqual(days);
  });

  test.each([
    '',
    'f',
    'fr',
    '4',
    '+',
    '2026-02-30',
    '30 feb',
    '13/13',
    'Sat Dec 4',
    'soon',
    'Dec',
    '4 dec 4 2026',
    '9999-12-31',
    '0202-05-17',
    '+1000',
  ])('"%s" is none', (typed) => {
    expect(read(typed)).toEqual([]);
  });

  test('every day is read from how this page writes it, and from its English short form', () => {
    for (const day of datesOf({ from: TODAY, to: addDays(TODAY, 364) })) {
      expect(read(day)).toEqual([day]);
      expect(read(formatDay(day))).toEqual([day]);
    }
  });
});
