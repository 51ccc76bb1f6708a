import pLimit from 'p-limit';

/** Work that may not crowd out bookings: so many at once, and not too many behind them. */
export interface Turns {
  /** Null when too many wait already. */
  take<T>(work: () => Promise<T>): Promise<T | null>;
}

export function turnsOf(atOnce: number, waitingAtMost: number): Turns {
  const limit = pLimit(atOnce);
  return {
    take: async (work) =>
      limit.activeCount >= atOnce && limit.pendingCount >= waitingAtMost ? null : limit(work),
  };
}
