import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { APPOINTMENT_TYPE_CODES } from './appointment-type.ts';
import { reasonRule, whyReasonRefused } from './reason.ts';

describe('the reason field (§5 Reason field, R-37)', () => {
  // Shows: 2.confirm.2, 5.reason.2, 5.reason.3, 9.lengths.1
  test.each([
    ['I', 8, 'claimNumber'],
    ['D', 7, 'licenceNumber'],
    ['O', 2, 'reason'],
    ['V', 2, 'reason'],
    ['P', 2, 'reason'],
    ['PP', 2, 'reason'],
    ['M', 2, 'reason'],
    ['G', 2, 'reason'],
  ] as const)('%s takes %i to 80 characters', (type, minimum, label) => {
    expect(reasonRule(type)).toEqual({ label, minimum, maximum: 80 });
    expect(whyReasonRefused(type, '')).toBe('empty');
    expect(whyReasonRefused(type, 'x'.repeat(minimum - 1))).toBe('tooShort');
    expect(whyReasonRefused(type, 'x'.repeat(minimum))).toBeNull();
    expect(whyReasonRefused(type, 'x'.repeat(80))).toBeNull();
    expect(whyReasonRefused(type, 'x'.repeat(81))).toBe('tooLong');
  });

  // Shows: R-37
  test('space around it does not count, inside it does', () => {
    expect(whyReasonRefused('O', '  \n\t ')).toBe('empty');
    expect(whyReasonRefused('O', ' x ')).toBe('tooShort');
    expect(whyReasonRefused('O', ` ${'x'.repeat(80)} `)).toBeNull();
    expect(whyReasonRefused('O', 'a b')).toBeNull();
  });

  // Shows: R-37
  test('a character beyond the basic plane counts once', () => {
    expect(whyReasonRefused('O', '🦴')).toBe('tooShort');
    expect(whyReasonRefused('O', '🦴🦴')).toBeNull();
    expect(whyReasonRefused('O', '🦴'.repeat(80))).toBeNull();
    expect(whyReasonRefused('O', '🦴'.repeat(81))).toBe('tooLong');
  });

  test('what passes is never longer than 80 nor shorter than the minimum', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...APPOINTMENT_TYPE_CODES),
        fc.string({ unit: fc.constantFrom(' ', 'a', 'é', '🦴', '\n'), maxLength: 100 }),
        (type, text) => {
          const { length } = Array.from(text.trim());
          const { minimum } = reasonRule(type);
          const passes = length >= minimum && length <= 80;
          expect(whyReasonRefused(type, text) === null).toBe(passes);
        },
      ),
    );
  });
});
