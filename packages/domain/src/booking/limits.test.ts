import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startOfDay, toClinic, toInstant } from '../clinic-time.ts';
import { NOW } from '../testing/index.ts';
import { whyOverLimit } from './limits.ts';
import type { CountedAppointment } from './limits.ts';

const appointment = (
  date: string,
  time: string,
  state: CountedAppointment['state'] = 'booked',
) => ({
  start: toInstant(date, time),
  state,
});
const wanted = toInstant('2026-12-15', '13:00');

describe('one visit per clinic day (§5 Booking limits, R-54)', () => {
  // Shows: 5.limits.1, R-54
  test.each(['held', 'booked', 'registered'] as const)(
    'a %s one that day stands against it',
    (state) => {
      const appointments = [appointment('2026-12-15', '08:00', state)];
      expect(whyOverLimit(wanted, appointments, true, NOW)).toBe('oneEachDay');
      expect(whyOverLimit(wanted, appointments, false, NOW)).toBeNull();
    },
  );

  test.each(['cancelled', 'rescheduled', 'released'] as const)('a %s one does not', (state) => {
    expect(whyOverLimit(wanted, [appointment('2026-12-15', '08:00', state)], true, NOW)).toBeNull();
  });

  // Shows: R-54
  test("the day is the clinic's: 23:59 of the day before and 00:00 of the day after are free", () => {
    const around = [
      appointment('2026-12-14', '23:59'),
      appointment('2026-12-16', '00:00', 'registered'),
    ];
    expect(whyOverLimit(wanted, around, true, NOW)).toBeNull();
    expect(whyOverLimit(wanted, [appointment('2026-12-15', '00:00')], true, NOW)).toBe(
      'oneEachDay',
    );
    expect(whyOverLimit(wanted, [appointment('2026-12-15', '23:59')], true, NOW)).toBe(
      'oneEachDay',
    );
  });

  test('a visit earlier today counts for today', () => {
    const later = toInstant('2026-11-21', '15:00');
    expect(whyOverLimit(later, [appointment('2026-11-21', '08:00')], true, NOW)).toBe('oneEachDay');
  });
});

describe('two upcoming visits (§5 Booking limits, R-54)', () => {
  const first = appointment('2026-12-01', '08:00');
  const second = appointment('2026-12-02', '08:00');

  // Shows: 5.limits.2, 9.limits.1
  test('one leaves room for a second, two leave none', () => {
    expect(whyOverLimit(wanted, [first], false, NOW)).toBeNull();
    expect(whyOverLimit(wanted, [first, second], false, NOW)).toBe('twoUpcoming');
  });

  // Shows: R-54
  test('a hold counts, what is registered, past or cancelled does not', () => {
    const holds = [first, { ...second, state: 'held' as const }];
    expect(whyOverLimit(wanted, holds, false, NOW)).toBe('twoUpcoming');
    const others = [
      first,
      { ...second, state: 'registered' as const },
      { ...second, state: 'cancelled' as const },
      appointment('2026-11-21', '08:00'),
    ];
    expect(whyOverLimit(wanted, others, false, NOW)).toBeNull();
  });

  test('a visit that starts this second is no longer upcoming', () => {
    const starting = { start: NOW, state: 'booked' as const };
    expect(whyOverLimit(wanted, [first, starting], false, NOW)).toBeNull();
    expect(whyOverLimit(wanted, [first, { ...starting, start: NOW + 1 }], false, NOW)).toBe(
      'twoUpcoming',
    );
  });
});

test('whoever is let in at every step never exceeds a limit, in any order of wishes', () => {
  const start = fc.integer({ min: NOW + 1, max: startOfDay('2026-11-27') });
  fc.assert(
    fc.property(fc.array(start, { maxLength: 12 }), fc.boolean(), (wishes, oncePerDay) => {
      const appointments: CountedAppointment[] = [];
      for (const wish of wishes)
        if (whyOverLimit(wish, appointments, oncePerDay, NOW) === null)
          appointments.push({ start: wish, state: 'booked' });
      expect(appointments.length).toBeLessThanOrEqual(2);
      const days = new Set(appointments.map((booked) => toClinic(booked.start).date));
      expect(!oncePerDay || days.size === appointments.length).toBe(true);
    }),
  );
});
