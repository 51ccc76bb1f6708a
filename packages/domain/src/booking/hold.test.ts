import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startOfDay, toClinic, toInstant } from '../clinic-time.ts';
import { NOW } from '../testing/index.ts';
import {
  isUnexpired,
  newHold,
  extendedFor3dSecure,
  extendedForPayment,
  extendedHold,
  secondsLeft,
  whyOverLimit,
} from './hold.ts';
import type { CountedAppointment } from './hold.ts';

const MINUTE = 60;
const hold = newHold(1000);
const minutesAfter = (minutes: number) => hold.placedAt + minutes * MINUTE;

describe('how long a slot is held (R-30)', () => {
  // Shows: R-30
  test('10 minutes: a second before it stands, at the end it does not', () => {
    expect(hold).toEqual({ placedAt: 1000, expiresAt: 1000 + 600 });
    expect(isUnexpired(hold, hold.expiresAt - 1)).toBe(true);
    expect(isUnexpired(hold, hold.expiresAt)).toBe(false);
    expect([secondsLeft(hold, hold.expiresAt - 1), secondsLeft(hold, hold.expiresAt + 5)]).toEqual([
      1, 0,
    ]);
  });

  // Shows: R-30
  test('entering payment gives 15 minutes from then', () => {
    expect(extendedForPayment(hold, minutesAfter(4))?.expiresAt).toBe(minutesAfter(19));
    expect(extendedForPayment(hold, hold.placedAt)?.expiresAt).toBe(minutesAfter(15));
  });

  test('entering payment again never gives more than 30 minutes in total', () => {
    const once = extendedForPayment(hold, minutesAfter(9));
    const twice = once && extendedForPayment(once, minutesAfter(20));
    expect(once?.expiresAt).toBe(minutesAfter(24));
    expect(twice?.expiresAt).toBe(minutesAfter(30));
  });

  test('the bank gives 30 minutes in total', () => {
    expect(extendedFor3dSecure(hold, minutesAfter(2))?.expiresAt).toBe(minutesAfter(30));
  });

  test('asked for again it gives 10 minutes from then, 30 in total', () => {
    expect(extendedHold(hold, minutesAfter(6))?.expiresAt).toBe(minutesAfter(16));
    const once = extendedHold(hold, minutesAfter(9)) as typeof hold;
    const twice = extendedHold(once, minutesAfter(18)) as typeof hold;
    expect(extendedHold(twice, minutesAfter(27))?.expiresAt).toBe(minutesAfter(30));
    expect(extendedHold(hold, hold.expiresAt)).toBeNull();
  });

  test('a hold that has lapsed is not renewed', () => {
    expect(extendedForPayment(hold, hold.expiresAt)).toBeNull();
    expect(extendedFor3dSecure(hold, hold.expiresAt)).toBeNull();
  });

  // Shows: R-30
  test('renewing never shortens a hold and never goes beyond 30 minutes', () => {
    const steps = fc.array(fc.tuple(fc.boolean(), fc.nat(1800)), { maxLength: 8 });
    fc.assert(
      fc.property(steps, (renewals) => {
        let current = hold;
        let now = hold.placedAt;
        for (const [atBank, later] of renewals) {
          now += later;
          const next = (atBank ? extendedFor3dSecure : extendedForPayment)(current, now);
          if (!next) continue;
          expect(next.expiresAt).toBeGreaterThanOrEqual(current.expiresAt);
          expect(next.expiresAt).toBeLessThanOrEqual(minutesAfter(30));
          current = next;
        }
      }),
    );
  });
});

const appointment = (
  date: string,
  time: string,
  state: CountedAppointment['state'] = 'booked',
) => ({
  start: toInstant(date, time),
  state,
});
const wanted = toInstant('2026-12-15', '13:00');

describe('one appointment per clinic day (§5 Booking limits, R-54)', () => {
  // Shows: 5.limits.1, R-54
  test.each(['holding', 'booked', 'registered'] as const)(
    'a %s one that day stands against it',
    (state) => {
      const appointments = [appointment('2026-12-15', '08:00', state)];
      expect(whyOverLimit(wanted, appointments, true, NOW)).toBe('oneEachDay');
      expect(whyOverLimit(wanted, appointments, false, NOW)).toBeNull();
    },
  );

  test.each(['cancelled', 'rescheduled', 'givenUp'] as const)('a %s one does not', (state) => {
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

  test('an appointment earlier today counts for today', () => {
    const later = toInstant('2026-11-21', '15:00');
    expect(whyOverLimit(later, [appointment('2026-11-21', '08:00')], true, NOW)).toBe('oneEachDay');
  });
});

describe('two upcoming appointments (§5 Booking limits, R-54)', () => {
  const first = appointment('2026-12-01', '08:00');
  const second = appointment('2026-12-02', '08:00');

  // Shows: 5.limits.2, 9.limits.1
  test('one leaves room for a second, two leave none', () => {
    expect(whyOverLimit(wanted, [first], false, NOW)).toBeNull();
    expect(whyOverLimit(wanted, [first, second], false, NOW)).toBe('twoUpcoming');
  });

  // Shows: R-54
  test('a hold counts, what is registered, past or cancelled does not', () => {
    const holds = [first, { ...second, state: 'holding' as const }];
    expect(whyOverLimit(wanted, holds, false, NOW)).toBe('twoUpcoming');
    const others = [
      first,
      { ...second, state: 'registered' as const },
      { ...second, state: 'cancelled' as const },
      appointment('2026-11-21', '08:00'),
    ];
    expect(whyOverLimit(wanted, others, false, NOW)).toBeNull();
  });

  test('an appointment that starts this second is no longer upcoming', () => {
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
