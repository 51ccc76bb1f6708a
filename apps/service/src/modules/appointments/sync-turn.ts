import type { DateSpan, EpochSeconds } from '@clinic/domain';

import type { Database, Db, Tx } from '../../database/db.ts';
import { readFact, writeFact, writeFirstFact } from '../../database/installation.store.ts';
import type { Platform } from '../../platform.ts';
import { type Emr, type ProviderDay, emrOfService } from '../records/emr.ts';

/** How far the sync with the EMR has come, whether that answers, and until when a process is at it. */
export interface Turn {
  readonly cursor: string | null;
  /** Whose days are to be read again: something was cancelled there, or not settled, when it was looked last. */
  readonly reread: readonly ProviderDay[];
  /** Appointments of ours that were cancelled there when it was looked last. */
  readonly cancelled: readonly string[];
  /** Booked appointments of ours whose keys it does not know. */
  readonly lacking: readonly string[];
  /** Which appointments of ours were overlapped, and when they began. */
  readonly overlapped: readonly string[];
  /** Of these, whose providers are still to be told. */
  readonly untold: readonly string[];
  /** The dates whose templates are still to be read, before they are read again. */
  readonly templates: DateSpan | null;
  /** When the templates of the whole window were begun last. */
  readonly farAt: EpochSeconds;
  /** When the whole window was read last. */
  readonly wholeAt: EpochSeconds;
  /** As of when our tables are what the EMR has. */
  readonly answeredAt: EpochSeconds | null;
  /** How many syncs in a row it has not answered, and since when. */
  readonly failures: number;
  readonly silentSince: EpochSeconds;
  /** Names the turn: of two that were taken, the later one goes on. */
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
  overlapped: [],
  untold: [],
  templates: null,
  farAt: 0,
  wholeAt: 0,
  answeredAt: null,
  failures: 0,
  silentSince: 0,
  holder: '',
  beganAt: 0,
  until: 0,
};
const FACT = 'emr-sync';
/**
 * Whoever died in a turn is replaced after this long: soon enough for patients to hear within a minute
 * of what staff did, and longer than one question to the EMR and a transaction after it.
 */
const LEASE_SECONDS = 15;
/** A turn that lasts is kept so often. */
const KEPT_EVERY_SECONDS = 4;
const BEAT_MS = KEPT_EVERY_SECONDS * 1000;
/** An EMR that misses one question may answer the next. */
const FAILURES_BEFORE_OFFLINE = 2;
/** Where nobody has asked it for so long, nobody knows whether it answers. */
const NOBODY_ASKS_SECONDS = 600;

function turnOf(fact: string | null): Turn {
  const kept = fact === null ? FIRST_TURN : (JSON.parse(fact) as Partial<Turn>);
  // What a version before was to read again is read with the whole window.
  return { ...FIRST_TURN, ...kept, ...(kept.reread === undefined ? { wholeAt: 0 } : {}) };
}

export const writeTurn = (tx: Tx, turn: Turn) => writeFact(tx, FACT, JSON.stringify(turn));

/** Another process has taken the turn, as this one was away for too long: what it read is old. */
export class TurnLost extends Error {
  override readonly name = 'TurnLost';
}

/**
 * The turn under the name of `holder`; null while another process is at it, or where it is not due yet
 * by what `isDue` makes of the turn before.
 */
export function takeTurn(
  database: Database,
  holder: string,
  now: EpochSeconds,
  isDue: (last: Turn) => boolean = () => true,
): Promise<Turn | null> {
  return database.inTransaction(async (tx) => {
    await writeFirstFact(tx, FACT, JSON.stringify(FIRST_TURN));
    const last = turnOf(await readFact(tx, FACT, { lock: true }));
    if (last.until > now || !isDue(last)) return null;
    const turn = { ...last, holder, beganAt: now, until: now + LEASE_SECONDS };
    await writeTurn(tx, turn);
    return turn;
  });
}

/** A turn while it is worked on. */
export interface KeptTurn {
  /** To be called between two questions to the EMR; throws TurnLost. */
  readonly keep: (change?: Partial<Turn>) => Promise<void>;
  /** To be called at its end. */
  readonly letGo: () => Promise<void>;
}

/** Keeps the turn as long as this process lives, however long the EMR takes for an answer. */
export function keepTurn(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  turn: Turn,
): KeptTurn {
  let keptAt = turn.beganAt;
  let kept: Partial<Turn> = {};
  // One after the other: a beat must not undo what was kept after it began.
  let keeping: Promise<unknown> = Promise.resolve();
  const keepNow = (change: Partial<Turn>) => {
    const work = async () => {
      const now = clock.now();
      kept = { ...kept, ...change };
      await database.inTransaction(async (tx) => {
        if (!(await stillHeld(tx, turn))) throw new TurnLost();
        await writeTurn(tx, { ...turn, ...kept, until: now + LEASE_SECONDS });
      });
      keptAt = now;
    };
    const done = keeping.then(work);
    keeping = done.catch(() => undefined);
    return done;
  };
  // What a beat cannot do, whoever works on the turn finds out.
  const timer = setInterval(() => void keepNow({}).catch(() => undefined), BEAT_MS);
  timer.unref();
  return {
    keep: async (change) => {
      if (change !== undefined || clock.now() - keptAt >= KEPT_EVERY_SECONDS)
        await keepNow(change ?? {});
    },
    letGo: async () => {
      clearInterval(timer);
      await keeping;
    },
  };
}

/** Whether no other process has taken it meanwhile; nobody takes it until the transaction ends. */
export const stillHeld = async (tx: Tx, { holder }: Turn): Promise<boolean> =>
  turnOf(await readFact(tx, FACT, { lock: true })).holder === holder;

export const lastTurn = async (db: Db): Promise<Turn> => turnOf(await readFact(db, FACT));

/** For a process beside the service: null where none was ever synced with. */
export const emrBesideService = async (db: Db): Promise<Emr | null> =>
  (await readFact(db, FACT)) === null ? null : emrOfService;

/** When all of its days were read last; null before the first time. */
export const emrReadAt = async (db: Db): Promise<EpochSeconds | null> =>
  (await lastTurn(db)).wholeAt || null;

/** How the sync with the EMR stands. */
export interface EmrStanding {
  /** As of when our tables are what it has; null before its first answer. */
  readonly answeredAt: EpochSeconds | null;
  /** Appointments over which staff have put another there. */
  readonly overlapped: number;
  /** Booked appointments whose keys it does not know. */
  readonly lacking: number;
}

/** Null where none was ever synced with. */
export async function emrStanding(db: Db): Promise<EmrStanding | null> {
  const fact = await readFact(db, FACT);
  if (fact === null) return null;
  const { answeredAt, overlapped, lacking } = turnOf(fact);
  return { answeredAt, overlapped: overlapped.length, lacking: lacking.length };
}

/** The EMR is offline. */
export interface EmrSilence {
  readonly since: EpochSeconds;
  /** As of when what we show is what it has. */
  readonly asOf: EpochSeconds;
}

/**
 * Null while the EMR answers. It is offline after two syncs in a row that it did not answer, and
 * online after one that it did: the process that syncs decides, and every other one knows.
 */
export async function emrSilence(db: Db, now: EpochSeconds): Promise<EmrSilence | null> {
  const turn = await lastTurn(db);
  const { failures, silentSince: since, answeredAt, until } = turn;
  if (failures < FAILURES_BEFORE_OFFLINE || now - until > NOBODY_ASKS_SECONDS) return null;
  return { since, asOf: answeredAt ?? since };
}
