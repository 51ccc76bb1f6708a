/** Work that may not crowd out bookings: so many at once, and not too many behind them. */
export interface Turns {
  /** Null when too many wait already. */
  take<T>(work: () => Promise<T>): Promise<T | null>;
}

export function turnsOf(atOnce: number, waitingAtMost: number): Turns {
  let running = 0;
  const waiting: (() => void)[] = [];

  return {
    async take(work) {
      if (running >= atOnce) {
        if (waiting.length >= waitingAtMost) return null;
        await new Promise<void>((resolve) => waiting.push(resolve));
      } else running++;
      try {
        return await work();
      } finally {
        // The place goes to the next one straight, so that nobody slips in between.
        const next = waiting.shift();
        if (next) next();
        else running--;
      }
    },
  };
}
