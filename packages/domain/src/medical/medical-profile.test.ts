import { describe, expect, test } from 'vitest';
import { aMedicalProfile } from '../testing/index.ts';
import { COUNTRIES, ICAO_EXTRAS } from './countries.ts';
import {
  MEDICAL_PROFILE_FIELDS,
  birthYears,
  emptyMedicalProfile,
  expiryYears,
  issueYears,
  tidyMedicalProfile,
  whyMedicalProfileRefused,
} from './medical-profile.ts';
import type { DateParts, MedicalProfile } from './medical-profile.ts';

const today = '2026-11-21';
const refusals = (over: Partial<MedicalProfile>) =>
  whyMedicalProfileRefused(aMedicalProfile(over), today);
const date = (text: string): DateParts => {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  return { year, month, day };
};

describe('the immigration exam profile (§5 Immigration form, R-82)', () => {
  // Shows: 3.immigration.2
  test('a complete one passes', () => {
    expect(refusals({})).toEqual([]);
  });

  // Shows: 3.immigration.1, 5.immigration.1, 9.immigration.1
  test('an empty one lacks everything but the defaults of §9', () => {
    expect(whyMedicalProfileRefused(emptyMedicalProfile, today)).toEqual(
      MEDICAL_PROFILE_FIELDS.filter(
        (field) => field !== 'identityDocument' && field !== 'preferredLanguage',
      ).map((field) => ({ field, code: 'empty' })),
    );
    expect(emptyMedicalProfile).toMatchObject({
      identityDocument: '01',
      preferredLanguage: '1201A',
    });
  });

  // Shows: 5.immigration.1
  test.each(
    MEDICAL_PROFILE_FIELDS.filter((field) => !/^(dob|date|gender|application)/.test(field)),
  )('%s of spaces alone counts as empty', (field) => {
    expect(refusals({ [field]: '   ' })).toEqual([{ field, code: 'empty' }]);
  });

  test.each(['year', 'month', 'day'])('a date without its %s counts as empty', (part) => {
    expect(refusals({ dateOfIssue: { ...date('2020-03-01'), [part]: 0 } })).toEqual([
      { field: 'dateOfIssue', code: 'empty' },
    ]);
  });

  // Shows: 5.immigration.2, 5.immigration.3, 9.immigration.1, R-82
  test.each([
    ['dob', '2026-02-30', 'invalid'],
    ['dob', '1899-12-31', 'invalid'],
    ['dob', '2026-11-22', 'invalid'],
    ['dateOfIssue', '2020-02-30', 'invalid'],
    ['dateOfIssue', '2001-05-06', 'tooEarly'],
    ['dateOfIssue', '2026-11-22', 'inFuture'],
    ['dateOfExpiry', '2027-02-29', 'invalid'],
    ['dateOfExpiry', '2026-11-20', 'expired'],
    ['dateOfExpiry', '2037-01-01', 'tooLate'],
  ])('%s %s is refused as %s', (field, text, code) => {
    expect(refusals({ [field]: date(text) })).toEqual([{ field, code }]);
  });

  // Shows: 5.immigration.3, R-82
  test.each([
    ['dob', '1900-01-01'],
    ['dob', '2026-11-21'],
    ['dateOfIssue', '2001-05-07'],
    ['dateOfIssue', '2026-11-21'],
    ['dateOfExpiry', '2026-11-21'],
    ['dateOfExpiry', '2036-12-31'],
  ])('%s %s is accepted', (field, text) => {
    expect(refusals({ [field]: date(text) })).toEqual([]);
  });

  // Shows: R-82
  test('a passport is issued before it expires', () => {
    const both = date('2026-11-21');
    expect(refusals({ dateOfIssue: both, dateOfExpiry: both })).toEqual([
      { field: 'dateOfIssue', code: 'notBeforeExpiry' },
    ]);
  });

  // Shows: 5.immigration.3
  test.each(['604-555-01x2', '+16045550142', '604 555 0142', '６０４'])(
    'the phone %s has more than digits and dashes',
    (phone) => {
      expect(refusals({ phone })).toEqual([{ field: 'phone', code: 'invalid' }]);
    },
  );

  test.each(['0000000000', '1234567', '5551234'])(
    'the phone %s cannot be right, and passes where it is kept already',
    (phone) => {
      expect(refusals({ phone })).toEqual([{ field: 'phone', code: 'noNumber' }]);
      expect(whyMedicalProfileRefused(aMedicalProfile({ phone }), today, phone)).toEqual([]);
    },
  );

  test.each(['6045550142', '604-555-0142', '16045550142', '442079460001'])(
    'the phone %s can be right',
    (phone) => {
      expect(refusals({ phone })).toEqual([]);
    },
  );

  test.each(['ZZZ', 'ca', 'can', 'DE'])('no list has the country %s', (code) => {
    expect(refusals({ issuingCountry: code, countryOfBirth: code })).toEqual([
      { field: 'countryOfBirth', code: 'invalid' },
      { field: 'issuingCountry', code: 'invalid' },
    ]);
  });

  // Shows: R-82
  test.each([
    ['AB123456', 'AB123456'],
    [' ab 12-34–56 ', 'AB123456'],
    ['12345', '12345'],
    ['A'.repeat(20), 'A'.repeat(20)],
    ['1234', null],
    ['A'.repeat(21), null],
    ['AB<script>1', null],
    ['ÄB123456', null],
    ['AB_12345', null],
  ])('takes the passport number %j as %j', (passportNumber, kept) => {
    const profile = aMedicalProfile({ passportNumber });
    const refusals = whyMedicalProfileRefused(profile, '2026-11-21');
    expect(refusals).toEqual(kept === null ? [{ field: 'passportNumber', code: 'invalid' }] : []);
    if (kept !== null) expect(tidyMedicalProfile(profile).passportNumber).toBe(kept);
  });

  // Shows: R-82
  test('is kept trimmed, the passport without spaces and the phone without dashes', () => {
    const kept = tidyMedicalProfile(
      aMedicalProfile({ passportNumber: ' AB 123 456 ', phone: ' 604-555-0142 ', city: ' Delta ' }),
    );
    expect(kept).toMatchObject({ passportNumber: 'AB123456', phone: '6045550142', city: 'Delta' });
  });
});

