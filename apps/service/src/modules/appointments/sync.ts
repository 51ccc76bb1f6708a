import { addDays, standsBooked, toClinic } from '@clinic/domain';
import type { DateSpan, EpochSeconds } from '@clinic/domain';

import type { Db } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import {
  type Emr,
  type EmrEntry,
  EmrOffline,
  type ProviderDay,
  type ProviderId,
  inTime,
  isOfEmr,
} from '../records/emr.ts';
import { keepEmrSchedule, knownProviders } from '../records/index.ts';
import {
  type BusySpan,
  daysBefore,
  forgetBusySpans,
  keepBusySpans,
  takeFreedSteps,
} from './busy.store.ts';
import { PATIENCE_SECONDS, alone, enqueueCancelInEmr, within } from './emr.ts';
import {
  type StaffChange,
  appointmentNamedBy,
  differenceOf,
  emrKey,
  placeInEmr,
  spanOf,
} from './emr-entry.ts';
import { noteOnce, noteOverlaps, tellProviders } from './overlaps.ts';
import type { BookingPorts } from './reserve.ts';
import { followStaff } from './staff-changes.ts';
import { type ComparedWithEmr, type OwnInEmr, ownInEmr } from './staff-changes.store.ts';
import {
  type KeptTurn,
  type Turn,
  TurnLost,
  keepTurn,
  lastTurn,
  stillHeld,
  takeTurn,
  writeTurn,
} from './sync-turn.ts';

export type SyncPorts = BookingPorts & Pick<Platform, 'log' | 'realtime' | 'clock'>;

/** How often all processes together ask the EMR: what staff do reaches the patient within a minute. */
const SYNC_SECONDS = 20;
/** How often the whole window is read: changes do not name everything, such as rows that were deleted. */
const WHOLE_SECONDS = 1_800;
/** Templates change seldom: those of the next days are read with the whole window, the others this often. */
const FAR_SECONDS = 43_200;
const DAYS_NEAR = 3;
const DAYS_AHEAD = 91;
const DAYS_AT_ONCE = 28;
/** Staff may note days later who came, so days that are over are read this long. */
const DAYS_KEPT = 7;
/** When more days than this have changed, the whole window is read: that costs no more, and always ends. */
const MOST_DAYS_APART = 60;

/** After a cancellation the next sync is due as soon as no request of a patient can be at work on it. */
const isDue = ({ beganAt, cancelled }: Turn, now: EpochSeconds) =>
  now - beganAt >= (cancelled.length > 0 ? PATIENCE_SECONDS : SYNC_SECONDS);

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
  const { keep, letGo } = keepTurn(ports, turn);
  let done: Omit<Turn, 'until' | 'overlapped' | 'untold'> = turn;
  const untold = new Set(turn.untold);
  try {
    done = { ...turn, ...(await sync(ports, emr, { last: turn, keep }, now)) };
    await tellProviders(ports, emr, { keep, untold }, now);
  } catch (error) {
    if (isOfEmr(error)) done = missed(turn, now);
    if (!(error instanceof EmrOffline || error instanceof TurnLost)) throw error;
  } finally {
    await letGo();
    const found = await database.inTransaction(async (tx) => {
      if (!(await stillHeld(tx, turn))) return [];
      await takeFreedSteps(tx, now);
      const overlaps = await noteOverlaps(ports, tx, turn, now);
      await noteOnce(ports, tx, 'lacking', { before: turn.lacking, now: done.lacking }, now);
      await noteOnce(ports, tx, 'kept', { before: turn.kept, now: done.kept }, now);
      const names = { overlapped: overlaps.all, untold: [...untold, ...overlaps.found] };
      await writeTurn(tx, { ...done, ...names, until: now });
      return overlaps.found;
    });
    for (const _ of found) ports.log.event('emr-overlap');
  }
}

/** After one more sync that the EMR did not answer. */
const missed = (turn: Turn, now: EpochSeconds): Turn => ({
  ...turn,
  failures: turn.failures + 1,
  silentSince: turn.failures === 0 ? now : turn.silentSince,
});

