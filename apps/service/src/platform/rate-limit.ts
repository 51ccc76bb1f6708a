import { sql } from 'drizzle-orm';
import type { Database } from './db.ts';
import type { Keyring } from './keyring.ts';
import { rateWindow } from './schema.ts';

/** At most `count` uses in `seconds`; a use that turns out harmless is given back. */
export interface RateRule {
  readonly name: string;
  readonly count: number;
  readonly seconds: number;
}

export type RateDecision =
  { readonly kind: 'allowed' } | { readonly kind: 'tooMany'; readonly retryAfter: number };

/**
 * S-5: counted in the database, so that all processes share the limit and parallel guesses count.
 * A use is counted before it is tried. An error of the database is the caller's 503: fails closed.
 */
export interface RateLimit {
  use(rule: RateRule, subject: string, now: number): Promise<RateDecision>;
  giveBack(rule: RateRule, subject: string, now: number): Promise<void>;
  /** Forgets windows that no longer count. */
  sweep(now: number): Promise<void>;
}

const LONGEST_WINDOW = 24 * 60 * 60;

export function createRateLimit(database: Database, keyring: Keyring): RateLimit {
  const subjectOf = (rule: RateRule, subject: string) =>
    keyring.blindIndex(`rate:${rule.name}`, subject);
  const windowOf = (rule: RateRule, now: number) => now - (now % rule.seconds);

  return {
    async use(rule, subject, now) {
      const start = windowOf(rule, now);
      const hashed = subjectOf(rule, subject);
      // The window before counts by the part of it that the last `seconds` still cover.
      const rows = await database.inTransaction((tx) =>
        tx
          .insert(rateWindow)
          .values({ rule: rule.name, subject: hashed, windowStart: start, count: 1 })
          .onConflictDoUpdate({
            target: [rateWindow.rule, rateWindow.subject, rateWindow.windowStart],
            set: { count: sql`${rateWindow.count} + 1` },
          })
          .returning({
            count: rateWindow.count,
            before: sql<number>`coalesce((select count from rate_window as earlier
              where earlier.rule = ${rule.name} and earlier.subject = ${hashed}
                and earlier.window_start_s = ${start - rule.seconds}), 0)`.mapWith(Number),
          }),
      );
      const { count = 1, before = 0 } = rows[0] ?? {};
      const covered = 1 - (now - start) / rule.seconds;
      if (count + Math.floor(before * covered) <= rule.count) return { kind: 'allowed' };
      return { kind: 'tooMany', retryAfter: start + rule.seconds - now };
    },
    async giveBack(rule, subject, now) {
      const hashed = subjectOf(rule, subject);
      await database.inTransaction((tx) =>
        tx
          .update(rateWindow)
          .set({ count: sql`greatest(${rateWindow.count} - 1, 0)` })
          .where(
            sql`${rateWindow.rule} = ${rule.name} and ${rateWindow.subject} = ${hashed}
              and ${rateWindow.windowStart} = ${windowOf(rule, now)}`,
          ),
      );
    },
    async sweep(now) {
      await database.inTransaction((tx) =>
        tx.delete(rateWindow).where(sql`${rateWindow.windowStart} < ${now - 2 * LONGEST_WINDOW}`),
      );
    },
  };
}
