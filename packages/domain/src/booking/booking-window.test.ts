import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, startOfDay, toClinic, toInstant } from '../clinic-time.ts';
import { dateBounds, isInsideWindow, lastBookableInstant } from './booking-window.ts';

describe('the booking window (R-13)', () => {
  // Shows: 5.choose-type.4, R-13
  test('the picker starts today until 18:59:59 and tomorrow from 19:00:00 on', () => {
    const seven = toInstant('2026-11-21', '19:00');
    expect(dateBounds(seven - 1)).toEqual({
      today: '2026-11-21',
      min: '2026-11-21',
      max: '2027-02-19',
    });
    expect(dateBounds(seven)).toEqual({
      today: '2026-11-21',
      min: '2026-11-22',
      max: '2027-02-19',
    });
  });

  test('at midnight today moves on', () => {
    expect(dateBounds(startOfDay('2026-11-22')).min).toBe('2026-11-22');
    expect(dateBounds(startOfDay('2026-11-22') - 1).today).toBe('2026-11-21');
  });

  // Shows: 9.window.1, R-13
  test('the last bookable second is the last of the clinic day today + 90', () => {
    const now = toInstant('2026-11-21', '09:00');
    expect(lastBookableInstant(now)).toBe(startOfDay('2027-02-20') - 1);
    expect(isInsideWindow(toInstant('2027-02-19', '23:55'), now)).toBe(true);
    expect(isInsideWindow(startOfDay('2027-02-20') - 1, now)).toBe(true);
    expect(isInsideWindow(startOfDay('2027-02-20'), now)).toBe(false);
  });

  test('a start is inside exactly while its clinic date is', () => {
    const now = fc.integer({ min: startOfDay('2000-01-01'), max: startOfDay('2035-12-31') });
    fc.assert(
      fc.property(now, fc.integer({ min: 88 * 86_400, max: 92 * 86_400 }), (at, ahead) => {
        const inside = toClinic(at + ahead).date <= addDays(toClinic(at).date, 90);
        expect(isInsideWindow(at + ahead, at)).toBe(inside);
      }),
    );
  });
});