interface UnderWay {
  readonly last: Turn;
  readonly keep: KeptTurn['keep'];
}

async function sync(ports: SyncPorts, emr: Emr, { last: turn, keep }: UnderWay, now: EpochSeconds) {
  const { database } = ports;
  const today = toClinic(now).date;
  const window = { from: today, to: addDays(today, DAYS_AHEAD) };
  const isWhole = now - turn.wholeAt >= WHOLE_SECONDS;
  // Asked before the days are read: what changes while they are read is then named by the next answer.
  const { cursor, ...changes } = await answered(emr.changedSince(turn.cursor));
  const isFar = isWhole && now - turn.farAt >= FAR_SECONDS;
  const near = { from: today, to: addDays(today, DAYS_NEAR) };
  const templates = turn.templates ?? (isFar ? window : isWhole ? near : null);
  const left = templates && (await syncTemplates(ports, emr, { dates: templates, keep }, now));
  if (isWhole) {
    await database.inTransaction((tx) => forgetBusySpans(tx, addDays(today, -DAYS_KEPT)));
  }
  const changed = [
    ...changes.days,
    ...turn.reread,
    ...(await daysBefore(database.db, changes.entries)),
    ...(await daysOfOurs(database.db, changes.keys, window)),
  ].filter(({ date }) => date >= addDays(today, -DAYS_KEPT) && date <= window.to);
  const apart = partsOfDays(changed);
  const isMuch = apart.flatMap(({ providers }) => providers).length > MOST_DAYS_APART;
  const over = apart.filter(({ dates }) => dates.from < today);
  const parts: readonly Part[] = isWhole || isMuch ? [...partsOf(window), ...over] : apart;
  const noted = {
    reread: [] as ProviderDay[],
    cancelled: new Set<string>(),
    // When the whole window is read, these are found anew.
    lacking: new Set(isWhole ? [] : turn.lacking),
    kept: new Set(isWhole ? [] : turn.kept),
  };
  for (const part of parts) await syncDays(ports, emr, { ...part, last: turn, noted, keep }, now);
  return {
    cursor,
    reread: noted.reread,
    cancelled: [...noted.cancelled],
    lacking: [...noted.lacking],
    kept: [...noted.kept],
    templates: left,
    farAt: isFar && turn.templates === null ? now : turn.farAt,
    wholeAt: isWhole ? now : turn.wholeAt,
    answeredAt: now,
    failures: 0,
    silentSince: 0,
  };
}

/** Reads the templates of as many of these dates as the EMR gives at once; returns those that are left. */
async function syncTemplates(
  { database }: SyncPorts,
  emr: Emr,
  { dates: { from, to }, keep }: { readonly dates: DateSpan; readonly keep: KeptTurn['keep'] },
  now: EpochSeconds,
): Promise<DateSpan | null> {
  const providers = await answered(emr.providers());
  await keep();
  const slotCodes = await answered(emr.slotCodes());
  await keep();
  const said = await answered(emr.dayTemplates({ from, to }));
  const { days, through } = said ?? { days: null, through: to };
  await keepEmrSchedule(database, { providers, slotCodes, days }, { from, to: through }, now);
  return through < to ? { from: addDays(through, 1), to } : null;
}

/** An EMR that does not answer in time is offline. */
const answered = <Answer>(asked: Promise<Answer>): Promise<Answer> =>
  inTime(asked, () => new EmrOffline('The EMR is silent'));

/** Days that are read from the EMR with one question. */
interface Part {
  readonly dates: DateSpan;
  /** Null for all of them. */
  readonly providers: readonly ProviderId[] | null;
}

function partsOf({ from, to }: DateSpan): Part[] {
  const parts: Part[] = [];
  for (let first = from; first <= to; first = addDays(first, DAYS_AT_ONCE)) {
    const last = addDays(first, DAYS_AT_ONCE - 1);
    parts.push({ dates: { from: first, to: last < to ? last : to }, providers: null });
  }
  return parts;
}

