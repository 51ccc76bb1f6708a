import { addDays, isBooked, toClinic } from '@clinic/domain';
import type { DateSpan, EpochSeconds } from '@clinic/domain';

import type { Db } from '../../../database/db.ts';
import type { Platform } from '../../../platform.ts';
import {
  type Emr,
  EmrBusy,
  EmrOffline,
  EmrRefused,
  type ProviderDay,
  type ProviderId,
  isOfEmr,
} from '../../records/emr.ts';
import { timeoutAsOffline } from '../../records/index.ts';
import {
  type BookingPorts,
  daysOfEntries,
  deleteBusySpans,
  ownInEmr,
  assignFreedTimeSteps,
} from '../../appointments/index.ts';
import { appointmentIdOf, placeInEmr } from '../entry.ts';
import { deleteStaleMissing, missingAppointments, providersOfOurs } from './missing.store.ts';
import type { DaysToRead } from './compare.ts';
import { noteNew, noteOverlaps } from './overlaps.ts';
import { outsideNow, readScheduleAgain, readTemplates } from './schedule-changes.ts';
import { lookUpMissing, syncDays } from './sync-days.ts';
import {
  type Lease,
  type SyncState,
  LeaseLost,
  isDue,
  isSilent,
  holdLease,
  lastSync,
  namedDay,
  stillHoldsLease,
  acquireLease,
  writeSyncState,
} from './sync-state.ts';

export type SyncPorts = BookingPorts & Pick<Platform, 'log' | 'clock' | 'realtime'>;

/** How often the whole window is read: changes do not name everything, such as rows that were deleted. */
const WHOLE_SECONDS = 1_800;
/** Days with our appointments are read this often: the EMR reports no row that staff deleted. */
const NEAR_SECONDS = 60;
const DAYS_NEAR_READ = 7;
/** Templates change seldom: those of the next days are read with the whole window, the others this often. */
const FAR_SECONDS = 43_200;
const DAYS_NEAR = 3;
const DAYS_AHEAD = 91;
const DAYS_AT_ONCE = 28;
/** Staff may note days later who came, so days that are over are read this long. */
const DAYS_KEPT = 7;
/** When more days than this have changed, the whole window is read: that costs no more, and always ends. */
const MOST_DAYS_APART = 60;

/** Syncs when it is due. Every process asks; the first one does it. */
export async function syncWhenDue(ports: SyncPorts, now: EpochSeconds): Promise<void> {
  const last = await lastSync(ports.database.db);
  if (last.until <= now && isDue(last, now))
    await syncFromEmr(ports, now, (each) => isDue(each, now));
}

/**
 * Brings our tables up to what the EMR has: who works when, which time is taken there, and what staff
 * did to our appointments. One process at a time. While the EMR does not answer, nothing changes.
 */
export async function syncFromEmr(
  ports: SyncPorts,
  now: EpochSeconds,
  isTime: (last: SyncState) => boolean = () => true,
): Promise<void> {
  const { emr, database, ids } = ports;
  if (emr === null) return;
  const state = await acquireLease(database, ids.uuid(), now, isTime);
  if (state === null) return;
  const { renewLease, stopRenewing } = holdLease(ports, state);
  let done: Omit<SyncState, 'until' | 'overlapped' | 'untold'> = state;
  try {
    done = { ...state, ...(await sync(ports, emr, { state, renewLease }, now)) };
  } catch (error) {
    // We stopped sending to spare the EMR, which answered the first call: it is not offline.
    if (error instanceof EmrBusy) done = { ...state, failures: 0, silentSince: 0 };
    else if (isOfEmr(error)) done = unanswered(state, error, now);
    if (!(error instanceof EmrOffline || error instanceof LeaseLost)) throw error;
  } finally {
    await stopRenewing();
    await database.inTransaction(async (tx) => {
      if (!(await stillHoldsLease(tx, state))) return;
      await assignFreedTimeSteps(tx, now);
      const overlapped = await noteOverlaps(ports, tx, state, now);
      await noteNew(ports, tx, state, done, now);
      await writeSyncState(tx, { ...done, overlapped, untold: [], until: now });
    });
  }
}

/** After one more sync that the EMR did not answer. */
const unanswered = (state: SyncState, error: unknown, now: EpochSeconds): SyncState => ({
  ...state,
  failures: state.failures + 1,
  failedAs: error instanceof EmrRefused ? 'refused' : 'silent',
  silentSince: state.failures === 0 ? now : state.silentSince,
});

