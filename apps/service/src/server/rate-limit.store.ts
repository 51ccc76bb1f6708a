import { type Database, type Tx, part, sql } from '../database/db.ts';
import { lockWord } from '../database/shared-names.store.ts';
import type { Keyring } from '../security/keyring.ts';
import { type Ids, randomIds } from './ports.ts';
import type { RateRule } from './rates.ts';
import { type Refusal, tooMany } from './refusal.ts';
import type { MemoryLimit } from './memory-limit.ts';

/** A use of a rule by one subject. */
export type RateUse = readonly [rule: RateRule, subject: string];

const LONGEST_WINDOW = 24 * 60 * 60;
/** A rule's time window is counted in this many parts, so that old uses expire little by little. */
const PARTS = 15;
/** The most uses kept in memory to be given back later; beyond them the oldest stay counted. */
const MOST_OWED = 10_000;

export type RateLimit = ReturnType<typeof createRateLimit>;

/**
 * S-5: counted in the database, so that all processes share the limit and parallel guesses count. A use is
 * counted before it is tried. When the database fails, the error becomes a 503: the limit fails closed.
 */
export function createRateLimit(database: Database, keyring: Keyring, ids: Ids = randomIds) {
  /** Uses to give back, by their ids, until the database has taken it. */
  const owed = new Map<string, RateUse>();
  const subjectOf = (rule: RateRule, subject: string) =>
    keyring.blindIndex(`rate:${rule.name}`, subject);
  /** Matches also the uses counted under earlier keys. */
  const ofSubject = (rule: RateRule, subject: string) =>
    part`rule = ${rule.name}
     and subject = any(${keyring.blindIndexes(`rate:${rule.name}`, subject)}::bytea[])`;
  /** A rule with waits counts to the second, because the wait is told to the second. */
  const partOf = ({ seconds, waitsFrom }: RateRule, now: number) =>
    now - (now % (waitsFrom === undefined ? seconds / PARTS : 1));

  /** Takes an id out with its count, so that a repetition gives nothing back, whatever became of a COMMIT. */
  const giveBackIn = (tx: Tx, [rule, subject]: RateUse, id: string) =>
    sql(tx, 'rate-give-back')`
      update rate_window set count = greatest(count - 1, 0), use_ids = array_remove(use_ids, ${id}::uuid)
       where ${ofSubject(rule, subject)} and ${id}::uuid = any(use_ids)`;
  /** Gives a use back later: at the subject's next use in this process, or by the job for all of them. */
  function owe(id: string, use: RateUse): void {
    owed.set(id, use);
    const [oldest] = owed.keys();
    if (owed.size > MOST_OWED && oldest !== undefined) owed.delete(oldest);
  }
  async function giveBackNow(id: string, use: RateUse): Promise<void> {
    await database.inTransaction((tx) => giveBackIn(tx, use, id));
    owed.delete(id);
  }

  return {
    /**
     * Null when the use is allowed, else the refusal to answer with. By its id the use can be given back,
     * also where nobody knows whether it was counted.
     */
    async use(
      rule: RateRule,
      subject: string,
      now: number,
      id: string = ids.uuid(),
    ): Promise<Refusal | null> {
      const hashed = subjectOf(rule, subject);
      const isOwn = ([{ name }, whose]: RateUse) => name === rule.name && whose === subject;
      const back = [...owed].filter(([, use]) => isOwn(use));
      const refused = await database.inTransaction(async (tx) => {
        // Uses of one subject run one after the other, or two could each miss the other's count.
        const lock = `${rule.name}:${Buffer.from(hashed).toString('hex')}`;
        await lockWord(lock, tx);
        for (const [usedId, use] of back) await giveBackIn(tx, use, usedId);
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
          insert into rate_window (rule, subject, window_start_s, count, use_ids)
          values (${rule.name}, ${hashed}, ${partOf(rule, now)}, 1, array[${id}::uuid])
              on conflict (rule, subject, window_start_s)
              do update set count = rate_window.count + 1,
                            use_ids = rate_window.use_ids || excluded.use_ids`;
        return null;
      });
      for (const [usedId] of back) owed.delete(usedId);
      return refused;
    },
    owe,
    /** Gives a use back now, or later where the database does not take it: nothing is refused for that. */
    async giveBack(id: string, use: RateUse): Promise<void> {
      owe(id, use);
      await giveBackNow(id, use).catch(() => undefined);
    },
    async giveBackOwed(): Promise<void> {
      for (const [id, use] of owed) await giveBackNow(id, use);
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

/** Uses that were let in. */
export interface CountedUses {
  /** The guess, charge or mail begins: from now on the uses count, however the request ends. */
  readonly begun: () => void;
  /** Gives back uses that turned out to be no guess, or a guess that was never tried. */
  readonly giveBack: () => Promise<void>;
}

export type CountUses = UsesOfRequest['count'];
export type UsesOfRequest = ReturnType<typeof usesOf>;

/**
 * What one request uses of limits. When it is answered 503 before its work began, its uses are given back:
 * the person got nothing, and may try again. Uses of an address stay counted.
 */
export function usesOf(
  { rateLimit, ids }: { readonly rateLimit: RateLimit; readonly ids: Ids },
  now: number,
) {
  /** By id, the uses whose work has not begun. */
  const waiting = new Map<string, RateUse>();
  let hasBegun = false;
  /** The use that the request itself is. */
  let own: { readonly limit: MemoryLimit; readonly use: RateUse } | null = null;

  return {
    /** Counts the request itself. */
    inMemory(limit: MemoryLimit, ...use: RateUse): Refusal | null {
      const refused = limit.use(...use, now);
      if (refused === null) own = { limit, use };
      return refused;
    },
    /** Another limit refuses the request: for so many seconds its own tells no shorter wait. */
    alsoRefused(seconds: number): void {
      own?.limit.alsoRefused(...own.use, now + seconds);
    },
    /**
     * Counts a use of every rule, or of none, and then refuses, with the longest wait of the rules that
     * refuse. `inTurn` stops at the first refusal, for guesses at secrets: a guess that one rule refuses
     * must not even for a moment count against the next.
     */
    count: async (
      uses: readonly RateUse[],
      { inTurn = false } = {},
    ): Promise<CountedUses | Refusal> => {
      const counted: (readonly [id: string, use: RateUse])[] = [];
      const giveBack = async () => {
        for (const [id, use] of counted.splice(0)) {
          waiting.delete(id);
          await rateLimit.giveBack(id, use);
        }
      };
      let retryAfter = 0;
      for (const use of uses) {
        const id = ids.uuid();
        // Kept before it is counted: should the answer get lost, it is given back if it was counted.
        waiting.set(id, use);
        const refused = await rateLimit.use(...use, now, id);
        if (refused === null) {
          counted.push([id, use]);
          continue;
        }
        waiting.delete(id);
        retryAfter = Math.max(retryAfter, refused.details.retryAfter ?? 0);
        if (inTurn) break;
      }
      if (retryAfter > 0) {
        await giveBack();
        return tooMany(retryAfter);
      }
      return {
        begun() {
          hasBegun = true;
          for (const [id] of counted) waiting.delete(id);
        },
        giveBack,
      };
    },
    /** Whether uses that a 503 would give back were counted, and their work was never said to have begun. */
    areWaiting: (): boolean => [...waiting.values()].some(([rule]) => !rule.ofAddress),
    /** The request is answered 503. */
    unanswered(): void {
      for (const [id, use] of waiting) if (!use[0].ofAddress) rateLimit.owe(id, use);
      if (!hasBegun && own?.use[0].ofAddress !== true) own?.limit.giveBack(...own.use, now);
    },
  };
}
