import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  canadianPhone,
  formatPhone,
  internationalPhones,
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
    ['(604) 555-0123', '604-555-0123'],
    ['16045550123', '604-555-0123'],
    ['+1 604-555-0123', '604-555-0123'],
    // Anything else stays as typed: it is no other number.
    ['60455501234567', '60455501234567'],
    ['+1 604', '+1 604'],
    ['1604', '1604'],
    ['+44 7911 123456', '+44 7911 123456'],
    ['0000000000', '0000000000'],
    ['604-555-0123 ext. 4', '604-555-0123 ext. 4'],
    ['abc', 'abc'],
  ])("'%s' shows as '%s'", (typed, shown) => {
    expect(formatPhone(typed)).toBe(shown);
  });

  // Shows: 5.formats.2
  test('formatting again changes nothing, and what it formats never exceeds 12 characters', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string({ unit: fc.constantFrom(...Array.from('0123456789-')) }),
        (a, b) => {
          for (const shown of [formatPhone(a), formatPhone(b)]) {
            expect(formatPhone(shown)).toBe(shown);
            if (shown !== a && shown !== b) expect(shown.length).toBeLessThanOrEqual(12);
          }
        },
      ),
    );
  });

  test('typing a number character by character ends in that number', () => {
    for (const whole of ['6045550123', '+1 (604) 555-0123', '16045550123', '(604) 555-0123'])
      expect(Array.from(whole).reduce((shown, next) => formatPhone(shown + next), '')).toBe(
        '604-555-0123',
      );
    const british = Array.from('442079460958').reduce((shown, next) => formatPhone(shown + next));
    expect(canadianPhone(british)).toBeNull();
    expect(british.replaceAll('-', '')).toBe('442079460958');
  });

  test('ten digits, area code and exchange from 2 on, with or without the 1 of North America', () => {
    const texts = ['604-555-0123', '+16045550123', '604555012', '104 555 0123', '604 055 0123', ''];
    expect(texts.map(canadianPhone)).toEqual(['6045550123', '6045550123', null, null, null, null]);
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
  test('the country code comes first; ten digits without it may be a Canadian number', () => {
    expect(internationalPhones('+44 20 7946 0958')).toEqual(['+442079460958']);
    expect(internationalPhones('442079460958')).toEqual(['+442079460958']);
    expect(internationalPhones('011 44 20 7946 0958')).toEqual(['+442079460958']);
    expect(internationalPhones('6045550123')).toEqual(['+6045550123', '+16045550123']);
    expect(internationalPhones('call me')).toEqual([]);
  });

  // Shows: 5.sign-up.6, 9.lengths.2
  test('nine digits and more', () => {
    const refused = (internationalPhone: string) =>
      whyPhonesRefused({ mobilePhone: '', phone: '', internationalPhone }).map(({ code }) => code);
    const texts = ['12345678', '123456789', '+123456789', '020 7946 0958', '+44 207 x1'];
    expect(texts.map(refused)).toEqual([['invalid'], [], [], ['countryCode'], ['extension']]);
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
