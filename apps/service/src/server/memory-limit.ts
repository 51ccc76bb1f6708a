import { LRUCache } from 'lru-cache';

import type { RateDecision, RateRule } from './rate-limit.ts';

interface Window {
  readonly since: number;
  readonly uses: number;
  /** Until when another limit says no. */
  readonly refusedUntil: number;
}

/** Subjects that are counted at once, of all rules together; some 200 bytes each. */
const MOST_SUBJECTS = 50_000;

/** S-5: counts in the memory of this process, for what does no harm when its end forgets it. */
export interface MemoryLimit {
  /** A refused use is not counted: asked again after `retryAfter` seconds, it is allowed. */
  use(rule: RateRule, subject: string, now: number): RateDecision;
  /** Another limit refuses the subject until then: this one will not say that it is sooner. */
  alsoRefused(rule: RateRule, subject: string, until: number): void;
}

/** With more subjects than `most`, the one that asked least recently begins anew. */
export function createMemoryLimit(most = MOST_SUBJECTS): MemoryLimit {
  const windows = new LRUCache<string, Window>({ max: most });
  const keyOf = ({ name }: RateRule, subject: string) => `${name} ${subject}`;
  return {
    use(rule, subject, now) {
      const key = keyOf(rule, subject);
      const known = windows.get(key);
      const stands = known !== undefined && known.since <= now && now < known.since + rule.seconds;
      const { since, uses } = stands ? known : { since: now, uses: 0 };
      const refusedUntil = known?.refusedUntil ?? 0;
      if (uses >= rule.count) {
        const until = Math.max(since + rule.seconds, refusedUntil);
        return { kind: 'tooMany', retryAfter: until - now };
      }
      windows.set(key, { since, uses: uses + 1, refusedUntil });
      return { kind: 'allowed' };
    },
    alsoRefused(rule, subject, until) {
      const key = keyOf(rule, subject);
      const known = windows.get(key);
      if (known !== undefined && known.refusedUntil < until)
        windows.set(key, { ...known, refusedUntil: until });
    },
  };
}
