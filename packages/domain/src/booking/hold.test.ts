import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  holdStands,
  newHold,
  renewedForBank,
  renewedForPayment,
  renewedHold,
  secondsLeft,
} from './hold.ts';

const MINUTE = 60;
const hold = newHold(1000);
const minutesAfter = (minutes: number) => hold.heldAt + minutes * MINUTE;

describe('how long a slot is held (R-30)', () => {
  // Shows: R-30
  test('10 minutes: a second before it stands, at the end it does not', () => {
    expect(hold).toEqual({ heldAt: 1000, until: 1000 + 600 });
    expect(holdStands(hold, hold.until - 1)).toBe(true);
    expect(holdStands(hold, hold.until)).toBe(false);
    expect([secondsLeft(hold, hold.until - 1), secondsLeft(hold, hold.until + 5)]).toEqual([1, 0]);
  });

  // Shows: R-30
  test('entering payment gives 15 minutes from then', () => {
    expect(renewedForPayment(hold, minutesAfter(4))?.until).toBe(minutesAfter(19));
    expect(renewedForPayment(hold, hold.heldAt)?.until).toBe(minutesAfter(15));
  });

  test('entering payment again never gives more than 30 minutes in total', () => {
    const once = renewedForPayment(hold, minutesAfter(9));
    const twice = once && renewedForPayment(once, minutesAfter(20));
    expect(once?.until).toBe(minutesAfter(24));
    expect(twice?.until).toBe(minutesAfter(30));
  });

  test('the bank gives 30 minutes in total', () => {
    expect(renewedForBank(hold, minutesAfter(2))?.until).toBe(minutesAfter(30));
  });

  test('asked for again it gives 10 minutes from then, 30 in total', () => {
    expect(renewedHold(hold, minutesAfter(6))?.until).toBe(minutesAfter(16));
    const once = renewedHold(hold, minutesAfter(9)) as typeof hold;
    const twice = renewedHold(once, minutesAfter(18)) as typeof hold;
    expect(renewedHold(twice, minutesAfter(27))?.until).toBe(minutesAfter(30));
    expect(renewedHold(hold, hold.until)).toBeNull();
  });

  test('a hold that has lapsed is not renewed', () => {
    expect(renewedForPayment(hold, hold.until)).toBeNull();
    expect(renewedForBank(hold, hold.until)).toBeNull();
  });

  // Shows: R-30
  test('renewing never shortens a hold and never goes beyond 30 minutes', () => {
    const steps = fc.array(fc.tuple(fc.boolean(), fc.nat(1800)), { maxLength: 8 });
    fc.assert(
      fc.property(steps, (renewals) => {
        let current = hold;
        let now = hold.heldAt;
        for (const [atBank, later] of renewals) {
          now += later;
          const next = (atBank ? renewedForBank : renewedForPayment)(current, now);
          if (!next) continue;
          expect(next.until).toBeGreaterThanOrEqual(current.until);
          expect(next.until).toBeLessThanOrEqual(minutesAfter(30));
          current = next;
        }
      }),
    );
  });
});
