import { describe, expect, test } from 'vitest';

import { OscarFault } from './errors.ts';
import { dateOf, instantOfDate, isSpan, minuteOf, naive, overlap, spanOf } from './wall-clock.ts';

describe('dates', () => {
  test('come as text, as text with an offset, and as midnight of any zone of Canada', () => {
    const midnights = [0, 2.5, 3.5, 4, 5, 6, 7, 8].map((hours) =>
      Date.UTC(2026, 10, 23, 0, hours * 60),
    );
    for (const value of ['2026-11-23', '2026-11-23T00:00:00-08:00', ...midnights])
      expect(dateOf(value)).toBe('2026-11-23');
    expect(dateOf(String(midnights[7]))).toBe('2026-11-23');
  });

  test('in another form fail instead of being guessed', () => {
    for (const value of [null, '', '23/11/2026', {}])
      expect(() => dateOf(value)).toThrow(OscarFault);
  });

  test('are written as noon in UTC, which no zone of Canada reads as the day before', () => {
    const hour = new Date(instantOfDate('2026-11-23') - 8 * 3_600_000).toISOString();
    expect(hour).toBe('2026-11-23T04:00:00.000Z');
  });
});

describe('times', () => {
  test('lose their offset, which says what the server believes and not what the clinic does', () => {
    for (const offset of ['Z', '-07:00', '-08:00', ''])
      expect(minuteOf(`2026-11-23T10:00:00${offset}`)).toBe(600);
  });

  test('come in the forms of both locales', () => {
    expect(minuteOf('10:00:00')).toBe(600);
    expect(minuteOf('10:00 AM')).toBe(600);
    expect(minuteOf('09:05 a.m.')).toBe(545);
    expect(minuteOf('12:30 AM')).toBe(30);
    expect(minuteOf('12:30 p.m.')).toBe(750);
  });

  test('that come as an instant fail: they were made with the zone of the server', () => {
    expect(() => minuteOf(36_000_000)).toThrow(OscarFault);
  });

  test('are written without an offset, and 24:00 as the next midnight', () => {
    expect(naive('2026-11-30', '09:05')).toBe('2026-11-30T09:05:00');
    expect(naive('2026-11-30', '24:00')).toBe('2026-12-01T00:00:00');
  });
});

describe('ends', () => {
  test('inclusive by a minute and by a millisecond both come out exclusive', () => {
    expect(spanOf('2026-11-23', '11:30:00', '11:44:00').end).toBe('11:45');
    expect(spanOf('2026-11-23', '13:00:00', '2026-11-23T13:14:59-08:00').end).toBe('13:15');
    expect(spanOf('2026-11-23', '23:45:00', '23:59:00').end).toBe('24:00');
  });

  test('before their start leave one minute, so that the time is not thought free', () => {
    expect(spanOf('2026-11-23', '23:45:00', '00:14:00').end).toBe('23:46');
  });

  test('that touch do not overlap', () => {
    const at = (start: string, end: string) => ({ date: '2026-11-23', start, end });
    expect(overlap(at('09:00', '09:15'), at('09:15', '09:30'))).toBe(false);
    expect(overlap(at('09:00', '09:16'), at('09:15', '09:30'))).toBe(true);
  });
});

test('a span is real: 25:75 and a day that is none are refused, which OSCAR rolls over', () => {
  expect(isSpan({ date: '2026-11-23', start: '23:45', end: '24:00' })).toBe(true);
  expect(isSpan({ date: '2026-11-23', start: '25:75', end: '26:00' })).toBe(false);
  expect(isSpan({ date: '2026-02-30', start: '09:00', end: '09:15' })).toBe(false);
  expect(isSpan({ date: '2026-11-23', start: '09:15', end: '09:15' })).toBe(false);
});
