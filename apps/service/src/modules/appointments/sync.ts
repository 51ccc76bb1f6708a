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
import { PATIENCE_SECONDS, alone, cancelInEmr, within } from './emr.ts';
import {
  type StaffChange,
  appointmentNamedBy,
  differenceOf,
  emrKey,
  placeInEmr,
  spanOf,
} from './emr-entry.ts';
import { noteLacking, noteOverlaps, tellProviders } from './overlaps.ts';
import type { BookingPorts } from './reserve.ts';
import { followStaff } from './staff-changes.ts';
import { type OwnInEmr, ownInEmr } from './staff-changes.store.ts';
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

/** How often it is looked, by all processes together: what staff do reaches the patient within a minute. */
const SYNC_SECONDS = 20;
/** What the EMR does not tell of, such as rows that were deleted, is found this often. */
const WHOLE_SECONDS = 1_800;
/** Templates change seldom: those of the near days are read with the whole, the others so often. */
const FAR_SECONDS = 43_200;
const DAYS_NEAR = 3;
const DAYS_AHEAD = 91;
const DAYS_AT_ONCE = 28;
/** Staff note on a later day, too, who came. */
const DAYS_KEPT = 7;
/** Days of one provider; of more the window is read: that costs no more, and always comes to its end. */
const MOST_DAYS_APART = 60;

/** What was cancelled there is looked at again once no request is at it any more. */
const isDue = ({ beganAt, cancelled }: Turn, now: EpochSeconds) =>
  now - beganAt >= (cancelled.length > 0 ? PATIENCE_SECONDS : SYNC_SECONDS);

/** The same once its time has come, whichever process asks first. */
export async function syncWhenDue(ports: SyncPorts, now: EpochSeconds): Promise<void> {
  const last = await lastTurn(ports.database.db);
  if (last.until <= now && isDue(last, now))
    await syncFromEmr(ports, now, (each) => isDue(each, now));
}

/**
 * Brings our tables up to what the EMR has: who works when, what is taken there, and what staff did
 * to our appointments. One process at a time. While the EMR does not answer, all stays as it was.
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
      await noteLacking(ports, tx, { before: turn.lacking, now: done.lacking }, now);
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
  // Asked before the days are read: of what changes meanwhile it tells the next time.
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
    // What is entered there again is seen with the whole window.
    lacking: new Set(isWhole ? [] : turn.lacking),
  };
  for (const part of parts) await syncDays(ports, emr, { ...part, last: turn, noted, keep }, now);
  return {
    cursor,
    reread: noted.reread,
    cancelled: [...noted.cancelled],
    lacking: [...noted.lacking],
    templates: left,
    farAt: isFar && turn.templates === null ? now : turn.farAt,
    wholeAt: isWhole ? now : turn.wholeAt,
    answeredAt: now,
    failures: 0,
    silentSince: 0,
  };
}

/** Keeps as many of these dates as the EMR says at once; gives those that are left. */
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

/** A silent EMR is offline. */
const answered = <Answer>(asked: Promise<Answer>): Promise<Answer> =>
  inTime(asked, () => new EmrOffline('The EMR is silent'));

