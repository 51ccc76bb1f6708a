import { formatPhone, whyPhoneRefused, whyPhonesRefused } from '@clinic/domain';
import { WAYS_TO_WRITE_A_PHONE } from '@clinic/domain/testing';
import { describe, expect, test } from 'vitest';
import { phoneColumns, readPhone, whyPhoneRefused as whyRefusedHere } from './phones.ts';

const FIELDS = ['mobilePhone', 'internationalPhone'] as const;
const readAs = (field: (typeof FIELDS)[number], typed: string) => {
  const read = readPhone(field, typed);
  return typeof read === 'string' ? read : read.e164;
};

describe('a number is understood whole, or refused with the reason', () => {
  test.each(WAYS_TO_WRITE_A_PHONE)('%j', (typed, canadian, international) => {
    expect(FIELDS.map((field) => readAs(field, typed))).toEqual([canadian, international]);
  });

  test('the browser refuses nothing that the service takes', () => {
    const refused = WAYS_TO_WRITE_A_PHONE.flatMap(([typed, ...reads]) =>
      FIELDS.filter(
        (field, at) =>
          reads[at]?.startsWith('+') === true && whyPhoneRefused(field, typed) !== null,
      ),
    );
    expect(refused).toEqual([]);
  });

  test('what the browser shows is the number that was typed', () => {
    for (const [typed, canadian] of WAYS_TO_WRITE_A_PHONE)
      expect([typed, readAs('mobilePhone', formatPhone(typed))]).toEqual([typed, canadian]);
  });

  test('what a form refuses is not kept, and what it takes is kept in E.164', () => {
    const none = { mobilePhone: '', phone: '', internationalPhone: '' };
    for (const [typed, canadian, international] of WAYS_TO_WRITE_A_PHONE) {
      for (const [field, read] of [
        ['mobilePhone', canadian],
        ['phone', canadian],
        ['internationalPhone', international],
      ] as const) {
        const form = { ...none, [field]: typed };
        const refused = whyPhonesRefused(form, {}, whyRefusedHere).map(({ code }) => code);
        const kept = phoneColumns(form)[`${field}E164`];
        expect([typed, refused, kept]).toEqual(
          read.startsWith('+') ? [typed, [], read] : [typed, [read], null],
        );
      }
    }
  });
});
