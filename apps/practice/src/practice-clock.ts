import type { Clock } from '@clinic/service/server/clock.ts';

/** Starts where it is told, ticks on, and can be moved forward. */
export interface PracticeClock extends Clock {
  advance(seconds: number): void;
}

/** `elapsed` in milliseconds, steady whatever happens to the host's clock. */
export function practiceClock(
  start: number,
  elapsed: () => number = () => performance.now(),
): PracticeClock {
  const began = elapsed();
  let moved = 0;
  return {
    now: () => start + moved + Math.floor((elapsed() - began) / 1000),
    advance: (seconds) => {
      moved += seconds;
    },
  };
}
