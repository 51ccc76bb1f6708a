import { describe, expect, test } from 'vitest';
import { areAlikeNames, areLikelyFirstNames, areLikelyNames } from './likely-names.ts';
import { nameWords } from './names.ts';

describe('Names may be of one person', () => {
  const of = (firstName: string, lastName: string) => ({ firstName, lastName });
  test.each([
    [of('José', 'Núñez'), of('Jose', 'Nunez')],
    [of('Ann', 'McDonald'), of('Ann', 'Mc Donald')],
    [of('Ute', 'Müller'), of('Ute', 'Mueller')],
    [of('Wei', 'Chen'), of('Chen', 'Wei')],
    [of('Anne Marie', 'Roy'), of('Anne', 'Roy')],
  ])('%j and %j', (one, other) => {
    expect([areLikelyNames(one, other), areLikelyNames(other, one)]).toEqual([true, true]);
  });

  test.each([
    [of('Ann', 'McDonald'), of('Anna', 'McDonald')],
    [of('Ann', 'Roy'), of('Eve', 'Roy')],
    [of('कि', 'राम'), of('का', 'राम')],
  ])('%j and %j are of two', (one, other) => {
    expect([areLikelyNames(one, other), areLikelyNames(other, one)]).toEqual([false, false]);
  });
});

// Shows: S-18
describe('Two first names where the phone number is one', () => {
  test.each([
    ['Robert', 'Bob'],
    ['Elizabeth', 'LIZ'],
    ['Alexandra', 'Alex'],
    ['Zoë', 'Zoe'],
    ['Jean-Paul', 'Jean'],
    ['Katherine', 'Kathrine'],
    ['Casey', 'Csaey'],
    ['Casey', 'Cassey'],
    ['Casey', 'Cabey'],
    ['Mary Ann', 'Ann'],
    ['Sam', 'Samira'],
    ['Muhammad', 'Mohamed'],
    ['Sofia', 'Sophie'],
    ['Volodymyr', 'Vladimir'],
  ])('%s and %s may be of one person', (one, other) => {
    expect([areLikelyFirstNames(one, other), areLikelyFirstNames(other, one)]).toEqual([
      true,
      true,
    ]);
  });

  test.each([
    ['Casey', 'Robin'],
    ['Anna', 'Otto'],
    ['Sam', 'Sue'],
    ['Al', 'Alice'],
    ['Lee', 'Leo'],
    ['Bob', 'Bill'],
    ['Casey', 'Cabbey'],
    ['', 'Casey'],
    ['Teresa', 'Tracy'],
    ['Sean', 'Jonah'],
  ])('%s and %s are of two', (one, other) => {
    expect([areLikelyFirstNames(one, other), areLikelyFirstNames(other, one)]).toEqual([
      false,
      false,
    ]);
  });
});

// Shows: S-18
describe('Two names where the birth date is one', () => {
  test.each([
    [
      ['Steven', 'Smith'],
      ['Stephen', 'Smyth'],
    ],
    [
      ['Kateryna', 'Shevchenko'],
      ['Katerina', 'Szewczenko'],
    ],
    [
      ['Nguyen', 'Thanh'],
      ['Thanh', 'Ngyuen'],
    ],
    [
      ['Bob', 'Petersen'],
      ['Robert James', 'Peterson'],
    ],
    [
      ['Mohammed', 'Al-Sayed'],
      ['Muhammad', 'Al Sayid'],
    ],
    [
      ['Mohamed', 'Lee'],
      ['Mohammad', 'Li'],
    ],
    [
      ['Marta', 'Kowalska-Novak'],
      ['Martha', 'Novak'],
    ],
  ])('%j and %j may be of one person', (one, other) =>
    expect(bothWays(one, other)).toEqual([true, true]),
  );

  test.each([
    [
      ['Harpreet Kaur', 'Gill'],
      ['Jaswinder Kaur', 'Gill'],
    ],
    [
      ['Ola 4711', 'Berg'],
      ['Ola 4822', 'Berg'],
    ],
    [
      ['Maria', 'Marie'],
      ['Maria', 'Lopez'],
    ],
    [
      ['Steven', 'Smith'],
      ['Stephen', 'Jones'],
    ],
    [
      ['Wei', 'Li'],
      ['Wei', 'Chan'],
    ],
    [
      ['Cher', ''],
      ['Cheryl', 'Hale'],
    ],
  ])('%j and %j are of two', (one, other) => expect(bothWays(one, other)).toEqual([false, false]));

  function bothWays(...names: (readonly string[])[]) {
    const [one, other] = names.map(([firstName = '', lastName = '']) =>
      nameWords({ firstName, lastName }),
    );
    if (one === undefined || other === undefined) throw new Error('Two names are compared');
    return [areAlikeNames(one, other), areAlikeNames(other, one)];
  }
});
