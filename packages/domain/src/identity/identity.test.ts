import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, calendarDate } from '../clinic-time.ts';
import { hasUnseen } from '../unseen-text.ts';
import {
  BAD_EMAILS,
  BLANK_NAMES,
  GOOD_EMAILS,
  GOOD_NAMES,
  UNSEEN_LINES,
} from '../testing/index.ts';
import {
  ageOn,
  hasInvalidSymbol,
  isBirthDate,
  needsRepresentative,
  normaliseEmail,
  whyEmailRefused,
  whyNameRefused,
} from './identity.ts';
import { isOwnNameOrEmail, whyPasswordRefused } from './password-rules.ts';

describe('passwords (R-61)', () => {
  // Shows: 5.formats.4, 5.sign-up.4, 9.lengths.2, R-61
  test('8 to 128 characters pass', () => {
    const lengths = [0, 7, 8, 128, 129];
    expect(lengths.map((length) => whyPasswordRefused('p'.repeat(length)))).toEqual([
      'empty',
      'tooShort',
      null,
      null,
      'tooLong',
    ]);
  });

  // Shows: R-61
  test('a password is taken as typed, characters counted whole', () => {
    expect(whyPasswordRefused('        ')).toBeNull();
    expect(whyPasswordRefused('🔑🔑🔑🔑')).toBe('tooShort');
  });

  const owner = {
    firstName: 'Zoë Anne',
    lastName: "O'Brien-Li",
    email: 'zoe.b-77@practice.example',
  };
  // Shows: R-61
  test.each([
    "O'Brien-Li",
    'OBRIEN99',
    'zoeanne1',
    'ZOËOBRIEN',
    'anne-obrien-84',
    'brien-li-zoe-anne',
    'zoe.b-77@practice.example',
    'Zoe.B-77',
    'zoezoezoe123',
  ])('%j is its owner’s name or e-mail', (password) => {
    expect(isOwnNameOrEmail(password, owner)).toBe(true);
  });

  test.each(['Practice-2026', 'practice.example', 'Zoe-likes-long-walks', 'Li-Li-77', '--------'])(
    '%j is not',
    (password) => {
      expect(isOwnNameOrEmail(password, owner)).toBe(false);
    },
  );

  test('nobody is anybody’s own password', () => {
    expect(isOwnNameOrEmail('Practice-2026', { firstName: '', lastName: '', email: '' })).toBe(
      false,
    );
  });
});

describe('invalid symbols (R-62)', () => {
  // Shows: 5.formats.4, 5.sign-up.2, R-62
  test.each([
    ...Array.from('<>{}[]\\|^~`"$%;=*!?#@'),
    '\n',
    '\t',
    '\0',
    '\u007F',
    '\u0085',
    '\u202E',
    '\u2066',
  ])('%j is invalid', (symbol) => {
    expect(hasInvalidSymbol(symbol)).toBe(true);
    expect(hasInvalidSymbol(`Anne${symbol}Marie`)).toBe(true);
  });

  // Shows: 5.sign-up.2, R-62
  test.each([
    "O'Brien",
    'Anne-Marie',
    'St. John',
    'Vancouver, BC',
    '12/34 5th',
    'Łukasz',
    '王小明',
    'ʔaʔǰɛtxʷ',
    '',
  ])('%s passes', (name) => {
    expect(hasInvalidSymbol(name)).toBe(false);
  });

  // Shows: R-62
  test('letters and digits of any script pass', () => {
    const letters = fc.string({ unit: fc.constantFrom(...Array.from("aÉłΩжא字한ʔ9٣'-., /𝒜")) });
    fc.assert(
      fc.property(letters, (text) => {
        expect(hasInvalidSymbol(text)).toBe(false);
      }),
    );
  });
});

describe('birthdays and ages (R-4, R-65)', () => {
  // Shows: 5.terms.1, 9.policy.2, R-65
  test('age changes on the birthday, not the day before', () => {
    expect(ageOn('2007-11-21', '2026-11-20')).toBe(18);
    expect(ageOn('2007-11-21', '2026-11-21')).toBe(19);
    expect(needsRepresentative('2007-11-21', '2026-11-20')).toBe(true);
    expect(needsRepresentative('2007-11-21', '2026-11-21')).toBe(false);
  });

  test('a child of 29 February ages on 1 March of a common year', () => {
    expect(ageOn('2008-02-29', '2027-02-28')).toBe(18);
    expect(ageOn('2008-02-29', '2027-03-01')).toBe(19);
    expect(ageOn('2008-02-29', '2028-02-29')).toBe(20);
  });

  test('a birthday lies between 1900 and today', () => {
    const today = '2026-11-21';
    const dates = ['1899-12-31', '1900-01-01', today, addDays(today, 1)];
    expect(dates.map((date) => isBirthDate(date, today))).toEqual([false, true, true, false]);
  });

  // Shows: R-4
  test('parts make a date only where the calendar has it', () => {
    expect(calendarDate(2028, 2, 29)).toBe('2028-02-29');
    expect(calendarDate(1984, 5, 17)).toBe('1984-05-17');
    for (const [year, month, day] of [
      [2026, 2, 29],
      [2026, 13, 1],
      [2026, 0, 1],
      [2026, 1, 0],
      [2026, 1, 32],
      [26, 1, 1],
      [20_260, 1, 1],
      [2026, 1.5, 1],
      [-2026, 1, 1],
    ] as const)
      expect(calendarDate(year, month, day)).toBeNull();
  });
});

describe('names', () => {
  // Shows: R-62, S-17
  test.each(GOOD_NAMES)('%j is a name', (name) => {
    expect(whyNameRefused(name)).toBeNull();
  });

  test.each(BLANK_NAMES)('%j shows nothing, and is missing', (name) => {
    expect(whyNameRefused(name)).toBe('missing');
  });

  // Shows: S-17
  test.each(UNSEEN_LINES)('%j holds what cannot be seen', (name) => {
    expect(whyNameRefused(name)).not.toBeNull();
    expect(hasUnseen(name)).toBe(true);
  });
});

describe('addresses (§5 Login)', () => {
  test.each(GOOD_EMAILS)('%j is an address, stored as %j', (typed, stored) => {
    expect(whyEmailRefused(typed)).toBeNull();
    expect(normaliseEmail(typed)).toBe(stored);
    expect(normaliseEmail(stored)).toBe(stored);
  });

  // Shows: S-17
  test.each(BAD_EMAILS)('%j is no address of one person: %s', (typed, why) => {
    expect(whyEmailRefused(typed)).toBe(why);
  });

  test('an address has at most 254 characters', () => {
    const domain = `@${'practice.'.repeat(21)}example`;
    expect(whyEmailRefused('a'.repeat(254 - domain.length) + domain)).toBeNull();
    expect(whyEmailRefused('a'.repeat(255 - domain.length) + domain)).toBe('invalid');
  });

  test('what cannot be an address stays as it was typed, in lower case', () => {
    expect(['José', 'a@b@É/x', '', '@'].map(normaliseEmail)).toEqual(['josé', 'a@b@é/x', '', '@']);
  });
});
