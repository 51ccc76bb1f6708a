import type { DateSpan, EpochSeconds } from '@clinic/domain';

import type { Database, Db, Tx } from '../../../database/db.ts';
import { lockFact, readFact, writeFact } from '../../../database/installation.store.ts';
import type { Platform } from '../../../platform.ts';
import { type Emr, type ProviderDay, type ProviderId, emrOfService } from '../../records/emr.ts';
import { TIMEOUT_SECONDS } from '../emr-calls.ts';

/**
 * What one sync leaves for the next: how far it has come, whether the EMR answers, and the lease of the process
 * that runs it. Stored as JSON under `SYNC_FACT`, so the names of the fields never change.
 */
export interface SyncState {
  /** Where the EMR's list of changes goes on; null before the first sync. */
  readonly cursor: string | null;
  /** Days for the next sync to read again: something on them was cancelled, or could not be settled. */
  readonly reread: readonly ProviderDay[];
  /** Our appointments that the EMR had as cancelled in the last sync; the next one cancels them here. */
  readonly cancelled: readonly string[];
  /** Our booked appointments of whose key the EMR has no entry (the stages stand in missing.ts). */
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
  /** Who has the lease. A process whose lease another has taken over must stop. */
  readonly holder: string;
  readonly beganAt: EpochSeconds;
  /** When the lease ends. */
  readonly until: EpochSeconds;
}

const INITIAL_STATE: SyncState = {
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
/** The fact in which the state is stored. */
export const SYNC_FACT = 'emr-sync';
/**
 * When a process dies while it syncs, another takes over after this long: soon enough that patients hear
 * within a minute of what staff did, and longer than one call of the EMR with a transaction after it.
 */
const LEASE_SECONDS = 15;
/** An EMR that misses one question may answer the next. */
const FAILURES_BEFORE_OFFLINE = 2;
/** How often a process that still syncs renews its lease. */
const RENEW_SECONDS = 4;
const RENEW_MS = RENEW_SECONDS * 1000;

export function parseSyncState(fact: string | null): SyncState {
  const stored = fact === null ? INITIAL_STATE : (JSON.parse(fact) as Partial<SyncState>);
  // Version 0.2.0 kept these days in another form: the whole window is read instead.
  return { ...INITIAL_STATE, ...stored, ...(stored.reread === undefined ? { wholeAt: 0 } : {}) };
}

/** A day as a list of the state names it. */
export const dayName = ({ providerId, date }: ProviderDay) => `${providerId} ${date}`;
export function namedDay(name: string): ProviderDay {
  const [providerId = '', date = ''] = name.split(' ');
  return { providerId: providerId as ProviderId, date };
}

export const writeSyncState = (tx: Tx, state: SyncState) =>
  writeFact(tx, SYNC_FACT, JSON.stringify(state));

/** Another process has taken the lease over, because this one was away for too long: what it read is old. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/**
 * Takes the lease for `holder` and returns the state that the last sync left; null while another process has
 * the lease, or when `isDue` says that it is too early.
 */
export function acquireLease(
  database: Database,
  holder: string,
  now: EpochSeconds,
  isDue: (last: SyncState) => boolean = () => true,
): Promise<SyncState | null> {
  return database.inTransaction(async (tx) => {
    const last = await lockSyncState(tx);
    if (last.until > now || !isDue(last)) return null;
    const state = { ...last, holder, beganAt: now, until: now + LEASE_SECONDS };
    await writeSyncState(tx, state);
    return state;
  });
}

export interface Lease {
  /** Call it between two calls of the EMR; throws LeaseLost. */
  readonly renewLease: () => Promise<void>;
  /** Call it at the end. */
  readonly stopRenewing: () => Promise<void>;
}

/** Renews the lease as long as this process lives, however long the EMR takes for an answer. */
export function holdLease(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  state: SyncState,
): Lease {
  let renewedAt = state.beganAt;
  // One write after the other: a later one must not be undone by an earlier one that took longer.
  let renewing: Promise<unknown> = Promise.resolve();
  const renewNow = () => {
    const work = async () => {
      const now = clock.now();
      await database.inTransaction(async (tx) => {
        if (!(await stillHoldsLease(tx, state))) throw new LeaseLost();
        await writeSyncState(tx, { ...state, until: now + LEASE_SECONDS });
      });
      renewedAt = now;
    };
    const done = renewing.then(work);
    renewing = done.catch(() => undefined);
    return done;
  };
  // When this fails, the next call of `renewLease` fails too, which ends the sync.
  const timer = setInterval(() => void renewNow().catch(() => undefined), RENEW_MS);
  timer.unref();
  return {
    renewLease: async () => {
      if (clock.now() - renewedAt >= RENEW_SECONDS) await renewNow();
    },
    stopRenewing: async () => {
      clearInterval(timer);
      await renewing;
    },
  };
}

const lockSyncState = async (tx: Tx): Promise<SyncState> =>
  parseSyncState(await lockFact(tx, SYNC_FACT, JSON.stringify(INITIAL_STATE)));

/** Whether this process still has the lease. It is locked: nobody takes it before the transaction ends. */
export const stillHoldsLease = async (tx: Tx, { holder }: SyncState): Promise<boolean> =>
  (await lockSyncState(tx)).holder === holder;

export const lastSync = async (db: Db) => parseSyncState(await readFact(db, SYNC_FACT));

/** The EMR for a process beside the service, such as a command; null when the clinic never had one. */
export const emrBesideService = async (db: Db): Promise<Emr | null> =>
  (await readFact(db, SYNC_FACT)) === null ? null : emrOfService;

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
  const fact = await readFact(db, SYNC_FACT);
  if (fact === null) return null;
  const { answeredAt, overlapped, lacking } = parseSyncState(fact);
  return { answeredAt, overlapped: overlapped.length, lacking: lacking.length };
}

export const isSilent = ({ failures }: SyncState) => failures >= FAILURES_BEFORE_OFFLINE;

/** How often all processes together ask the EMR: what staff do reaches the patient within a minute. */
const SYNC_SECONDS = 20;
/** How often it is asked again while it counts as offline: patients book once it answers. */
const OFFLINE_SECONDS = 3;

/** After a cancellation the next sync is due as soon as no request of a patient can be at work on it. */
export const isDue = (last: SyncState, now: EpochSeconds) =>
  isSilent(last) && last.failedAs === 'silent'
    ? now - last.until >= OFFLINE_SECONDS
    : now - last.beganAt >= (last.cancelled.length > 0 ? TIMEOUT_SECONDS : SYNC_SECONDS);
