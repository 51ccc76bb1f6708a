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
import {
  type BookingPorts,
  daysBefore,
  forgetBusySpans,
  ownInEmr,
  takeFreedSteps,
} from '../../appointments/index.ts';
import { appointmentNamedBy, placeInEmr } from '../entry.ts';
import { forgetStaleGone, goneAppointments, providersOfOurs } from './gone.store.ts';
import type { DaysToRead } from './compare.ts';
import { noteNew, noteOverlaps } from './overlaps.ts';
import { answered, outsideNow, readScheduleAgain, readTemplates } from './schedule-changes.ts';
import { lookUpMissed, syncDays } from './sync-days.ts';
import {
  type KeptTurn,
  type Turn,
  TurnLost,
  isDue,
  isSilent,
  keepTurn,
  lastTurn,
  stillHeld,
  takeTurn,
  writeTurn,
} from './sync-turn.ts';

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
  const last = await lastTurn(ports.database.db);
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
  isTime: (last: Turn) => boolean = () => true,
): Promise<void> {
  const { emr, database, ids } = ports;
  if (emr === null) return;
  const turn = await takeTurn(database, ids.uuid(), now, isTime);
  if (turn === null) return;
  const { keep, stop } = keepTurn(ports, turn);
  let done: Omit<Turn, 'until' | 'overlapped' | 'untold'> = turn;
  try {
    done = { ...turn, ...(await sync(ports, emr, { last: turn, keep }, now)) };
  } catch (error) {
    // What we do not send to spare the EMR is no silence of its: it answered the first question.
    if (error instanceof EmrBusy) done = { ...turn, failures: 0, silentSince: 0 };
    else if (isOfEmr(error)) done = unanswered(turn, error, now);
    if (!(error instanceof EmrOffline || error instanceof TurnLost)) throw error;
  } finally {
    await stop();
    await database.inTransaction(async (tx) => {
      if (!(await stillHeld(tx, turn))) return;
      await takeFreedSteps(tx, now);
      const overlapped = await noteOverlaps(ports, tx, turn, now);
      await noteNew(ports, tx, turn, done, now);
      await writeTurn(tx, { ...done, overlapped, untold: [], until: now });
    });
  }
}

/** After one more sync that the EMR did not answer. */
const unanswered = (turn: Turn, error: unknown, now: EpochSeconds): Turn => ({
  ...turn,
  failures: turn.failures + 1,
  failedAs: error instanceof EmrRefused ? 'refused' : 'silent',
  silentSince: turn.failures === 0 ? now : turn.silentSince,
});

async function sync(
  ports: SyncPorts,
  emr: Emr,
  { last: turn, keep }: { readonly last: Turn } & Pick<KeptTurn, 'keep'>,
  now: EpochSeconds,
) {
  const { database } = ports;
  const today = toClinic(now).date;
  const window = { from: today, to: addDays(today, DAYS_AHEAD) };
  // After a silence what changed comes first, and all else with the next sync: a patient may wait to book.
  const isBack = isSilent(turn) && turn.wholeAt > 0;
  const isWhole = !isBack && now - turn.wholeAt >= WHOLE_SECONDS;
  // Asked before the days are read: what changes while they are read is then named by the next answer.
  const { cursor, ...changes } = await answered(emr.changedSince(turn.cursor));
  const isFar = isWhole && now - turn.farAt >= FAR_SECONDS;
  const near = { from: today, to: addDays(today, DAYS_NEAR) };
  const templates = isBack ? null : (turn.templates ?? (isFar ? window : isWhole ? near : null));
  const read =
    templates && (await readTemplates(ports, emr, { dates: templates, keep, isWhole }, now));
  const again = isBack ? [] : await readScheduleAgain(ports, emr, { last: turn, keep }, now);
  const outside = await outsideNow(ports, turn, [...(read?.changed ?? []), ...again], now);
  if (isWhole) {
    await database.inTransaction(async (tx) => {
      await forgetBusySpans(tx, addDays(today, -DAYS_KEPT));
      await forgetStaleGone(tx, now);
    });
  }
  const changed = [
    ...changes.days,
    ...turn.reread,
    ...((await daysBefore(database.db, changes.entries)) as ProviderDay[]),
    ...(await daysOfOurs(database.db, changes.keys, window)),
  ].filter(({ date }) => date >= addDays(today, -DAYS_KEPT) && date <= window.to);
  const apart = byDate(changed);
  const isMuch = apart.flatMap(({ providers }) => providers).length > MOST_DAYS_APART;
  const over = apart.filter(({ dates }) => dates.from < today);
  const isNear = isWhole || isMuch || now - turn.nearAt >= NEAR_SECONDS;
  const toRead: readonly DaysToRead[] =
    isWhole || isMuch
      ? [...inSpans(window), ...over]
      : isNear
        ? await withNear(database.db, apart, { from: today, to: addDays(today, DAYS_NEAR_READ) })
        : apart;
  const noted = {
    reread: [],
    cancelled: new Set<string>(),
    // When the whole window is read, these are found anew.
    lacking: new Set(isWhole ? [] : turn.lacking),
    kept: new Set(isWhole ? [] : turn.kept),
    unread: new Set(turn.unread),
  };
  const missed = await goneAppointments(database.db, now);
  const since = turn.answeredAt === null ? now : turn.since;
  const memory = { last: turn, since, missed, isWhole, now };
  const calls = callsOfTurn(turn, isWhole || isMuch, now);
  const reader = { ports, emr, memory, noted, keep, calls };
  await lookUpMissed(reader);
  for (const days of toRead) await syncDays(reader, days);
  return {
    cursor,
    reread: noted.reread,
    cancelled: [...noted.cancelled],
    lacking: [...noted.lacking],
    kept: [...noted.kept],
    unread: [...noted.unread].filter((day) => (day.split(' ')[1] ?? '') >= today).sort(),
    outside,
    templates: isBack ? turn.templates : (read?.left ?? null),
    farAt: isFar && turn.templates === null ? now : turn.farAt,
    wholeAt: isWhole ? now : turn.wholeAt,
    nearAt: isNear ? now : turn.nearAt,
    answeredAt: now,
    since,
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
async function daysOfOurs(
  db: Db,
  keys: readonly string[],
  dates: DateSpan,
): Promise<readonly ProviderDay[]> {
  const ids = keys.flatMap((key) => appointmentNamedBy(key) ?? []);
  const ours = ids.length === 0 ? [] : await ownInEmr(db, ids, dates, []);
  return ours.filter(isBooked).map(placeInEmr);
}

const CALLS_A_SECOND = 2;
const [SHORTEST_TURN, LONGEST_TURN] = [10, 20];

/**
 * How many calls a turn may make to look up what is not on its day: the next turn has the rest. The whole
 * window leaves few.
 */
const callsOfTurn = ({ answeredAt }: Turn, isMuch: boolean, now: EpochSeconds): number => {
  const seconds = isMuch ? SHORTEST_TURN : now - (answeredAt ?? 0);
  return CALLS_A_SECOND * Math.min(LONGEST_TURN, Math.max(SHORTEST_TURN, seconds));
};

/** The days of each date, with the providers whose day it is: the EMR is asked for each provider. */
const byDate = (days: readonly ProviderDay[]) =>
  [...Map.groupBy(days, ({ date }) => date)].map(([date, each]) => ({
    dates: { from: date, to: date },
    providers: [...new Set(each.map(({ providerId }) => providerId))],
  }));

/** The days near with our appointments, with one question for each provider, and those that are apart. */
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