/** The days on which appointments with these keys stand here: staff may have moved them elsewhere. */
async function daysOfOurs(
  db: Db,
  keys: readonly string[],
  dates: DateSpan,
): Promise<readonly ProviderDay[]> {
  const ids = keys.flatMap((key) => appointmentNamedBy(key) ?? []);
  const ours = ids.length === 0 ? [] : await ownInEmr(db, ids, dates, []);
  return ours.filter(standsBooked).map(placeInEmr);
}

/** One part for each date, with the providers whose day it is: the EMR is asked for each provider. */
const partsOfDays = (days: readonly ProviderDay[]) =>
  [...Map.groupBy(days, ({ date }) => date)].map(([date, each]) => ({
    dates: { from: date, to: date },
    providers: [...new Set(each.map(({ providerId }) => providerId))],
  }));

interface Reading extends UnderWay, Part {
  /** What the next turn has to know. */
  readonly noted: {
    readonly reread: ProviderDay[];
    readonly cancelled: Set<string>;
    readonly lacking: Set<string>;
    readonly kept: Set<string>;
  };
}

async function syncDays(
  ports: SyncPorts,
  emr: Emr,
  { dates, providers, last, noted, keep }: Reading,
  now: EpochSeconds,
): Promise<void> {
  const { database, ids } = ports;
  await keep();
  const read = await answered(emr.entries(dates, providers ?? undefined));
  const entries = read.map((entry) => ({
    entry,
    appointmentId: entry.key === null ? null : appointmentNamedBy(entry.key),
  }));
  const named = entries.flatMap(({ appointmentId }) => appointmentId ?? []);
  // Our own appointments are read after the entries. What we book stands in the EMR first, and only
  // this sync follows moves there: an appointment of ours that stands elsewhere was moved by staff.
  const ours = await ownInEmr(database.db, named, dates, providers);
  const own = new Map(ours.map((each) => [each.id, each]));
  const readAgain = ({ providerId, date }: ProviderDay) =>
    void noted.reread.push({ providerId, date });
  /** Does it; when the answer is unclear the day is read again in the next turn, and the others go on. */
  const unlessUnclear = async (day: ProviderDay, work: () => Promise<void>) => {
    await keep();
    if (!(await alone(ports, work))) readAgain(day);
  };
  // A copy that staff made of an appointment of ours carries our key too, so the EMR is asked which of
  // the two stands under the key. And what has just ended here may have ended there since it was read.
  const [moved, copies] = [new Set<EmrEntry>(), new Set<EmrEntry>()];
  const [left, gone] = [new Set<EmrEntry>(), new Set<EmrEntry>()];
  for (const { entry, appointmentId } of entries) {
    const appointment = own.get(appointmentId ?? '');
    const isMoved = appointment && changeIn(appointment, entry)?.kind === 'moved';
    if (!appointment || (!isMoved && !(hasEnded(appointment) && entry.state === 'booked')))
      continue;
    const look = async () => {
      const stands = await within(appointment.id, emr.findByKey(emrKey(appointment.id)));
      const isThere = stands !== null && stands !== 'cancelled';
      if (isMoved) (isThere && stands.id !== entry.id ? copies : moved).add(entry);
      else (isThere ? left : gone).add(entry);
    };
    if (isMoved) await unlessUnclear(entry, look);
    // While that is unclear for one that ended, its time counts as taken, and what the trail names
    // stays named; the whole window asks again.
    else if (!(await alone(ports, look)) && last.kept.includes(appointment.id))
      noted.kept.add(appointment.id);
  }
  // An appointment that ended here, or whose patient did not come, takes its time as long as it stands
  // in the EMR, which would book nothing over it.
  const others = entries.filter(({ entry, appointmentId }) => {
    const appointment = own.get(appointmentId ?? '');
    if (!appointment || copies.has(entry)) return true;
    if (hasEnded(appointment)) return !gone.has(entry);
    return changeIn(appointment, entry)?.kind === 'noShow';
  });
  const spans = Map.groupBy(
    others.flatMap(({ entry }) => busySpanOf(entry)),
    ({ providerId }) => providerId,
  );
  const whose = providers ?? (await knownProviders(database.db));
  for (const providerId of new Set([...whose, ...spans.keys()])) {
    const wanted = spans.get(providerId) ?? [];
    await database.inTransaction((tx) =>
      keepBusySpans(tx, { ...dates, providerId }, wanted, () => ids.uuid()),
    );
  }
  for (const { entry, appointmentId } of entries) {
    const appointment = own.get(appointmentId ?? '');
    if (!appointment) continue;
    if (appointment.state === 'held') readAgain(entry);
    if (left.has(entry)) await keepOrCancel(ports, appointment, noted.kept, now);
    const change = changeIn(appointment, entry);
    if (change === null || (change.kind === 'moved' && !moved.has(entry))) continue;
    await unlessUnclear(entry, () => follow(ports, appointment, change, now));
  }
  const found = new Set(named);
  // An appointment that is missing on its day in the EMR is cancelled only when the EMR says so.
  for (const appointment of own.values()) {
    if (found.has(appointment.id) || appointment.start <= now) continue;
    const { key, ...place } = placeInEmr(appointment);
    // Nobody has been told yet that it is booked: the next turn looks at it again.
    if (appointment.state === 'held') {
      readAgain(place);
      continue;
    }
    await unlessUnclear(place, async () => {
      const known = await within(appointment.id, emr.findByKey(key));
      if (known === null) noted.lacking.add(appointment.id);
      // Staff copied it and then cancelled the first: the copy's day had been read before.
      const copied = known === null || known === 'cancelled' ? null : changeIn(appointment, known);
      if (copied !== null) return follow(ports, appointment, copied, now);
      if (known !== 'cancelled') return;
      // When its patient cancels, the EMR has that a moment before we do: two turns must have seen it.
      if (last.cancelled.includes(appointment.id))
        return follow(ports, appointment, { kind: 'cancelled' }, now);
      noted.cancelled.add(appointment.id);
      readAgain(place);
    });
  }
}