/** What is read of the EMR at once. */
interface Part {
  readonly dates: DateSpan;
  /** Whose days; null of everybody. */
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

/** Where those stand here that staff may have put where nothing is read. */
async function daysOfOurs(
  db: Db,
  keys: readonly string[],
  dates: DateSpan,
): Promise<readonly ProviderDay[]> {
  const ids = keys.flatMap((key) => appointmentNamedBy(key) ?? []);
  const ours = ids.length === 0 ? [] : await ownInEmr(db, ids, dates, []);
  return ours.filter(standsBooked).map(placeInEmr);
}

/** A part for each date, of those whose day it is: an EMR is asked for each of them. */
const partsOfDays = (days: readonly ProviderDay[]) =>
  [...Map.groupBy(days, ({ date }) => date)].map(([date, each]) => ({
    dates: { from: date, to: date },
    providers: [...new Set(each.map(({ providerId }) => providerId))],
  }));

interface Reading extends UnderWay, Part {
  /** For the next turn. */
  readonly noted: {
    readonly reread: ProviderDay[];
    readonly cancelled: Set<string>;
    readonly lacking: Set<string>;
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
  // Read after the entries: what we book is there before it is booked here, and only this follows
  // what moves there, so that an appointment of ours which stands elsewhere was moved by staff.
  const ours = await ownInEmr(database.db, named, dates, providers);
  const own = new Map(ours.map((each) => [each.id, each]));
  const readAgain = ({ providerId, date }: ProviderDay) =>
    void noted.reread.push({ providerId, date });
  /** One that nothing can be done with is read again, and keeps no other waiting. */
  const unlessUnclear = async (day: ProviderDay, work: () => Promise<void>) => {
    await keep();
    if (!(await alone(ports, work))) readAgain(day);
  };
  // A copy that staff made of ours has our key in it, too: under the key stands the other.
  const [moved, copies] = [new Set<EmrEntry>(), new Set<EmrEntry>()];
  for (const { entry, appointmentId } of entries) {
    const appointment = own.get(appointmentId ?? '');
    if (!appointment || changeIn(appointment, entry)?.kind !== 'moved') continue;
    await unlessUnclear(entry, async () => {
      const stands = await within(appointment.id, emr.findByKey(emrKey(appointment.id)));
      const isCopy = stands !== null && stands !== 'cancelled' && stands.id !== entry.id;
      (isCopy ? copies : moved).add(entry);
    });
  }
  // Of what was given up here the EMR keeps what staff have seen or noted as missed.
  const others = entries.filter(({ entry, appointmentId }) => {
    const appointment = own.get(appointmentId ?? '');
    if (!appointment || copies.has(entry)) return true;
    return isGivenUp(appointment) && entry.state !== 'booked';
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
    const givenUp = isGivenUp(appointment);
    const change = changeIn(appointment, entry);
    if (change?.kind === 'moved' ? !moved.has(entry) : !givenUp && change === null) continue;
    await unlessUnclear(entry, async () => {
      if (change === null) await within(appointment.id, cancelInEmr(emr, appointment.id));
      else await follow(ports, appointment, change, now);
    });
  }
  const found = new Set(named);
  // Of what stands here and not on its day there, only what the EMR calls cancelled is.
  for (const appointment of own.values()) {
    if (found.has(appointment.id) || appointment.start <= now) continue;
    const { key, ...place } = placeInEmr(appointment);
    // What staff do before it is called booked is followed afterwards.
    if (appointment.state === 'held') {
      readAgain(place);
      continue;
    }
    await unlessUnclear(place, async () => {
      const known = await within(appointment.id, emr.findByKey(key));
      if (known === null) noted.lacking.add(appointment.id);
      // They copied it before they cancelled it: the day of the copy was read by then.
      const copied = known === null || known === 'cancelled' ? null : changeIn(appointment, known);
      if (copied !== null) return follow(ports, appointment, copied, now);
      if (known !== 'cancelled') return;
      // A cancel of its patient is in the EMR first, and here a moment later.
      if (last.cancelled.includes(appointment.id))
        return follow(ports, appointment, { kind: 'cancelled' }, now);
      noted.cancelled.add(appointment.id);
      readAgain(place);
    });
  }
}

/** The patient's open page hears of it too. */
async function follow(ports: SyncPorts, own: OwnInEmr, change: StaffChange, now: EpochSeconds) {
  const isFollowed = await followStaff(ports, own, change, now);
  if (isFollowed && own.patientId !== null) ports.realtime.sayTo(own.patientId, 'appointments');
}

/** What staff did to one that stands here. */
const changeIn = (own: OwnInEmr, entry: EmrEntry): StaffChange | null =>
  standsBooked(own) ? differenceOf(own, entry) : null;

/** Nobody here has it any more. */
const isGivenUp = ({ state }: OwnInEmr) =>
  state === 'cancelled' || state === 'released' || state === 'rescheduled';

/** On the grid of our steps: a step that is begun is taken. */
function busySpanOf(entry: EmrEntry): BusySpan[] {
  const { providerId, start, end } = spanOf(entry);
  if (end <= start) return [];
  const onGrid = { start: start - (start % 300), end: end + ((300 - (end % 300)) % 300) };
  return [{ sourceId: entry.id, providerId, clinicDate: entry.date, ...onGrid }];
}
