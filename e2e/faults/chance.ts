import { testSeed } from '../../tools/test-seed.ts';

/** Repeatable randomness: one seed decides who does what and what breaks. */
export interface Chance {
  /** From 0 up to, not including, 1. */
  next(): number;
  between(low: number, high: number): number;
  pick<T>(from: readonly T[]): T;
  happens(probability: number): boolean;
  /** A stream of its own, so that one actor's choices do not depend on another's pace. */
  fork(name: string): Chance;
}

/** The stream of this name in this run. */
export const chanceOf = (name: string, usualSeed?: number): Chance =>
  chanceFrom(testSeed(usualSeed)).fork(name);

export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    pick: <T>(from: readonly T[]) => {
      const one = from[Math.floor(next() * from.length)];
      if (one === undefined) throw new Error('Nothing to pick from');
      return one;
    },
    happens: (probability) => next() < probability,
    fork: (name) => chanceFrom(seed ^ hash(name)),
  };
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) {
    value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return value;
}
