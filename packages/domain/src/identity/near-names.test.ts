import { describe, expect, test } from 'vitest';
import { editDistance, nearQuery, nearest, searchedName } from './near-names.ts';
import { soundsOf } from './sounds.ts';

/** The people named so, 'Casey Morgan', whom a search for what was typed shows. */
function shown(typed: string, names: readonly string[]) {
  const people = names.map((name) => {
    const [firstName = '', ...rest] = name.split(' ');
    return { name, searched: searchedName({ firstName, lastName: rest.join(' ') }) };
  });
  const query = nearQuery(typed);
  if (query === null) return null;
  const { near, soundsLike } = nearest(query, people);
  return [near, soundsLike].map((each) => each.map(({ name }) => name));
}

describe('A misspelt name (R-121)', () => {
  test.each([
    ['morgan', 'morgan', 0],
    ['morgn', 'morgan', 1],
    ['morrgan', 'morgan', 1],
    ['morgin', 'morgan', 1],
    ['mogran', 'morgan', 1],
    ['omrgna', 'morgan', 2],
    ['', 'abc', 3],
  ])('%s is %s but for some letters: %i', (one, other, edits) => {
    expect([editDistance(one, other), editDistance(other, one)]).toEqual([edits, edits]);
  });

  test.each([
    ['Csaey Morgan', 'Casey Morgan'],
    ['Morgan Cassey', 'Casey Morgan'],
    ['Cas Mogran', 'Casey Morgan'],
    ['Wei Lii', 'Wei Li'],
    ['Mc Donlad', 'Flora McDonald'],
    ['Vanderbreg', 'Zoë Van der Berg'],
    ['Muelller', 'Ute Müller'],
  ])('%s is near to %s', (typed, name) => expect(shown(typed, [name])).toEqual([[name], []]));

  test.each([
    ['Casey Hale', 'Casey Morgan'],
    ['Kern', 'Bo Kahn'],
    ['Morgan', 'Mo Gordon'],
  ])('%s is not near to %s', (typed, name) => expect(shown(typed, [name])?.[0]).toEqual([]));

  test('the nearest comes first, and ten at most', () => {
    expect(shown('Casey Mogran', ['Casey Morgen', 'Casey Morgan'])?.[0]).toEqual([
      'Casey Morgan',
      'Casey Morgen',
    ]);
    const many = Array.from({ length: 12 }, (_, at) => `Casey Morgan ${at}`);
    expect(shown('Casey Mogran', many)?.[0]).toHaveLength(10);
  });

  test.each(['Kim', 'O', 'Wu', ''])('%j is too short to be near to another', (typed) =>
    expect(shown(typed, ['Kit Wo'])).toBeNull(),
  );
});

describe('A name that sounds like another (R-121)', () => {
  test.each([
    ['Phillips', 'Ann Filipps'],
    ['Kasey Maugham', 'Caysie Mohan'],
    ['Moskowitz', 'Lev Moscovitz'],
    ['Shwarzeneger', 'Arnold Schwarzenegger'],
  ])('%s like %s', (typed, name) => {
    expect(shown(typed, [name, 'Ida Kern'])?.flat()).toEqual([name]);
  });

  test('each word must', () => expect(shown('Kasey Kern', ['Caysie Mohan'])).toEqual([[], []]));

  test('has a code in common with it', () => {
    expect(soundsOf('moskowitz')).toEqual(['645740']);
    expect(soundsOf('peters').toSorted()).toEqual(['734000', '739400']);
    expect(soundsOf('иванов')).toEqual([]);
  });
});