async function sync(
  ports: SyncPorts,
  emr: Emr,
  { state, renewLease }: { readonly state: SyncState } & Pick<Lease, 'renewLease'>,
  now: EpochSeconds,
) {
  const { database } = ports;
  const today = toClinic(now).date;
  const window = { from: today, to: addDays(today, DAYS_AHEAD) };
  // After a silence what changed comes first, and all else with the next sync: a patient may wait to book.
  const isBack = isSilent(state) && state.wholeAt > 0;
  const isFullSync = !isBack && now - state.wholeAt >= WHOLE_SECONDS;
  // Asked before the days are read: what changes while they are read is then named by the next answer.
  const { cursor, ...changes } = await timeoutAsOffline(emr.changedSince(state.cursor));
  const isFar = isFullSync && now - state.farAt >= FAR_SECONDS;
  const near = { from: today, to: addDays(today, DAYS_NEAR) };
  const templates = isBack
    ? null
    : (state.templates ?? (isFar ? window : isFullSync ? near : null));
  const read =
    templates &&
    (await readTemplates(ports, emr, { dates: templates, renewLease, isFullSync }, now));
  const again = isBack ? [] : await readScheduleAgain(ports, emr, { last: state, renewLease }, now);
  const outside = await outsideNow(ports, state, [...(read?.changed ?? []), ...again], now);
  if (isFullSync) {
    await database.inTransaction(async (tx) => {
      await deleteBusySpans(tx, addDays(today, -DAYS_KEPT));
      await deleteStaleMissing(tx, now);
    });
  }
  const changed = [
    ...changes.days,
    ...state.reread,
    ...((await daysOfEntries(database.db, changes.entries)) as ProviderDay[]),
    ...(await daysOfOurs(database.db, changes.keys)),
  ].filter(({ date }) => date >= addDays(today, -DAYS_KEPT) && date <= window.to);
  const apart = byDate(changed);
  const isMuch = apart.flatMap(({ providers }) => providers).length > MOST_DAYS_APART;
  const over = apart.filter(({ dates }) => dates.from < today);
  const isNear = isFullSync || isMuch || now - state.nearAt >= NEAR_SECONDS;
  const toRead: readonly DaysToRead[] =
    isFullSync || isMuch
      ? [...inSpans(window), ...over]
      : isNear
        ? await withNear(database.db, apart, { from: today, to: addDays(today, DAYS_NEAR_READ) })
        : apart;
  const next = {
    reread: [],
    cancelled: new Set<string>(),
    // A sync of the whole window finds these anew.
    lacking: new Set(isFullSync ? [] : state.lacking),
    kept: new Set(isFullSync ? [] : state.kept),
    unread: new Set(state.unread),
  };
  const missing = await missingAppointments(database.db, now);
  const connectedAt = state.answeredAt === null ? now : state.since;
  const facts = { last: state, connectedAt, missing, isFullSync, now };
  const lookupCalls = lookupBudget(state, isFullSync || isMuch, now);
  const run = { ports, emr, facts, next, renewLease, lookupCalls };
  await lookUpMissing(run);
  for (const days of toRead) await syncDays(run, days);
  return {
    cursor,
    reread: next.reread,
    cancelled: [...next.cancelled],
    lacking: [...next.lacking],
    kept: [...next.kept],
    unread: [...next.unread].filter((day) => namedDay(day).date >= today).sort(),
    outside,
    templates: isBack ? state.templates : (read?.left ?? null),
    farAt: isFar && state.templates === null ? now : state.farAt,
    wholeAt: isFullSync ? now : state.wholeAt,
    nearAt: isNear ? now : state.nearAt,
    answeredAt: now,
    since: connectedAt,
    failures: 0,
    silentSince: 0,
  };
}

function inSpans({ from, to }: DateSpan): DaysToRead[] {
  const spans: DaysToRead[] = [];
  for (let first = from; first <= to; first = addDays(first, DAYS_AT_ONCE)) {
    const last = addDays(first, DAYS_AT_ONCE - 1);
    spans.push({ dates: { from: first, to: last < to ? last : to }, providers: null });
  }
  return spans;
}

/** The days on which appointments with these keys stand here: staff may have moved them elsewhere. */
async function daysOfOurs(db: Db, keys: readonly string[]): Promise<readonly ProviderDay[]> {
  const ids = keys.flatMap((key) => appointmentIdOf(key) ?? []);
  const ours = ids.length === 0 ? [] : await ownInEmr(db, ids, null);
  return ours.filter(isBooked).map(placeInEmr);
}

const CALLS_A_SECOND = 2;
const [FEWEST_SECONDS, MOST_SECONDS] = [10, 20];

/**
 * How many calls a sync may make to look up appointments without an entry on their day; the next sync has the
 * rest. Beside the whole window there is room for few.
 */
const lookupBudget = ({ answeredAt }: SyncState, isMuch: boolean, now: EpochSeconds): number => {
  const seconds = isMuch ? FEWEST_SECONDS : now - (answeredAt ?? 0);
  return CALLS_A_SECOND * Math.min(MOST_SECONDS, Math.max(FEWEST_SECONDS, seconds));
};

/** The days of each date, with the providers whose day it is: the EMR is asked for each provider. */
const byDate = (days: readonly ProviderDay[]) =>
  [...Map.groupBy(days, ({ date }) => date)].map(([date, each]) => ({
    dates: { from: date, to: date },
    providers: [...new Set(each.map(({ providerId }) => providerId))],
  }));

/** The days near with our appointments, with one call for each provider, and those that are apart. */
async function withNear(
  db: Db,
  apart: readonly DaysToRead[],
  near: DateSpan,
): Promise<DaysToRead[]> {
  const providers = (await providersOfOurs(db, near)) as ProviderId[];
  if (providers.length === 0) return [...apart];
  const isInSpan = ({ dates }: DaysToRead) => dates.from >= near.from && dates.to <= near.to;
  const others = apart
    .map((days) => ({
      ...days,
      providers: (days.providers ?? []).filter((id) => !isInSpan(days) || !providers.includes(id)),
    }))
    .filter((days) => days.providers.length > 0);
  return [{ dates: near, providers }, ...others];
}
