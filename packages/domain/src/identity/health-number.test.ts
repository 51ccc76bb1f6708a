import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  PROVINCES,
  isBcHealthNumber,
  isProvince,
  normaliseCardNumber,
  whyCardRefused,
} from './health-number.ts';

const WEIGHTS = [2, 4, 8, 5, 10, 9, 7, 3];
const eightDigits = fc.integer({ min: 0, max: 99_999_999 }).map((n) => String(n).padStart(8, '0'));
const remainderOf = (digits: string) =>
  WEIGHTS.reduce((sum, weight, i) => sum + ((weight * Number(digits[i])) % 11), 0) % 11;

describe('BC health numbers (R-64)', () => {
  // Shows: 5.formats.1, R-64
  test('9876543218 is one', () => {
    // 8·2 7·4 6·8 5·5 4·10 3·9 2·7 1·3 mod 11: 5 6 4 3 7 5 3 3 = 36, 36 mod 11 = 3, 11 − 3 = 8.
    expect(isBcHealthNumber('9876543218')).toBe(true);
  });

  // Shows: 5.formats.1
  test.each([
    ['a wrong check digit', '9876543217'],
    ['a first digit other than 9', '8876543218'],
    ['nine digits', '987654321'],
    ['eleven digits', '98765432180'],
    ['spaces', '9876 543 218'],
    ['emails', '98765432l8'],
    ['nothing', ''],
    ['a line break at the end', '9876543218\n'],
  ])('%s is refused', (_, text) => {
    expect(isBcHealthNumber(text)).toBe(false);
  });

  // Shows: 5.formats.1, R-64
  test('exactly one check digit is right, and none when the remainder is 0 or 1', () => {
    fc.assert(
      fc.property(eightDigits, (digits) => {
        const right = '0123456789'
          .split('')
          .filter((check) => isBcHealthNumber(`9${digits}${check}`));
        const remainder = remainderOf(digits);
        expect(right).toEqual(remainder < 2 ? [] : [String(11 - remainder)]);
      }),
      { numRuns: 500 },
    );
  });

  // Shows: R-64
  test('remainders 0 and 1 are met and refused', () => {
    // All zeros give 0; a single 6 at the weight of 2 gives 12 mod 11 = 1.
    expect(isBcHealthNumber('9000000000')).toBe(false);
    expect(isBcHealthNumber('9600000000')).toBe(false);
    expect(isBcHealthNumber('9600000001')).toBe(false);
  });

  test('one mistyped digit is always noticed', () => {
    fc.assert(
      fc.property(eightDigits, fc.nat(7), fc.integer({ min: 1, max: 9 }), (digits, at, by) => {
        const remainder = remainderOf(digits);
        fc.pre(remainder > 1);
        const wrong = String((Number(digits[at]) + by) % 10);
        const mistyped = digits.slice(0, at) + wrong + digits.slice(at + 1);
        expect(isBcHealthNumber(`9${mistyped}${11 - remainder}`)).toBe(false);
      }),
    );
  });
});

describe('card numbers of the provinces (§5 Sign-up, R-63)', () => {
  // Shows: 5.sign-up.7, R-63
  test('a BC card must pass the checksum', () => {
    expect(whyCardRefused('BC', '9876543218')).toBeNull();
    expect(whyCardRefused('BC', '9876543217')).toBe('bcInvalid');
  });

  // Shows: 5.sign-up.4, 9.lengths.2, R-61, R-63
  test('others take six characters and more', () => {
    expect(whyCardRefused('AB', '12345')).toBe('tooShort');
    expect(whyCardRefused('AB', '123456')).toBeNull();
    expect(whyCardRefused('AB', '')).toBe('empty');
    expect(whyCardRefused('BC', '98765')).toBe('tooShort');
  });

  test('Other has no number and needs none', () => {
    expect(whyCardRefused('Other', '')).toBeNull();
    expect(normaliseCardNumber('Other', '123456')).toBe('');
  });

  // Shows: 5.sign-up.9, R-63
  test('spaces and dashes fall away; letters are for Quebec and the Northwest Territories', () => {
    expect(normaliseCardNumber('BC', '9876 543-218')).toBe('9876543218');
    expect(normaliseCardNumber('BC', '9876\u00A0543\u2011218')).toBe('9876543218');
    expect(normaliseCardNumber('BC', '٩٨٧٦٥٤٣٢١٨')).toBe('9876543218');
    expect(normaliseCardNumber('BC', '９８７６５４３２１８')).toBe('9876543218');
    expect(normaliseCardNumber('QC', 'tred 1234 5678')).toBe('TRED12345678');
    expect(normaliseCardNumber('NT', 'n-1234567')).toBe('N1234567');
  });

  test('a letter that the cards of a province have not is refused, not dropped', () => {
    const read = (province: 'AB' | 'BC' | 'QC' | 'ON', typed: string) =>
      whyCardRefused(province, normaliseCardNumber(province, typed));
    expect(read('AB', '12345678O')).toBe('invalid');
    expect(read('AB', 'AB1234567')).toBe('invalid');
    expect(read('BC', 'PHN 9876543218')).toBe('invalid');
    expect(read('QC', 'TRÉD 1234 5678')).toBe('invalid');
    expect(read('ON', '1234-567-890-ABC')).toBe('invalid');
    expect(read('AB', '12345-6789 / 98765-4321')).toBe('tooLong');
  });

  // Shows: R-63
  test("Ontario's version code falls away", () => {
    expect(normaliseCardNumber('ON', '1234-567-890-AB')).toBe('1234567890');
  });

  // Shows: 3.provinces.1
  test('there are 13 provinces and territories and Other', () => {
    expect(PROVINCES).toHaveLength(14);
    expect([isProvince('BC'), isProvince('Other'), isProvince('bc'), isProvince('')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
