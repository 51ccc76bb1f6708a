import type { EpochSeconds } from '@clinic/domain';
import { and, desc, eq, gt, inArray, isNull, like } from 'drizzle-orm';
import { type Db, firstOf, hasRows, part } from '../../database/db.ts';
import type { PutOff } from '../../database/outbox.store.ts';
import type { Platform } from '../../platform.ts';
import { type AddAnswer, EmrOffline, EmrOutcomeUnknown, EmrRefused } from './emr.ts';
import { withTimeout } from './timeouts.ts';
import { emrAddition } from './schema.ts';

/** A document takes longer than any other question. */
const TIMEOUT_MS = 40_000;
/** A process that asked longer ago than this, and stored no outcome, has died. */
const UNDER_WAY_SECONDS = 180;
const OFFLINE_SECONDS = 60;
/** Between tries while the patient has no record in the EMR, which exists from the first booking on. */
const NO_RECORD_SECONDS = 3_600;
/** How many tries are made, in about a day, as the pauses of the outbox grow to an hour. */
const TRIES_WHERE_REFUSED = 30;
const SHOWN_SECONDS = 30 * 86_400;
const MOST_SHOWN = 20;

/** Something to add to a patient's record, at most once. */
interface Addition {
  /** Identifies the addition for ever. */
  readonly key: string;
  /** Its subject in the audit trail. */
  readonly subject: string;
  /** How often the outbox has tried, including this time. */
  readonly attempts: number;
  /** Whether to wait for a record when the patient has none. */
  readonly mayGetRecord: boolean;
}

/**
 * Has the EMR add something to a patient's record, from the outbox. The request is recorded before the
 * EMR is asked, as the addition cannot be found there again: when the answer is lost, or the process
 * that asked has died, it is not repeated, and the clinic is told. When nothing was written, it is put
 * off.
 */
export async function addToEmr(
  {
    database,
    clock,
    log,
    appendAudit,
  }: Pick<Platform, 'database' | 'clock' | 'log' | 'appendAudit'>,
  { key, subject, attempts, mayGetRecord }: Addition,
  add: () => Promise<AddAnswer>,
): Promise<PutOff | void> {
  const now = clock.now();
  const isIt = eq(emrAddition.key, key);
  const returned = { key: emrAddition.key };
  const end = (outcome: 'added' | 'unknown' | 'refused') =>
    database.inTransaction(async (tx) => {
      const at = clock.now();
      const set = { outcome, askedAt: at };
      const isUnderWay = and(isIt, isNull(emrAddition.outcome));
      const ended = tx.update(emrAddition).set(set).where(isUnderWay).returning(returned);
      if (!(await hasRows(ended))) return;
      await appendAudit(tx, { actor: 'system:emr', action: ACTIONS[outcome], subject, at });
      if (outcome !== 'added') log.event(`emr-addition-${outcome}`);
    });
  // Nothing was written: it may be asked for again.
  const forget = () => database.inTransaction((tx) => tx.delete(emrAddition).where(isIt));
  const isBegun = await database.inTransaction((tx) => {
    const values = { key, askedAt: now };
    return hasRows(tx.insert(emrAddition).values(values).onConflictDoNothing().returning(returned));
  });
  if (!isBegun) {
    const before = await firstOf(database.db.select().from(emrAddition).where(isIt));
    if (before?.outcome === null && before.askedAt > now - UNDER_WAY_SECONDS)
      return { until: before.askedAt + UNDER_WAY_SECONDS };
    return end('unknown');
  }
  try {
    const answer = await withTimeout(add(), () => new EmrOutcomeUnknown(key), TIMEOUT_MS);
    if (answer === 'added') return await end('added');
    await forget();
    return mayGetRecord ? { until: now + NO_RECORD_SECONDS } : undefined;
  } catch (error) {
    if (error instanceof EmrOutcomeUnknown) return end('unknown');
    if (error instanceof EmrRefused && attempts >= TRIES_WHERE_REFUSED) return end('refused');
    if (error instanceof EmrOffline || error instanceof EmrRefused) await forget();
    if (error instanceof EmrOffline) return { until: now + OFFLINE_SECONDS };
    throw error;
  }
}

const ACTIONS = {
  added: 'added to the EMR',
  unknown: 'perhaps added to the EMR',
  refused: 'refused by the EMR',
} as const;

/**
 * The additions of the last month that the clinic has to see to: documents first, as they may be in
 * nobody's record, then the newest; and how many there are in all.
 */
export async function additionsToSeeTo(db: Db, now: EpochSeconds) {
  const toSeeTo = and(
    inArray(emrAddition.outcome, ['unknown', 'refused']),
    gt(emrAddition.askedAt, now - SHOWN_SECONDS),
  );
  const shown = await db
    .select()
    .from(emrAddition)
    .where(toSeeTo)
    .orderBy(desc(like(emrAddition.key, 'document:%')), desc(emrAddition.askedAt), emrAddition.key)
    .limit(MOST_SHOWN);
  return { shown, all: await db.$count(emrAddition, toSeeTo) };
}

/** The keys of what the EMR was asked to add, for other modules' statements. */
export const EMR_ADDITIONS = part`(select key from emr_addition)`;
