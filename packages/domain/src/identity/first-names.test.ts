import { describe, expect, test } from 'vitest';
import { areLikelyFirstNames } from './first-names.ts';

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
  ])('%s and %s are of two', (one, other) => {
    expect([areLikelyFirstNames(one, other), areLikelyFirstNames(other, one)]).toEqual([
      false,
      false,
    ]);
  });
});
