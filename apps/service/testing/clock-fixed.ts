import type { Clock } from '../src/server/ports.ts';

/** Stands still until it is moved. */
export interface FixedClock extends Clock {
  advance(seconds: number): void;
  set(now: number): void;
}

export function fixedClock(start: number): FixedClock {
  let now = start;
  return {
    now: () => now,
    advance: (seconds) => {
      now += seconds;
    },
    set: (to) => {
      now = to;
    },
  };
}
