import { describe, expect, test } from 'vitest';

import { toInstant } from '@clinic/domain';

import { scheduleRange } from './schedule-response.ts';

const now = toInstant('2026-11-21', '09:00');
const range = (from: string, to: string) => scheduleRange(from, to, now);

describe('the days that a schedule call means (R-5)', () => {
  // Shows: R-5
  test('two clinic dates are the days from the first to the last, both counted', () => {
    expect(range('2026-12-07', '2026-12-12')).toEqual({ from: '2026-12-07', to: '2026-12-12' });
  });

  // Shows: R-5
  test('epoch seconds mean the clinic day in which they lie', () => {
    const lateEvening = String(toInstant('2026-12-07', '23:59'));
    expect(range(lateEvening, '2026-12-08')).toEqual({ from: '2026-12-07', to: '2026-12-08' });
  });

  // Shows: R-5
  test('seven days are one too many', () => {
    expect(range('2026-12-07', '2026-12-13')).toEqual({ field: 'to', code: 'rangeTooLong' });
  });

  test('the first day may not come after the last', () => {
    expect(range('2026-12-08', '2026-12-07')).toEqual({ field: 'from', code: 'rangeReversed' });
  });

  test.each(['2026-02-30', '0000-01-01', '2026-13-01', '999999999999'])(
    '%s is no day of the calendar',
    (absurd) => {
      expect(range(absurd, '2026-12-07')).toEqual({ field: 'from', code: 'dateNotValid' });
      expect(range('2026-12-07', absurd)).toEqual({ field: 'to', code: 'dateNotValid' });
    },
  );

  // Shows: R-13
  test('what lies wholly in the past or beyond today + 90 is refused, an overlap is answered', () => {
    expect(range('2026-11-19', '2026-11-20')).toEqual({ field: 'to', code: 'dateNotValid' });
    expect(range('2026-11-19', '2026-11-22')).toEqual({ from: '2026-11-21', to: '2026-11-22' });
    expect(range('2027-02-18', '2027-02-22')).toEqual({ from: '2027-02-18', to: '2027-02-19' });
    expect(range('2027-02-20', '2027-02-22')).toEqual({ field: 'from', code: 'dateNotValid' });
  });
});
