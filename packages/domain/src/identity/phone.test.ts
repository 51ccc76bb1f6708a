import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatPhone,
  isCanadianPhone,
  isInternationalPhone,
  joinPhone,
  splitPhone,
  whyPhonesRefused,
} from './phone.ts';

describe('Canadian numbers (§5 Health and phone formats)', () => {
  // Shows: 5.formats.2
  test.each([
    ['', ''],
    ['6', '6'],
    ['604', '604'],
    ['6045', '604-5'],
    ['604555', '604-555'],
    ['6045550', '604-555-0'],
    ['6045550123', '604-555-0123'],
    ['60455501234567', '604-555-0123'],
    ['(604) 555-0123', '604-555-0123'],
    ['abc', ''],
  ])("'%s' shows as '%s'", (typed, shown) => {
    expect(formatPhone(typed)).toBe(shown);
  });

  // Shows: 5.formats.2
  test('formatting again changes nothing and never exceeds 12 characters', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string({ unit: fc.constantFrom(...Array.from('0123456789-')) }),
        (a, b) => {
          for (const shown of [formatPhone(a), formatPhone(b)]) {
            expect(formatPhone(shown)).toBe(shown);
            expect(shown.length).toBeLessThanOrEqual(12);
          }
        },
      ),
    );
  });

  test('exactly ten digits, with or without dashes', () => {
    const texts = ['604-555-0123', '6045550123', '604555012', '60455501234', '604 555 0123', ''];
    expect(texts.map(isCanadianPhone)).toEqual([true, true, false, false, false, false]);
  });

  // Shows: 3.registration.2, 5.sign-up.6, 9.lengths.2
  test('3+3+4 digits become one number, none at all an empty one', () => {
    expect(joinPhone(['604', '555', '0123'])).toBe('6045550123');
    expect(joinPhone(['', '', ''])).toBe('');
    expect(joinPhone(['60', '4555', '0123'])).toBeNull();
    expect(joinPhone(['604', '555', '012'])).toBeNull();
    expect(joinPhone(['604', '555', '01234'])).toBeNull();
    expect(joinPhone(['604', '', ''])).toBeNull();
    expect(joinPhone(['6O4', '555', '0123'])).toBeNull();
    expect(splitPhone('604-555-01234')).toEqual(['604', '555', '0123']);
    expect(splitPhone('604-555-0123')).toEqual(['604', '555', '0123']);
  });
});

describe('international numbers (§5 Sign-up)', () => {
  // Shows: 5.sign-up.6, 9.lengths.2
  test('nine digits and more, nothing else', () => {
    const texts = ['12345678', '123456789', '+123456789', '1234 56789', ''];
    expect(texts.map(isInternationalPhone)).toEqual([false, true, false, false, false]);
  });
});

describe('the numbers of a patient (§5)', () => {
  const none = { mobilePhone: '', phone: '', internationalPhone: '' };

  // Shows: 5.formats.3, 5.sign-up.5
  test('at least one is required', () => {
    expect(whyPhonesRefused(none)).toEqual([{ field: 'phones', code: 'missing' }]);
    expect(whyPhonesRefused({ ...none, mobilePhone: '6045550123' })).toEqual([]);
    expect(whyPhonesRefused({ ...none, phone: '604-555-0123' })).toEqual([]);
    expect(whyPhonesRefused({ ...none, internationalPhone: '442079460000' })).toEqual([]);
  });

  test('each that is given must be right', () => {
    expect(
      whyPhonesRefused({ mobilePhone: '604', phone: '1', internationalPhone: '12345678' }),
    ).toEqual([
      { field: 'mobilePhone', code: 'invalid' },
      { field: 'phone', code: 'invalid' },
      { field: 'internationalPhone', code: 'invalid' },
    ]);
  });
});
