import * as fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  mondayOf,
  datesOf,
  daysBetween,
  formatAppointment,
  formatDay,
  formatTime,
  isClinicDate,
  isWholeDay,
  offsetAt,
  offsetChangeBetween,
  startOfDay,
  toClinic,
  toInstant,
} from './clinic-time.ts';
import { VECTOR_COUNT, differencesFromVectors } from './fixtures/zone-fixture.ts';

const utc = (text: string) => Date.parse(text) / 1000;
const someInstant = fc.integer({ min: utc('1970-01-01T00:00Z'), max: utc('2099-12-31T23:59Z') });
const someDate = someInstant.map((at) => toClinic(at).date);
const minutes = (at: number) => Math.floor(at / 60) * 60;

describe('clinic time (R-10)', () => {
  // Shows: 9.time.1
  test('2026-12-15T20:00Z is 13:00 in the clinic, not 12:00', () => {
    expect(toClinic(utc('2026-12-15T20:00Z'))).toEqual({
      date: '2026-12-15',
      time: '13:00',
      weekday: 'Tue',
    });
    expect(formatAppointment(utc('2026-12-15T20:00Z'))).toBe('Tue Dec 15 2026 13:00');
    expect(toInstant('2026-12-15', '13:00')).toBe(utc('2026-12-15T20:00Z'));
  });

  test('2026-11-21 begins at 07:00Z, seven hours behind UTC', () => {
    expect(startOfDay('2026-11-21')).toBe(utc('2026-11-21T07:00Z'));
    expect(offsetAt(utc('2026-11-21T07:00Z'))).toBe(-420);
    expect(toClinic(utc('2026-11-21T06:59:59Z')).date).toBe('2026-11-20');
    expect(toClinic(utc('2026-11-21T07:00Z')).date).toBe('2026-11-21');
  });

  // Shows: R-10
  test('agrees with every vector of IANA 2026f', () => {
    expect(differencesFromVectors()).toEqual([]);
    expect(VECTOR_COUNT).toBe(185);
  });

  // Shows: R-10
  test.each([
    ['UTC', '00:00'],
    ['America/Vancouver', '16:00'],
    ['Asia/Kathmandu', '05:30'],
    ['Pacific/Kiritimati', '13:20'],
  ])('agrees with every vector on a host in %s', (zone, hostClock) => {
    const script = fileURLToPath(new URL('./fixtures/print-differences.ts', import.meta.url));
    const env = { ...process.env, TZ: zone, NODE_OPTIONS: '' };
    const answer: unknown = JSON.parse(
      execFileSync(process.execPath, [script], { encoding: 'utf8', env }),
    );
    expect(answer).toMatchObject({ vectors: VECTOR_COUNT, differences: [] });
    // Kiritimati and Kathmandu had other offsets in 1970: the host's clock is really another one.
    expect(answer).toHaveProperty('hostClock', hostClock);
  });

  test('a skipped time moves forward by the hour', () => {
    expect(formatTime(toInstant('2026-03-08', '02:30'))).toBe('03:30');
    expect(toInstant('2026-03-08', '03:00')).toBe(utc('2026-03-08T10:00Z'));
    expect(toInstant('2026-03-08', '01:59')).toBe(utc('2026-03-08T09:59Z'));
  });

  test('a repeated time means the earlier', () => {
    expect(toInstant('2025-11-02', '01:30')).toBe(utc('2025-11-02T08:30Z'));
    expect(toInstant('2026-11-01', '01:30')).toBe(utc('2026-11-01T08:30Z'));
  });

  test.each(['2026-02-29', '2026-13-01', '2026-00-10', '2026-11-31', '0000-01-01', '', '2026-1-1'])(
    "'%s' is no clinic date",
    (text) => {
      expect(isClinicDate(text)).toBe(false);
      expect(() => startOfDay(text)).toThrow(RangeError);
      expect(() => addDays(text, 1)).toThrow(RangeError);
      expect(() => daysBetween('2026-11-21', text)).toThrow(RangeError);
    },
  );

  test('a day whose end is an instant is each but the last of the calendar', () => {
    expect(isWholeDay('9999-12-30')).toBe(true);
    expect(isClinicDate('9999-12-31')).toBe(true);
    expect(isWholeDay('9999-12-31')).toBe(false);
    expect(isWholeDay('1000-01-01')).toBe(true);
    expect(isWholeDay('0999-12-31')).toBe(false);
    expect(isWholeDay('2026-02-30')).toBe(false);
    expect(isWholeDay('')).toBe(false);
  });

  test('the calendar knows leap days, months and years', () => {
    expect(isClinicDate('2028-02-29')).toBe(true);
    expect(mondayOf('2026-11-29')).toBe('2026-11-23');
    expect(mondayOf('2026-11-30')).toBe('2026-11-30');
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
    expect(daysBetween('2026-11-21', '2027-02-19')).toBe(90);
    expect(daysBetween('2026-11-21', '2026-11-20')).toBe(-1);
    expect(formatDay('2026-12-15')).toBe('Tue Dec 15');
    expect(formatDay('2026-01-05')).toBe('Mon Jan 05');
  });

  test('a span has its dates, none when from lies after to', () => {
    expect(datesOf({ from: '2026-11-30', to: '2026-12-01' })).toEqual(['2026-11-30', '2026-12-01']);
    expect(datesOf({ from: '2026-12-01', to: '2026-11-30' })).toEqual([]);
  });

  test('what is no instant throws', () => {
    expect(() => toClinic(Number.NaN)).toThrow(RangeError);
    expect(() => toClinic(1e15)).toThrow(RangeError);
  });

  test('before the first change and after the last an offset holds on', () => {
    expect([offsetAt(-1e9), offsetAt(0)]).toEqual([-480, -480]);
    expect([offsetAt(utc('2026-03-08T10:00Z')), offsetAt(4e9)]).toEqual([-420, -420]);
  });

  test('a change of the offset is found between two instants, both sides exclusive', () => {
    const change = utc('2026-03-08T10:00Z');
    expect(offsetChangeBetween(change - 1, change + 1)).toBe(change);
    expect(offsetChangeBetween(change, change + 1e6)).toBeNull();
    expect(offsetChangeBetween(change - 1, change)).toBeNull();
  });

  test('any minute survives the way to the wall and back, but for the hour that came twice', () => {
    fc.assert(
      fc.property(someInstant.map(minutes), (at) => {
        const { date, time } = toClinic(at);
        const back = toInstant(date, time);
        expect([0, 3600]).toContain(at - back);
        expect(toClinic(back)).toEqual(toClinic(at));
      }),
      { numRuns: 2000 },
    );
  });

  test('later instants never read an earlier day, and days follow each other', () => {
    fc.assert(
      fc.property(someInstant, fc.nat(200_000), (at, later) => {
        expect(toClinic(at + later).date >= toClinic(at).date).toBe(true);
      }),
    );
    fc.assert(
      fc.property(someDate, fc.integer({ min: -40_000, max: 40_000 }), (date, days) => {
        expect(daysBetween(date, addDays(date, days))).toBe(days);
        expect(toClinic(startOfDay(date))).toMatchObject({ date, time: '00:00' });
        expect(toClinic(startOfDay(date) - 1)).toMatchObject({ date: addDays(date, -1) });
      }),
    );
  });
});
