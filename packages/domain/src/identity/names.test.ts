import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NAMES_IN_BC } from '../testing/index.ts';
import { patientQuery } from '../staff/find-patients.ts';
import { hasInvalidSymbol } from './identity.ts';
import { searchedName } from './near-names.ts';
import {
  type PersonName,
  foldedFrom,
  foldedName,
  isInName,
  isSameName,
  likeOfName,
  nameFits,
  namePatterns,
} from './names.ts';

/** Whether a search for what was typed shows somebody of this name. */
function isFound(name: PersonName, typed: string): boolean {
  const query = patientQuery(typed);
  if (query === null) return false;
  const folded = foldedName(name);
  const isByName = query.birthDates.length === 0 && query.number === null;
  return (isByName ? [query.name] : [query.otherwise?.name ?? []]).some(
    (patterns) => patterns.length > 0 && nameFits(patterns)(folded),
  );
}

const spellings = ({ firstName, lastName }: PersonName) => [
  `${firstName} ${lastName}`,
  `${lastName}, ${firstName}`,
  firstName,
  lastName,
];

/** Latin without marks. */
const plain = (text: string) =>
  text.normalize('NFD').replace(/(?<=\p{Script=Latin}\p{M}*)\p{M}/gu, '');

describe('Names are found', () => {
  test('there are sixty of people in British Columbia', () => expect(NAMES_IN_BC).toHaveLength(60));

  test.each(NAMES_IN_BC)('$firstName $lastName, as stored and as $plain', (name) => {
    for (const typed of [...spellings(name), name.plain])
      for (const each of [typed, typed.toUpperCase(), plain(typed), typed.normalize('NFD')])
        expect.soft(isFound(name, each), each).toBe(true);
  });

  test('whatever can be stored is found by its exact spelling and by its plain one', () => {
    const letters = Array.from(NAMES_IN_BC.map((name) => name.firstName + name.lastName).join(''));
    const unit = fc.oneof(
      fc.constantFrom(...letters, ...Array.from(" .,/'’‘ʼ-–‑\u00A0\u200D\u200CßıİẞSsIi7")),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    );
    const part = fc
      .string({ unit, minLength: 1, maxLength: 12 })
      .map((text) => text.normalize('NFC').trim())
      .filter((text) => text !== '' && text.isWellFormed() && !hasInvalidSymbol(text));
    fc.assert(
      fc.property(part, part, (firstName, lastName) => {
        const name = { firstName, lastName };
        for (const typed of spellings(name).flatMap((each) => [each, plain(each)]))
          expect([typed, isFound(name, typed)]).toEqual([typed, true]);
      }),
      // Marks of one script behind a letter of another, which falls apart or is left out.
      {
        examples: [
          ['\u{10781}\u0940C', '-'],
          ['-', 'Ŀ\u05B9'],
          ['C', 'ʔ\u05BC'],
        ],
      },
    );
  });

  test.each([
    ['a single letter is a whole word', 'O', { firstName: 'Ola', lastName: 'Olsen' }],
    ['a vowel sign is no mark', 'कि', { firstName: 'राम', lastName: 'कुमारी' }],
    ['nor does it end a word', 'न्दी', { firstName: 'हिन्दी', lastName: 'राम' }],
    ['each word counts', 'Casey Hale', { firstName: 'Casey', lastName: 'Morgan' }],
  ])('%s: %s does not find another', (_, typed, name) => {
    expect(isFound(name, typed)).toBe(false);
  });

  // Stored names are folded anew when the version in `foldedFrom` changes, and only then.
  test('a folding that makes something else of a name has another version', () => {
    const made = JSON.stringify(NAMES_IN_BC.map(searchedName));
    const [version] = foldedFrom({ firstName: '', lastName: '' }).split('\n');
    expect([version, createHash('sha256').update(made).digest('hex').slice(0, 16)]).toEqual([
      '3',
      '9ac107fea66ba8c5',
    ]);
  });
});

test.each([
  ['Mc Donald', ['% donald%', '% mcdonald%']],
  ['Casey Mrgan', ['% casey%']],
  ['O', ['%']],
  ['', ['%']],
])('%s is compared first by LIKE as %j', (typed, like) => {
  expect(likeOfName(namePatterns(typed))).toEqual(like);
});

test.each(['LL harp', 'harper, n', 'NELL', 'Härper'])('%s is part of a name', (typed) => {
  expect(isInName(typed, { firstName: 'Nell', lastName: 'Harper' })).toBe(true);
  expect(isInName(typed, { firstName: 'Ida', lastName: 'Kern' })).toBe(false);
});

test.each([
  ['José', 'jose', true],
  ["O'Brien", 'O Brien', true],
  ['Strauß', 'Strauss', false],
  ['Yıldız', 'Yildiz', false],
  ['कि', 'का', false],
  ['-', '.', false],
  ['-', '-', true],
])('%s and %s are one name beside card and birth date: %s (R-97)', (one, other, is) => {
  expect(isSameName(one, other)).toBe(is);
});