/** Follows it in our tables, and tells the patient's open page. */
async function follow(ports: SyncPorts, own: OwnInEmr, change: StaffChange, now: EpochSeconds) {
  const isFollowed = await followStaff(ports, own, change, now);
  if (isFollowed && own.patientId !== null) ports.realtime.sayTo(own.patientId, 'appointments');
}

/** What staff did to an appointment that stands here; null for nothing. */
const changeIn = (own: OwnInEmr, entry: EmrEntry): StaffChange | null =>
  standsBooked(own) ? differenceOf(own, entry) : null;

const hasEnded = (own: OwnInEmr) => own.state !== 'held' && !standsBooked(own);

/**
 * For an appointment that ended here and stands in the EMR. If nobody was ever told that it is booked,
 * the EMR wrote it too late, and it is cancelled there. Any other was put back or copied by staff: it
 * stays theirs, and the clinic hears of it.
 */
async function keepOrCancel(
  ports: SyncPorts,
  { id, state, start, isLeaving }: ComparedWithEmr,
  kept: Set<string>,
  now: EpochSeconds,
): Promise<void> {
  if (isLeaving) return;
  if (state !== 'released') {
    if (start > now) kept.add(id);
    return;
  }
  await ports.database.inTransaction((tx) => enqueueCancelInEmr(ports, tx, id, now));
}

/** Rounded outwards to our five-minute steps: a step that is partly taken is taken. */
function busySpanOf(entry: EmrEntry): BusySpan[] {
  const { providerId, start, end } = spanOf(entry);
  if (end <= start) return [];
  const onGrid = { start: start - (start % 300), end: end + ((300 - (end % 300)) % 300) };
  return [{ sourceId: entry.id, providerId, clinicDate: entry.date, ...onGrid }];
}
