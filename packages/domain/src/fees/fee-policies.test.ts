import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TYPE_CODES, specifiedType } from '../testing/index.ts';
import {
  ELIGIBILITIES,
  ELIGIBILITY_RULES,
  centsOf,
  dollarsOf,
  formatFee,
  isCancellableBy,
  isEligibility,
  needsDocuments,
  needsFeeWarning,
  whyFeesRefused,
} from './fee-policies.ts';
import type { Eligibility, FeeRow } from './fee-policies.ts';

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
  });
});

const rows: FeeRow[] = TYPE_CODES.flatMap((type) =>
  ELIGIBILITIES.map((eligibility) => ({ type, eligibility, chargeCents: 0 })),
);
const feesWith = (...changed: FeeRow[]): FeeRow[] =>
  rows.map(
    (row) =>
      changed.find(
        ({ type, eligibility }) => type === row.type && eligibility === row.eligibility,
      ) ?? row,
  );
const INSURED = TYPE_CODES.filter((code) => specifiedType(code).insured);
const thatAre = (rule: (eligibility: Eligibility) => boolean) => ELIGIBILITIES.filter(rule);

describe('a policy that start-up refuses (R-32)', () => {
  test('a complete one without a charge to E for O, P or I passes', () => {
    expect(whyFeesRefused(feesWith(), INSURED)).toEqual([]);
    const dear = feesWith(
      { type: 'V', eligibility: 'E', chargeCents: 20_000 },
      { type: 'O', eligibility: 'NR', chargeCents: 1000 },
    );
    expect(whyFeesRefused(dear, INSURED)).toEqual([]);
  });

  // Shows: R-32
  test.each(['O', 'P', 'I'] as const)('one cent for %s to E is refused', (type) => {
    expect(whyFeesRefused(feesWith({ type, eligibility: 'E', chargeCents: 1 }), INSURED)).toEqual([
      { code: 'chargeForbidden', type, eligibility: 'E' },
    ]);
  });

  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('a charge of %d is none', (charge) => {
    const fees = feesWith({ type: 'V', eligibility: 'R', chargeCents: charge });
    expect(whyFeesRefused(fees, INSURED)).toEqual([
      { code: 'chargeInvalid', type: 'V', eligibility: 'R' },
    ]);
  });

  // Shows: R-32
  test('of all complete tables exactly those that charge E for O, P or I are refused', () => {
    const charges = fc.array(fc.constantFrom(0, 0, 0, 1000, 20_000), {
      minLength: rows.length,
      maxLength: rows.length,
    });
    fc.assert(
      fc.property(charges, (drawn) => {
        const priced = rows.map((row, i) => ({ ...row, chargeCents: drawn[i] ?? 0 }));
        const forbidden = priced.filter(
          ({ type, eligibility, chargeCents }) =>
            eligibility === 'E' && ['O', 'P', 'I'].includes(type) && chargeCents > 0,
        );
        expect(whyFeesRefused(priced, INSURED)).toEqual(
          forbidden.map(({ type, eligibility }) => ({
            code: 'chargeForbidden',
            type,
            eligibility,
          })),
        );
      }),
    );
  });

  test('a missing row and a double one are refused', () => {
    const [first, ...others] = rows as [FeeRow, ...FeeRow[]];
    expect(whyFeesRefused([...others, others[0] as FeeRow], INSURED)).toEqual([
      { code: 'rowMissing', type: first.type, eligibility: first.eligibility },
      { code: 'rowTwice', type: 'O', eligibility: 'NR' },
    ]);
  });
});

describe('what an eligibility brings (§4, §5, §6, R-33)', () => {
  // Shows: 5.limits.1, 6.eligibility.3, 9.limits.1
  test('one appointment per day for E and NR', () => {
    expect(thatAre((letter) => ELIGIBILITY_RULES[letter].oncePerDay)).toEqual(['E', 'NR']);
  });

  // Shows: 4.confirm-next.3, 6.eligibility.2
  test('documents for NR, R and NE, and only where the type requires them', () => {
    const needs = (requiresDocuments: boolean) =>
      thatAre((letter) => needsDocuments({ requiresDocuments }, letter));
    expect(needs(true)).toEqual(['NR', 'R', 'NE']);
    expect(needs(false)).toEqual([]);
  });

  test('the banner for private patients for R and NE', () => {
    expect(thatAre((letter) => ELIGIBILITY_RULES[letter].privatePatient)).toEqual(['R', 'NE']);
  });

  // Shows: R-53
  test('V and PP cannot be cancelled by R and NE (R-53)', () => {
    for (const letter of ELIGIBILITIES) {
      const fixed = TYPE_CODES.filter((type) => !isCancellableBy(letter, specifiedType(type)));
      expect(fixed).toEqual(letter === 'R' || letter === 'NE' ? ['PP', 'V'] : []);
    }
  });

  // Shows: 6.eligibility.1, R-33
  test('only the four letters are eligibilities', () => {
    expect(['E', 'NR', 'R', 'NE', 'e', 'X', ''].map(isEligibility)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
