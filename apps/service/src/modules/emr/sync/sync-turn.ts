import type { DateSpan, EpochSeconds } from '@clinic/domain';

import type { Database, Db, Tx } from '../../../database/db.ts';
import { lockFact, readFact, writeFact } from '../../../database/installation.store.ts';
import type { Platform } from '../../../platform.ts';
import { type Emr, type ProviderDay, emrOfService } from '../../records/emr.ts';
import { PATIENCE_SECONDS } from '../asking.ts';

/** How far the sync with the EMR has come, whether the EMR answers, and who holds the turn until when. */
export interface Turn {
  /** What the EMR gave last for its next question after changes; null before the first. */
  readonly cursor: string | null;
  /** Days to read again in the next sync: in the last one something on them was cancelled, or not resolved. */
  readonly reread: readonly ProviderDay[];
  /** Our appointments that the EMR had as cancelled in the last sync; the next one follows that. */
  readonly cancelled: readonly string[];
  /** Our booked appointments whose keys the EMR does not know. */
  readonly lacking: readonly string[];
  /** Appointments that ended here while the EMR still has them as booked. */
  readonly kept: readonly string[];
  /** Days ('<provider> <date>') that the EMR cannot read. */
  readonly unread: readonly string[];
  /** Booked appointments under which the EMR's schedule has closed. */
  readonly outside: readonly string[];
  /** Our appointments that something else in the EMR overlaps, each with its start. */
  readonly overlapped: readonly string[];
  /** Those of them that an instance of version 0.2.0 has found, and about which it has written no tickler. */
  readonly untold: readonly string[];
  /** Dates whose templates the last sync did not reach; null when it read all. */
  readonly templates: DateSpan | null;
  /** When a sync last began to read the templates of the whole window. */
  readonly farAt: EpochSeconds;
  /** When the entries of the whole window were read last; 0 before the first time. */
  readonly wholeAt: EpochSeconds;
  /** When the next days on which we have appointments were read last. */
  readonly nearAt: EpochSeconds;
  /** The time as of which our tables match the EMR; null before its first answer. */
  readonly answeredAt: EpochSeconds | null;
  /** When an EMR first answered: what was booked before never was in it. */
  readonly since: EpochSeconds;
  /** How many syncs in a row the EMR has not answered, and since when. */
  readonly failures: number;
  /** Whether the last of them was silence or a refusal. */
  readonly failedAs: 'silent' | 'refused';
  readonly silentSince: EpochSeconds;
  /** Identifies this turn. A process whose turn another has taken over must stop. */
  readonly holder: string;
  readonly beganAt: EpochSeconds;
  readonly until: EpochSeconds;
}

/** Before the first sync. */
const FIRST_TURN: Turn = {
  cursor: null,
  reread: [],
  cancelled: [],
  lacking: [],
  kept: [],
  unread: [],
  outside: [],
  overlapped: [],
  untold: [],
  templates: null,
  farAt: 0,
  wholeAt: 0,
  nearAt: 0,
  answeredAt: null,
  since: 0,
  failures: 0,
  failedAs: 'silent',
  silentSince: 0,
  holder: '',
  beganAt: 0,
  until: 0,
};
/** The fact that keeps the turn. */
export const TURN = 'emr-sync';
/**
 * When a process dies in its turn, another takes over after this long: soon enough that patients hear
 * within a minute of what staff did, and longer than one question to the EMR with a transaction after it.
 */
const LEASE_SECONDS = 15;
/** An EMR that misses one question may answer the next. */
const FAILURES_BEFORE_OFFLINE = 2;
/** How often a process that is still at work extends its turn. */
const KEPT_EVERY_SECONDS = 4;
const BEAT_MS = KEPT_EVERY_SECONDS * 1000;

export function turnOf(fact: string | null): Turn {
  const kept = fact === null ? FIRST_TURN : (JSON.parse(fact) as Partial<Turn>);
  // Version 0.2.0 kept these days in another form: the whole window is read instead.
  return { ...FIRST_TURN, ...kept, ...(kept.reread === undefined ? { wholeAt: 0 } : {}) };
}

export const writeTurn = (tx: Tx, turn: Turn) => writeFact(tx, TURN, JSON.stringify(turn));