describe('What the form offers', () => {
  // Shows: 5.immigration.4
  test('years of birth back to 1900, of issue back to 2001', () => {
    expect([birthYears(today)[0], birthYears(today).at(-1)]).toEqual([2026, 1900]);
    expect([issueYears(today)[0], issueYears(today).at(-1)]).toEqual([2026, 2001]);
  });

  // Shows: 5.immigration.4, R-82
  test.each([
    ['2024-06-01', 2024, 2035],
    ['2026-11-21', 2026, 2036],
    ['2040-01-01', 2040, 2050],
  ])('years of expiry on %s from %i to %i', (day, first, last) => {
    const offered = expiryYears(day);
    expect([offered[0], offered.at(-1)]).toEqual([first, last]);
  });

  // Shows: 3.immigration.2
  test('every country of ISO 3166 once, by name, and what ICAO adds', () => {
    const codes = [...COUNTRIES.map(({ code }) => code), ...ICAO_EXTRAS];
    expect(COUNTRIES).toHaveLength(249);
    for (const row of [
      { code: 'AFG', region: 'AF', name: 'Afghanistan' },
      { code: 'CIV', region: 'CI', name: "Côte d'Ivoire" },
      { code: 'COG', region: 'CG', name: 'Congo - Brazzaville' },
      { code: 'SGS', region: 'GS', name: 'South Georgia and South Sandwich Islands' },
      { code: 'ZWE', region: 'ZW', name: 'Zimbabwe' },
    ])
      expect(COUNTRIES).toContainEqual(row);
    for (const { code, region, name } of COUNTRIES)
      expect([code, region, name]).toEqual([
        expect.stringMatching(/^[A-Z]{3}$/),
        expect.stringMatching(/^[A-Z]{2}$/),
        expect.stringMatching(/^\p{Lu}[\p{L} .,'&()\d-]+$/u),
      ]);
    expect(new Set(COUNTRIES.map(({ region }) => region)).size).toBe(COUNTRIES.length);
    expect(ICAO_EXTRAS).toHaveLength(26);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of ['CAN', 'GBR', 'D', 'GBD', 'UNO', 'XXA', 'RKS'])
      expect(codes).toContain(code);
    const names = COUNTRIES.map(({ name }) => name);
    expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other, 'en')));
  });
});
