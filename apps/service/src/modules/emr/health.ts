import type { EpochSeconds } from '@clinic/domain';

import type { Db } from '../../database/db.ts';
import { lockFact, readFact, readFacts, writeFact } from '../../database/installation.store.ts';
import type { Platform } from '../../platform.ts';
import type { EmrKey, KeyStanding } from '../records/emr.ts';
import { SYNC_FACT, isSilent, parseSyncState } from './sync/sync-state.ts';

/** How the EMR last took a key. */
export interface KeptKey extends KeyStanding {
  readonly state: 'taken' | 'refused';
  /** Since when it is in this state. */
  readonly since: EpochSeconds;
}

interface KeptKeys {
  readonly triedAt: EpochSeconds;
  readonly keys: readonly KeptKey[];
}

const FACT = 'emr-keys';
const NEVER: KeptKeys = { triedAt: 0, keys: [] };
const KEYS: readonly EmrKey[] = ['login', 'token'];
/** How often all processes together try each key, unless something else has shown that it is taken. */
const EVERY_SECONDS = 120;
/** When no process has asked the EMR for this long, nobody knows whether it answers. */
const NOBODY_ASKS_SECONDS = 600;

const keysOf = (fact: string | null): KeptKeys =>
  fact === null ? NEVER : (JSON.parse(fact) as KeptKeys);

type WatchPorts = Pick<Platform, 'database' | 'emr' | 'log' | 'realtime'>;

/**
 * Takes up, in every process, what the clinic has connected the EMR with since, and has one process try its
 * keys. What the sync was just answered shows that the login is taken.
 */
export async function watchKeys(
  { database, emr, log, realtime }: WatchPorts,
  now: EpochSeconds,
): Promise<void> {
  if (emr === null) return;
  const isNew = await emr.takeUp();
  const isDue = ({ triedAt }: KeptKeys) => isNew || now - triedAt >= EVERY_SECONDS;
  if (!isDue(keysOf(await readFact(database.db, FACT)))) return;
  const before = await database.inTransaction(async (tx) => {
    const kept = keysOf(await lockFact(tx, FACT, JSON.stringify(NEVER)));
    if (!isDue(kept)) return null;
    await writeFact(tx, FACT, JSON.stringify({ ...kept, triedAt: now } satisfies KeptKeys));
    return kept;
  });
  if (before === null) return;
  const { answeredAt } = parseSyncState(await readFact(database.db, SYNC_FACT));
  const isLoginTaken = !isNew && answeredAt !== null && now - answeredAt < EVERY_SECONDS;
  const asked = KEYS.filter((key) => !(isLoginTaken && key === 'login'));
  const found = await emr.tryKeys(asked, EVERY_SECONDS);
  const keys = KEYS.flatMap((key): KeptKey[] => {
    const kept = before.keys.find((each) => each.key === key);
    const { state, ...details } =
      found.find((each) => each.key === key) ?? taken(key, isLoginTaken);
    // Silence says nothing of the key.
    if (state === 'silent') return kept === undefined ? [] : [kept];
    return [{ ...details, state, since: kept?.state === state ? kept.since : now }];
  });
  await database.inTransaction((tx) =>
    writeFact(tx, FACT, JSON.stringify({ triedAt: now, keys } satisfies KeptKeys)),
  );
  const changed = keys.filter(({ key, state }) => {
    const kept = before.keys.find((each) => each.key === key);
    return (kept?.state ?? 'taken') !== state;
  });
  for (const { key, state } of changed)
    log.event(state === 'refused' ? `emr-${key}-refused` : `emr.${key}-taken`);
  if (changed.length > 0) realtime.sayToDesk();
}

const taken = (key: EmrKey, isTaken: boolean): KeyStanding => ({
  key,
  state: isTaken ? 'taken' : 'silent',
  why: null,
  endsAt: null,
  livesSeconds: null,
});

/** How the EMR stands to us. Everybody who says or decides anything by it takes it from here. */
export interface EmrHealth {
  /** 'refused': it answers, and does not let us do what we have to. */
  readonly kind: 'answers' | 'silent' | 'refused';
  /** Whether what we show follows the EMR. */
  readonly isFollowed: boolean;
  readonly isBookingPaused: boolean;
  /** The keys that it refuses; none where it takes them and refuses the questions. */
  readonly refused: readonly KeptKey[];
  /** What is known of each. */
  readonly keys: readonly KeptKey[];
  /** The keys that end soon. */
  readonly ending: readonly { readonly key: EmrKey; readonly endsAt: EpochSeconds }[];
  /** Since when it does not answer, or refuses. */
  readonly since: EpochSeconds;
  /** The time as of which what we show matches the EMR. */
  readonly asOf: EpochSeconds;
}

/**
 * It counts as offline after two syncs in a row without an answer, and as online after the next answer. A
 * refused key pauses booking: a chart, or a booking that staff were before, could not be dealt with.
 */
export async function emrHealth(db: Db, now: EpochSeconds): Promise<EmrHealth> {
  const [syncFact = null, keysFact = null] = await readFacts(db, [SYNC_FACT, FACT]);
  const sync = parseSyncState(syncFact);
  const { failedAs, silentSince, answeredAt, until } = sync;
  const { triedAt, keys } = keysOf(keysFact);
  const isFollowed = !isSilent(sync) || now - until > NOBODY_ASKS_SECONDS;
  const refused =
    now - triedAt > NOBODY_ASKS_SECONDS ? [] : keys.filter(({ state }) => state === 'refused');
  const doesRefuse = refused.length > 0 || (!isFollowed && failedAs === 'refused');
  const kind = doesRefuse ? 'refused' : isFollowed ? 'answers' : 'silent';
  const since = isFollowed ? Math.min(now, ...refused.map((each) => each.since)) : silentSince;
  return {
    kind,
    isFollowed,
    isBookingPaused: !isFollowed || refused.some(doesPause),
    refused,
    keys,
    ending: keys.flatMap(({ key, state, endsAt, livesSeconds }) =>
      state === 'taken' && endsAt !== null && endsAt - now <= toldAhead(livesSeconds)
        ? [{ key, endsAt }]
        : [],
    ),
    since,
    asOf: answeredAt ?? since,
  };
}

const DAY_SECONDS = 86_400;
const TOLD_AHEAD_SECONDS = 14 * DAY_SECONDS;

/** Two weeks; of a key that lives for less than twice that, a sixth of its life. */
const toldAhead = (livesSeconds: number | null) =>
  livesSeconds === null || livesSeconds >= 2 * TOLD_AHEAD_SECONDS
    ? TOLD_AHEAD_SECONDS
    : livesSeconds / 6;

/** A token that ends every hour is nothing that booking may wait for: it goes by the login. */
const doesPause = ({ key, livesSeconds }: KeptKey) =>
  key === 'login' || livesSeconds === null || livesSeconds > DAY_SECONDS;
