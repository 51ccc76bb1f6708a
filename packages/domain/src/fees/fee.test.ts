import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { centsOf, dollarsOf, formatFee, formatLegalFee, needsFeeWarning } from './fee.ts';

describe('fees', () => {
  // Shows: 9.fees.1
  test('140 dollars need a warning, a cent less does not (§9)', () => {
    expect([needsFeeWarning(13_999), needsFeeWarning(14_000)]).toEqual([false, true]);
  });

  // Shows: R-4
  test('cents inside are decimal dollars on the wire and back (R-4)', () => {
    expect(dollarsOf(15_000)).toBe(150);
    expect(dollarsOf(1005)).toBe(10.05);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (cents) => {
        expect(centsOf(dollarsOf(cents))).toBe(cents);
      }),
    );
  });

  test.each([10.005, Number.NaN, Number.POSITIVE_INFINITY, 1e300])('%d is no amount', (dollars) => {
    expect(centsOf(dollars)).toBeNull();
  });

  // Shows: 9.timers.1
  test('a fee reads with its currency and two decimals', () => {
    expect([formatFee(15_000), formatFee(5), formatFee(0)]).toEqual([
      'CAD 150.00',
      'CAD 0.05',
      'CAD 0.00',
    ]);
    expect(formatLegalFee(15_000)).toBe('$150.00');
  });
});
