import { describe, expect, test } from 'vitest';

import { OscarFault } from './errors.ts';
import { instantOfDate, isSpan, momentOf, naive, overlap, spanOf } from './wall-clock.ts';

describe('dates and times', () => {
  test('lose their offset, which says what the server believes and not what the clinic does', () => {
    for (const offset of ['Z', '-07:00', '-08:00', '.000-08:00', ''])
      expect(momentOf(`2026-11-23T10:00:00${offset}`)).toEqual({ date: '2026-11-23', minute: 600 });
  });

  test('in another form fail instead of being guessed', () => {
    for (const value of [null, '', '2026-11-23', '10:00:00', '23/11/2026', 36_000_000, {}])
      expect(() => momentOf(value)).toThrow(OscarFault);
  });

  test('of a day are written as noon in UTC, which no zone of Canada reads as the day before', () => {
    const hour = new Date(instantOfDate('2026-11-23') - 8 * 3_600_000).toISOString();
    expect(hour).toBe('2026-11-23T04:00:00.000Z');
  });

  test('are written without an offset, and 24:00 as the next midnight', () => {
    expect(naive('2026-11-30', '09:05')).toBe('2026-11-30T09:05:00');
    expect(naive('2026-11-30', '24:00')).toBe('2026-12-01T00:00:00');
  });
});

describe('ends', () => {
  const at = (time: string) => `2026-11-23T${time}-08:00`;

  test('inclusive by a minute and by a millisecond both come out exclusive', () => {
    expect(spanOf(at('11:30:00'), at('11:44:00')).end).toBe('11:45');
    expect(spanOf(at('13:00:00'), at('13:14:59')).end).toBe('13:15');
    expect(spanOf(at('23:45:00'), at('23:59:00')).end).toBe('24:00');
  });

  test('before their start leave one minute, so that the time is not thought free', () => {
    expect(spanOf(at('23:45:00'), at('00:14:00')).end).toBe('23:46');
  });

  test('that touch do not overlap', () => {
    const span = (start: string, end: string) => ({ date: '2026-11-23', start, end });
    expect(overlap(span('09:00', '09:15'), span('09:15', '09:30'))).toBe(false);
    expect(overlap(span('09:00', '09:16'), span('09:15', '09:30'))).toBe(true);
  });
});

test('a span is real: 25:75 and a day that is none are refused, which OSCAR rolls over', () => {
  expect(isSpan({ date: '2026-11-23', start: '23:45', end: '24:00' })).toBe(true);
  expect(isSpan({ date: '2026-11-23', start: '25:75', end: '26:00' })).toBe(false);
  expect(isSpan({ date: '2026-02-30', start: '09:00', end: '09:15' })).toBe(false);
  expect(isSpan({ date: '2026-11-23', start: '09:15', end: '09:15' })).toBe(false);
});
