import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { APPOINTMENT_TYPE_CODES } from '../booking/appointment-type.ts';
import { ELIGIBILITIES, isEligibility } from '../booking/patient-facts.ts';
import type { Eligibility } from '../booking/patient-facts.ts';
import {
  ELIGIBILITY_RULES,
  isCancellableByPolicy,
  needsDocuments,
  whyPolicyRefused,
} from './policy.ts';
import type { Policy, PolicyRow } from './policy.ts';

const rows: PolicyRow[] = APPOINTMENT_TYPE_CODES.flatMap((type) =>
  ELIGIBILITIES.map((eligibility) => ({ type, eligibility, chargeCents: 0 })),
);
const policyWith = (...changed: PolicyRow[]): Policy => ({
  eligibilities: ELIGIBILITY_RULES,
  rows: rows.map(
    (row) =>
      changed.find(
        ({ type, eligibility }) => type === row.type && eligibility === row.eligibility,
      ) ?? row,
  ),
});
const thatAre = (rule: (eligibility: Eligibility) => boolean) => ELIGIBILITIES.filter(rule);

describe('a policy that start-up refuses (R-32)', () => {
  test('a complete one without a charge to E for O, P or I passes', () => {
    expect(whyPolicyRefused(policyWith())).toEqual([]);
    const dear = policyWith(
      { type: 'V', eligibility: 'E', chargeCents: 20_000 },
      { type: 'O', eligibility: 'NR', chargeCents: 1000 },
    );
    expect(whyPolicyRefused(dear)).toEqual([]);
  });

  // Shows: R-32
  test.each(['O', 'P', 'I'] as const)('one cent for %s to E is refused', (type) => {
    expect(whyPolicyRefused(policyWith({ type, eligibility: 'E', chargeCents: 1 }))).toEqual([
      { code: 'chargeForbidden', type, eligibility: 'E' },
    ]);
  });

  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('a charge of %d is none', (charge) => {
    const policy = policyWith({ type: 'V', eligibility: 'R', chargeCents: charge });
    expect(whyPolicyRefused(policy)).toEqual([
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
        const policy = { eligibilities: ELIGIBILITY_RULES, rows: priced };
        const forbidden = priced.filter(
          ({ type, eligibility, chargeCents }) =>
            eligibility === 'E' && ['O', 'P', 'I'].includes(type) && chargeCents > 0,
        );
        expect(whyPolicyRefused(policy)).toEqual(
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
    const [first, ...others] = rows as [PolicyRow, ...PolicyRow[]];
    const policy = { eligibilities: ELIGIBILITY_RULES, rows: [...others, others[0] as PolicyRow] };
    expect(whyPolicyRefused(policy)).toEqual([
      { code: 'rowMissing', type: first.type, eligibility: first.eligibility },
      { code: 'rowTwice', type: 'O', eligibility: 'NR' },
    ]);
  });
});

describe('what an eligibility brings (§4, §5, §6, R-33)', () => {
  // Shows: 5.limits.1, 6.eligibility.3, 9.limits.1
  test('one visit per day for E and NR', () => {
    expect(thatAre((letter) => ELIGIBILITY_RULES[letter].oncePerDay)).toEqual(['E', 'NR']);
  });

  // Shows: 4.confirm-next.3, 6.eligibility.2
  test('documents for NR, R and NE, and only where the type requires them', () => {
    const needs = (requiresDocuments: boolean) =>
      thatAre((letter) => needsDocuments(policyWith(), { requiresDocuments }, letter));
    expect(needs(true)).toEqual(['NR', 'R', 'NE']);
    expect(needs(false)).toEqual([]);
  });

  test('the banner for private patients for R and NE', () => {
    expect(thatAre((letter) => ELIGIBILITY_RULES[letter].privatePatient)).toEqual(['R', 'NE']);
  });

  // Shows: R-53
  test('V and PP cannot be cancelled by R and NE (R-53)', () => {
    for (const letter of ELIGIBILITIES) {
      const fixed = APPOINTMENT_TYPE_CODES.filter(
        (type) => !isCancellableByPolicy(policyWith(), type, letter),
      );
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
