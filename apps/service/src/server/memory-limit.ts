import { LRUCache } from 'lru-cache';
import type { RateRule } from './rates.ts';
import { type Refusal, tooMany } from './refusal.ts';

interface MemoryWindow {
  readonly since: number;
  readonly uses: number;
  /** Uses that were given back. */
  readonly returned: number;
  /** Until when another limit refuses the subject. */
  readonly refusedUntil: number;
}

export type MemoryLimit = ReturnType<typeof createMemoryLimit>;

/** The most subjects counted at once, over all rules; each takes some 200 bytes. */
const MOST_SUBJECTS = 50_000;
/** How often in a window as many uses as the rule allows are given back. */
const MOST_RETURNED = 10;

/**
 * S-5: counts in the memory of this process, for limits that may be forgotten when it ends. With more than
 * `most` subjects, the least recently seen one starts at zero again.
 */
export function createMemoryLimit(most = MOST_SUBJECTS) {
  // `max` in place of `maxSize` would allocate room for all of them: 7 ms of every start.
  const windows = new LRUCache<string, MemoryWindow>({ maxSize: most, sizeCalculation: () => 1 });
  const windowKey = ({ name }: RateRule, subject: string) => `${name} ${subject}`;
  return {
    /** A refused use is not counted: asked again after `retryAfter` seconds, it is allowed. */
    use(rule: RateRule, subject: string, now: number): Refusal | null {
      const key = windowKey(rule, subject);
      const known = windows.get(key);
      const stands = known !== undefined && known.since <= now && now < known.since + rule.seconds;
      const { since, uses, returned } = stands ? known : { since: now, uses: 0, returned: 0 };
      const refusedUntil = known?.refusedUntil ?? 0;
      if (uses >= rule.count) return tooMany(Math.max(since + rule.seconds, refusedUntil) - now);
      windows.set(key, { since, uses: uses + 1, returned, refusedUntil });
      return null;
    },
    /**
     * Gives a use of `now` back, up to a number of times in a window: one sender must not keep the service busy
     * for free.
     */
    giveBack(rule: RateRule, subject: string, now: number): void {
      const key = windowKey(rule, subject);
      const known = windows.get(key);
      if (known === undefined || known.since > now || known.uses === 0) return;
      const { uses, returned } = known;
      if (returned < MOST_RETURNED * rule.count)
        windows.set(key, { ...known, uses: uses - 1, returned: returned + 1 });
    },
    /** Another limit refuses the subject until then: from now on this one tells no shorter wait. */
    alsoRefused(rule: RateRule, subject: string, until: number): void {
      const key = windowKey(rule, subject);
      const known = windows.get(key);
      if (known !== undefined && known.refusedUntil < until)
        windows.set(key, { ...known, refusedUntil: until });
    },
  };
}