/** Another process has taken the turn over, because this one was away for too long: what it read is old. */
export class TurnLost extends Error {
  override readonly name = 'TurnLost';
}

/**
 * Takes the turn for `holder`; null while another process holds it, or when `isDue` says of the turn
 * before that it is too early for the next.
 */
export function takeTurn(
  database: Database,
  holder: string,
  now: EpochSeconds,
  isDue: (last: Turn) => boolean = () => true,
): Promise<Turn | null> {
  return database.inTransaction(async (tx) => {
    const last = await lockTurn(tx);
    if (last.until > now || !isDue(last)) return null;
    const turn = { ...last, holder, beganAt: now, until: now + LEASE_SECONDS };
    await writeTurn(tx, turn);
    return turn;
  });
}

/** A turn while its process works on it. */
export interface KeptTurn {
  /** Extends the turn. Call it between two questions to the EMR; throws TurnLost. */
  readonly keep: () => Promise<void>;
  /** Stops extending it. Call it at the end. */
  readonly stop: () => Promise<void>;
}

/** Extends the turn as long as this process lives, however long the EMR takes for an answer. */
export function keepTurn(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  turn: Turn,
): KeptTurn {
  let keptAt = turn.beganAt;
  // One write after the other: a later one must not be undone by an earlier one that took longer.
  let keeping: Promise<unknown> = Promise.resolve();
  const keepNow = () => {
    const work = async () => {
      const now = clock.now();
      await database.inTransaction(async (tx) => {
        if (!(await stillHeld(tx, turn))) throw new TurnLost();
        await writeTurn(tx, { ...turn, until: now + LEASE_SECONDS });
      });
      keptAt = now;
    };
    const done = keeping.then(work);
    keeping = done.catch(() => undefined);
    return done;
  };
  // When this fails, the next call of `keep` fails too, which ends the work on the turn.
  const timer = setInterval(() => void keepNow().catch(() => undefined), BEAT_MS);
  timer.unref();
  return {
    keep: async () => {
      if (clock.now() - keptAt >= KEPT_EVERY_SECONDS) await keepNow();
    },
    stop: async () => {
      clearInterval(timer);
      await keeping;
    },
  };
}

const lockTurn = async (tx: Tx): Promise<Turn> =>
  turnOf(await lockFact(tx, TURN, JSON.stringify(FIRST_TURN)));

/** Whether this process still holds the turn. It is locked: nobody takes it before the transaction ends. */
export const stillHeld = async (tx: Tx, { holder }: Turn): Promise<boolean> =>
  (await lockTurn(tx)).holder === holder;

export const lastTurn = async (db: Db): Promise<Turn> => turnOf(await readFact(db, TURN));

/** The EMR for a process beside the service, such as a command; null when the clinic never had one. */
export const emrBesideService = async (db: Db): Promise<Emr | null> =>
  (await readFact(db, TURN)) === null ? null : emrOfService;

/** How the sync with the EMR stands. */
export interface EmrStanding {
  /** The time as of which our tables match the EMR; null before its first answer. */
  readonly answeredAt: EpochSeconds | null;
  /** How many of our appointments something else in the EMR overlaps. */
  readonly overlapped: number;
  /** How many booked appointments the EMR does not know. */
  readonly lacking: number;
}

/** Null when the clinic never had an EMR. */
export async function emrStanding(db: Db): Promise<EmrStanding | null> {
  const fact = await readFact(db, TURN);
  if (fact === null) return null;
  const { answeredAt, overlapped, lacking } = turnOf(fact);
  return { answeredAt, overlapped: overlapped.length, lacking: lacking.length };
}

export const isSilent = ({ failures }: Turn) => failures >= FAILURES_BEFORE_OFFLINE;

/** How often all processes together ask the EMR: what staff do reaches the patient within a minute. */
const SYNC_SECONDS = 20;
/** How often it is asked again while it counts as offline: patients book once it answers. */
const OFFLINE_SECONDS = 3;

/** After a cancellation the next sync is due as soon as no request of a patient can be at work on it. */
export const isDue = (turn: Turn, now: EpochSeconds) =>
  isSilent(turn) && turn.failedAs === 'silent'
    ? now - turn.until >= OFFLINE_SECONDS
    : now - turn.beganAt >= (turn.cancelled.length > 0 ? PATIENCE_SECONDS : SYNC_SECONDS);
