import { type Database, part, sql } from '../database/db.ts';
import { lockWord } from '../database/shared-names.store.ts';
import type { Keyring } from '../security/keyring.ts';
import type { RateRule } from './rates.ts';
import { type Refusal, tooMany } from './refusal.ts';

/** A use of a rule by one subject. */
export type RateUse = readonly [rule: RateRule, subject: string];

const LONGEST_WINDOW = 24 * 60 * 60;
/** A rule's time window is counted in this many parts, so that old uses expire little by little. */
const PARTS = 15;

export type RateLimit = ReturnType<typeof createRateLimit>;

/**
 * S-5: counted in the database, so that all processes share the limit and parallel guesses count. A use is
 * counted before it is tried. When the database fails, the error becomes a 503: the limit fails closed.
 */
export function createRateLimit(database: Database, keyring: Keyring) {
  const subjectOf = (rule: RateRule, subject: string) =>
    keyring.blindIndex(`rate:${rule.name}`, subject);
  /** Matches also the uses counted under earlier keys. */
  const ofSubject = (rule: RateRule, subject: string) =>
    part`rule = ${rule.name}
     and subject = any(${keyring.blindIndexes(`rate:${rule.name}`, subject)}::bytea[])`;
  /** A rule with waits counts to the second, because the wait is told to the second. */
  const partOf = ({ seconds, waitsFrom }: RateRule, now: number) =>
    now - (now % (waitsFrom === undefined ? seconds / PARTS : 1));

  return {
    /** Null when the use is allowed, else the refusal to answer with. */
    async use(rule: RateRule, subject: string, now: number): Promise<Refusal | null> {
      const hashed = subjectOf(rule, subject);
      return database.inTransaction(async (tx) => {
        // Uses of one subject run one after the other, or two could each miss the other's count.
        const lock = `${rule.name}:${Buffer.from(hashed).toString('hex')}`;
        await lockWord(lock, tx);
        const [counted] = await sql<Counted>(tx, 'rate-uses')`
          select coalesce(sum(count), 0)::bigint as uses, min(window_start_s) as oldest,
                 max(window_start_s) as latest
            from rate_window
           where ${ofSubject(rule, subject)}
             and window_start_s > ${now - rule.seconds} and count > 0`;
        const openAt = counted === undefined ? now : opensAt(rule, counted, now);
        // A refused use is not counted, or hammering would keep the owner out for ever.
        if (now < openAt) return tooMany(openAt - now);
        await sql(tx, 'rate-use')`
          insert into rate_window (rule, subject, window_start_s, count)
          values (${rule.name}, ${hashed}, ${partOf(rule, now)}, 1)
              on conflict (rule, subject, window_start_s)
              do update set count = rate_window.count + 1`;
        return null;
      });
    },
    async giveBack(rule: RateRule, subject: string, now: number): Promise<void> {
      await database.inTransaction(
        (tx) =>
          sql(tx, 'rate-give-back')`
          update rate_window set count = greatest(count - 1, 0)
           where rule = ${rule.name} and subject = ${subjectOf(rule, subject)}
             and window_start_s = ${partOf(rule, now)}`,
      );
    },
    /** Forgets all uses of a subject. */
    async forgive(rule: RateRule, subject: string): Promise<void> {
      await database.inTransaction(
        (tx) => sql(tx, 'rate-forgive')`delete from rate_window where ${ofSubject(rule, subject)}`,
      );
    },
    /** Forgets windows that no longer count. */
    async sweep(now: number): Promise<void> {
      await database.inTransaction(
        (tx) =>
          sql(
            tx,
            'rate-sweep',
          )`delete from rate_window where window_start_s < ${now - LONGEST_WINDOW}`,
      );
    },
  };
}

type Counted =
  | { readonly uses: 0; readonly oldest: null; readonly latest: null }
  | { readonly uses: number; readonly oldest: number; readonly latest: number };

/** The first instant at which a subject with these uses may make another one. */
function opensAt(rule: RateRule, { uses, oldest, latest }: Counted, now: number): number {
  if (oldest === null) return now;
  const isFull = uses >= rule.count;
  // When the oldest use of a full window expires, the wait that the other uses cause may still be running.
  const counting = isFull ? rule.count - 1 : uses;
  const { waitsFrom = Infinity } = rule;
  const waits = counting < waitsFrom ? 0 : 2 ** (counting - waitsFrom + 1);
  return Math.max(isFull ? oldest + rule.seconds : 0, waits === 0 ? 0 : latest + waits);
}

/**
 * Counts a use of every rule, or of none: null when all allow it, else the refusal, with the longest wait of
 * the rules that refuse. `inTurn` stops at the first refusal, for guesses at secrets: a guess that one rule
 * refuses must not even for a moment count against the next.
 */
export async function countAll(
  rateLimit: Pick<RateLimit, 'use' | 'giveBack'>,
  now: number,
  uses: readonly RateUse[],
  { inTurn = false } = {},
): Promise<Refusal | null> {
  const used: RateUse[] = [];
  let retryAfter = 0;
  for (const [rule, subject] of uses) {
    const refused = await rateLimit.use(rule, subject, now);
    if (refused === null) used.push([rule, subject]);
    else retryAfter = Math.max(retryAfter, refused.details.retryAfter ?? 0);
    if (refused !== null && inTurn) break;
  }
  if (retryAfter === 0) return null;
  await giveBackAll(rateLimit, now, used);
  return tooMany(retryAfter);
}

/** Gives back uses that turned out to be no guess, or a guess that was never tried. */
export async function giveBackAll(
  rateLimit: Pick<RateLimit, 'giveBack'>,
  now: number,
  uses: readonly RateUse[],
): Promise<void> {
  for (const [rule, subject] of uses) await rateLimit.giveBack(rule, subject, now);
}
