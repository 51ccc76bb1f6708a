import { LRUCache } from 'lru-cache';
import { type Refusal, refuse } from './refusal.ts';

/** At most `count` uses in `seconds`; a use that turns out harmless is given back. */
export interface RateRule {
  readonly name: string;
  readonly count: number;
  readonly seconds: number;
  /** From this use on each one makes the next wait: 2 seconds, then 4, 8 …; left out, none does. */
  readonly waitsFrom?: number;
}

/** A use of a rule by one subject. */
export type RateUse = readonly [rule: RateRule, subject: string];

/**
 * S-5: counted in the database, so that all processes share the limit and parallel guesses count.
 * A use is counted before it is tried. An error of the database is the caller's 503: fails closed.
 */
export interface RateLimit {
  /** Null when it is allowed, else the refusal to answer with. */
  use(rule: RateRule, subject: string, now: number): Promise<Refusal | null>;
  giveBack(rule: RateRule, subject: string, now: number): Promise<void>;
  /** All uses of a subject are forgiven. */
  forgive(rule: RateRule, subject: string): Promise<void>;
  /** Forgets windows that no longer count. */
  sweep(now: number): Promise<void>;
}

/**
 * Uses every rule, or none of them: null when all allow it, else the refusal to answer with, which
 * waits for the last rule that says no.
 */
export async function countAll(
  rateLimit: Pick<RateLimit, 'use' | 'giveBack'>,
  now: number,
  uses: readonly RateUse[],
): Promise<Refusal | null> {
  const used: RateUse[] = [];
  let retryAfter = 0;
  for (const [rule, subject] of uses) {
    const refused = await rateLimit.use(rule, subject, now);
    if (refused === null) used.push([rule, subject]);
    else retryAfter = Math.max(retryAfter, refused.details.retryAfter ?? 0);
  }
  if (retryAfter === 0) return null;
  await giveBackAll(rateLimit, now, used);
  return tooMany(retryAfter);
}

export const tooMany = (retryAfter: number) => refuse('tooManyRequests', { retryAfter });

/**
 * Uses the rules in turn until one says no; then none of them is used. For guesses at secrets,
 * where a rule may not even for a moment be used by what the one before it refuses.
 */
export async function countInTurn(
  rateLimit: Pick<RateLimit, 'use' | 'giveBack'>,
  now: number,
  uses: readonly RateUse[],
): Promise<Refusal | null> {
  for (const [at, [rule, subject]] of uses.entries()) {
    const refused = await rateLimit.use(rule, subject, now);
    if (refused === null) continue;
    await giveBackAll(rateLimit, now, uses.slice(0, at));
    return refused;
  }
  return null;
}

/** What was used turned out to be no guess, or none that was tried. */
export async function giveBackAll(
  rateLimit: Pick<RateLimit, 'giveBack'>,
  now: number,
  uses: readonly RateUse[],
): Promise<void> {
  for (const [rule, subject] of uses) await rateLimit.giveBack(rule, subject, now);
}

interface MemoryWindow {
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
  use(rule: RateRule, subject: string, now: number): Refusal | null;
  /** Another limit refuses the subject until then: this one will not say that it is sooner. */
  alsoRefused(rule: RateRule, subject: string, until: number): void;
}

/** With more subjects than `most`, the one that asked least recently begins anew. */
export function createMemoryLimit(most = MOST_SUBJECTS): MemoryLimit {
  const windows = new LRUCache<string, MemoryWindow>({ max: most });
  const keyOf = ({ name }: RateRule, subject: string) => `${name} ${subject}`;
  return {
    use(rule, subject, now) {
      const key = keyOf(rule, subject);
      const known = windows.get(key);
      const stands = known !== undefined && known.since <= now && now < known.since + rule.seconds;
      const { since, uses } = stands ? known : { since: now, uses: 0 };
      const refusedUntil = known?.refusedUntil ?? 0;
      if (uses >= rule.count) return tooMany(Math.max(since + rule.seconds, refusedUntil) - now);
      windows.set(key, { since, uses: uses + 1, refusedUntil });
      return null;
    },
    alsoRefused(rule, subject, until) {
      const key = keyOf(rule, subject);
      const known = windows.get(key);
      if (known !== undefined && known.refusedUntil < until)
        windows.set(key, { ...known, refusedUntil: until });
    },
  };
}
