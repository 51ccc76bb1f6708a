import {
  type ClosingOutcome,
  type ClinicDate,
  type EpochSeconds,
  type HarmVerdict,
  type OfferedTime,
  STEP_SECONDS,
  STOPPABLE_SECONDS,
  addDays,
  isHold,
  isUnderWay,
  shareTimes,
  startOfDay,
  toClinic,
} from '@clinic/domain';

import type { Db, Tx } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import type { Who } from '../../security/audit.store.ts';
import {
  type ClosedTime,
  type DayOfProvider,
  type ProviderTime,
  type SingleDay,
  closeSchedule,
  daysWithException,
  lockSchedule,
  reopenSchedule,
  setSingleDay,
  singleDay,
} from '../records/index.ts';
import { freeTimesOfEach } from '../schedule/index.ts';
import {
  type BookingPorts,
  cancelByClinic,
  releaseByClinic,
  takenTime,
} from '../appointments/index.ts';
import {
  type Closing,
  type InClosedTime,
  type KnownEntry,
  LEASE_SECONDS,
  entriesOf,
  insertClosing,
  insertEntries,
  isClosingAsked,
  isStillClosed,
  keepBefore,
  keepDayBefore,
  leaseClosing,
  lockClosing,
  lockClosings,
  noteGone,
  noteOutcome,
  noteReopened,
  prolongLease,
  returnClosing,
  standingClosings,
  standingIn,
} from './store.ts';

export type ClosingPorts = BookingPorts & Pick<Platform, 'clock' | 'realtime' | 'log'>;

/** What closing a time would give up; nothing is changed. */
export interface GivenUpByClosing {
  /** To be cancelled, with an email and a refund. */
  readonly cancelled: readonly InClosedTime[];
  /** Holds that are not booked yet. */
  readonly released: readonly InClosedTime[];
  /** Holds being paid for or booked at this moment: cancelled once that is over. */
  readonly underWay: readonly InClosedTime[];
}

export interface ClosingPreview extends GivenUpByClosing {
  /** The free times that each patient's email names, by appointment. */
  readonly offered: ReadonlyMap<string, readonly OfferedTime[]>;
}

export async function previewClosing(
  ports: Pick<Platform, 'database' | 'parts' | 'config'>,
  time: ProviderTime,
  now: EpochSeconds,
): Promise<ClosingPreview> {
  const standing = await standingIn(ports.database.db, ports.parts, time, now);
  return { ...byOutcome(standing), offered: await timesInstead(ports, standing, time, now) };
}

export const givenUpByClosing = async (
  { database, parts }: Pick<Platform, 'database' | 'parts'>,
  time: ProviderTime,
  now: EpochSeconds,
): Promise<GivenUpByClosing> => byOutcome(await standingIn(database.db, parts, time, now));

function byOutcome(standing: readonly InClosedTime[]): GivenUpByClosing {
  const {
    cancelled = [],
    released = [],
    underWay = [],
  } = Object.groupBy(standing, (each) => {
    if (!isHold(each)) return 'cancelled';
    return isUnderWay(each) ? 'underWay' : 'released';
  });
  return { cancelled, released, underWay };
}

/** Limit on the free times read for each patient; patients of one type share them. */
const MOST_TIMES = 300;
const TIMES_EACH = 3;

/** Free times of the same type outside the closed time; none for holds or for who cannot book them. */
async function timesInstead(
  { database, parts, config }: Pick<Platform, 'database' | 'parts' | 'config'>,
  standing: readonly InClosedTime[],
  { providerIds, from, to }: ProviderTime,
  now: EpochSeconds,
): Promise<ReadonlyMap<string, readonly OfferedTime[]>> {
  const asked = standing.flatMap(({ id, patientId, type, state }) =>
    patientId === null || isHold({ state }) ? [] : [{ id, patientId, type }],
  );
  const ports = { database, config, takenTime, patientsWhoBook: parts.patients };
  const most = Math.min(MOST_TIMES, asked.length * TIMES_EACH);
  const today = toClinic(now).date;
  const questions = asked.map((each) => ({ ...each, from: today, most }));
  const isLeft = (time: { doctor: string; start: EpochSeconds; end: EpochSeconds }) =>
    !(providerIds.includes(time.doctor) && time.start < to && time.end > from);
  const free = await freeTimesOfEach(ports, questions, now, isLeft);
  const shared = shareTimes(asked.map(({ id }, at) => ({ id, free: free[at] ?? [] })));
  return new Map(standing.map(({ id }) => [id, shared.get(id) ?? []]));
}

type ToClose = ProviderTime & { readonly requestKey: string };
type PortsToClose = Pick<Platform, 'database' | 'parts' | 'config' | 'ids' | 'appendAudit'>;

/** Whether somebody may close a time in which so many stand; the transaction closes it. */
export type JudgeClosing = (tx: Tx, appointments: number) => Promise<Exclude<HarmVerdict, 'told'>>;

/** `reused`: the request's key was used for another time. */
export type CloseOutcome =
  { readonly kind: 'closed'; readonly id: string } | { readonly kind: 'reused' | 'refused' };

/**
 * Closes time of providers in one transaction: from its commit on none of it is offered, and what is
 * to be given up is stored for `workOnClosing`, which leaves alone what is to wait. Repeating the
 * request changes nothing.
 */
export async function closeTime(
  ports: PortsToClose,
  { requestKey, ...time }: ToClose,
  { actor, now }: Who,
  judge: JudgeClosing = async () => 'atOnce',
): Promise<CloseOutcome> {
  const { database, ids, appendAudit } = ports;
  const { offered } = await previewClosing(ports, time, now);
  return database.inTransaction(async (tx) => {
    const id = ids.uuid();
    const isRepeated = await isClosingAsked(tx, { actor, requestKey });
    const verdict = isRepeated ? 'atOnce' : await judge(tx, offered.size);
    if (verdict === 'refused') return { kind: verdict };
    const waitsUntil = verdict === 'waits' ? now + STOPPABLE_SECONDS : null;
    const asked = { ...time, id, requestKey, askedBy: actor, askedAt: now, waitsUntil };
    const kept = await insertClosing(tx, asked);
    if (kept.id !== id)
      return isSameTime(kept, time) ? { kind: 'closed', id: kept.id } : { kind: 'reused' };
    await keepBefore(tx, id, await closeSchedule(tx, time, () => standingClosings(tx, time, id)));
    await insertEntries(tx, id, offered);
    const { providerIds: providers, from, to } = time;
    const waits = waitsUntil !== null && { waitsUntil };
    const details = { providers, from, to, appointments: offered.size, ...waits };
    const subject = `closing:${id}`;
    await appendAudit(tx, { actor, action: 'time closed', subject, details, at: now });
    return { kind: 'closed', id };
  });
}

/**
 * Reopens the part of closed time that lies ahead, in one transaction: it is offered as before, and
 * appointments that were not given up yet stand. Those given up stay given up. 'past' when no part
 * lies ahead. Repeating it changes nothing.
 */
export async function reopenTime(
  { database, appendAudit }: Pick<Platform, 'database' | 'appendAudit'>,
  id: string,
  { actor, now }: Who,
): Promise<'open' | 'past' | 'notFound'> {
  return database.inTransaction(async (tx) => {
    const closing = await lockClosing(tx, id);
    if (closing === null) return 'notFound';
    if (closing.reopenedAt !== null) return 'open';
    const from = Math.max(closing.from, Math.ceil(now / STEP_SECONDS) * STEP_SECONDS);
    if (from >= closing.to) return 'past';
    const time = { ...closing, from };
    const standing = () => standingClosings(tx, time, id);
    await reopenSchedule(tx, time, standing, toClinic(now).date);
    await noteReopened(tx, id, from, { actor, now });
    const details = { providers: closing.providerIds, from, to: closing.to };
    const subject = `closing:${id}`;
    await appendAudit(tx, { actor, action: 'time opened again', subject, details, at: now });
    return 'open';
  });
}

const isSameTime = (one: ProviderTime, other: ProviderTime) =>
  one.from === other.from &&
  one.to === other.to &&
  one.providerIds.join(' ') === other.providerIds.join(' ');

const timeOf = ({ providerId, clinicDate }: DayOfProvider): ProviderTime => ({
  providerIds: [providerId],
  from: startOfDay(clinicDate),
  to: startOfDay(addDays(clinicDate, 1)),
});

/** A provider's single day as it would be without closings, and what is closed of it. */
export async function singleDayOf(
  db: Db,
  day: DayOfProvider,
): Promise<SingleDay & { readonly closed: readonly ClosedTime[] }> {
  const closed = await standingClosings(db, timeOf(day));
  return { ...(await singleDay(db, day, closed)), closed };
}

/** Whether nothing of a time is left to close. */
export async function isClosed(db: Db, time: ProviderTime): Promise<boolean> {
  const closings = await standingClosings(db, time);
  return time.providerIds.every((id) =>
    closings.some(
      ({ providerIds, from, to }) => providerIds.includes(id) && from <= time.from && to >= time.to,
    ),
  );
}

/** The days from a date on for which the clinic has set something other than the week. */
export async function singleDaysFrom(db: Db, day: DayOfProvider): Promise<ClinicDate[]> {
  const closed = await standingClosings(db, { ...timeOf(day), to: Number.MAX_SAFE_INTEGER });
  return daysWithException(db, day, closed);
}

/** Locks a day against closing, reopening and changes to it, in the lock order of `reopenTime`. */
export async function lockDay(tx: Tx, day: DayOfProvider): Promise<void> {
  await lockClosings(tx, timeOf(day));
  await lockSchedule(tx);
}

/**
 * Sets what a single day is like; closed time of the day becomes so too once it is reopened. Null
 * leaves the day to the week.
 */
export async function setDay(
  tx: Tx,
  day: DayOfProvider & { readonly codes: string | null },
  closed: readonly ClosedTime[],
  today: ClinicDate,
): Promise<void> {
  await setSingleDay(tx, day, closed, today);
  await keepDayBefore(tx, timeOf(day), day);
}

/** How long one process works on a closing before others may go on with it. */
const TURN_SECONDS = 10;
/** An appointment that could not be given up, as staff changed it in the EMR, is retried after this. */
const AGAIN_SECONDS = 60;

/**
 * Continues the closing that has waited longest, or only `id`: gives up what stands in its time, each
 * appointment in a transaction of its own that also records the outcome. A process may end anywhere:
 * the next one does the rest, and nothing is done twice, as what was given up no longer stands.
 * 'nothing' when no closing waits; 'waits' when what is left cannot be given up yet.
 */
export async function workOnClosing(
  ports: ClosingPorts,
  id: string | null = null,
): Promise<'nothing' | 'waits' | 'goes on' | 'done'> {
  const { database, clock } = ports;
  const began = clock.now();
  const closing = await database.inTransaction((tx) => leaseClosing(tx, id, began));
  if (closing === null) return 'nothing';
  await database.inTransaction((tx) => noteGone(tx, closing.id, began));
  const standing = await standingIn(database.db, ports.parts, closing, closing.askedAt);
  const entries = await entriesByAppointment(ports, closing, standing);
  let leasedAt = began;
  let [left, isOver, hasChanged] = [0, true, false];
  for (const each of standing) {
    const now = clock.now();
    const isClosed = await database.inTransaction((tx) => isStillClosed(tx, closing.id));
    if (!isClosed || now - began >= TURN_SECONDS) {
      isOver = false;
      break;
    }
    if (now - leasedAt >= LEASE_SECONDS / 3) {
      await database.inTransaction((tx) => prolongLease(tx, closing.id, now));
      leasedAt = now;
    }
    const who = { actor: closing.askedBy, now };
    try {
      const became = await giveUp(ports, closing, each, entries.get(each.id), who);
      if (became === 'stands') left += 1;
      hasChanged ||= became === 'givenUp';
    } catch (error) {
      // A failure does not hold up the others.
      ports.log.error('closing-entry-failed', error);
      left += 1;
    }
  }
  const isDone = isOver && left === 0;
  const now = clock.now();
  await database.inTransaction((tx) => returnClosing(tx, closing.id, isDone, now));
  if (hasChanged || (isDone && closing.doneAt === null)) ports.realtime.sayToDesk();
  if (!isOver) return 'goes on';
  return isDone ? 'done' : 'waits';
}

/** The closing's entries; adds those for appointments booked while the time was being closed. */
async function entriesByAppointment(
  { database }: Pick<ClosingPorts, 'database'>,
  { id }: { readonly id: string },
  standing: readonly InClosedTime[],
): Promise<ReadonlyMap<string, KnownEntry>> {
  const read = async () =>
    new Map((await entriesOf(database.db, id)).map((each) => [each.appointmentId, each]));
  const named = await read();
  const late = standing.filter((each) => !named.has(each.id));
  if (late.length === 0) return named;
  await database.inTransaction((tx) =>
    insertEntries(tx, id, new Map(late.map((each) => [each.id, []]))),
  );
  return read();
}

/** 'stays' when the appointment stands and nothing more is to be done. */
async function giveUp(
  ports: ClosingPorts,
  { id: closingId, waitsUntil }: Pick<Closing, 'id' | 'waitsUntil'>,
  each: InClosedTime,
  entry: KnownEntry | undefined,
  who: Who,
): Promise<'givenUp' | 'stands' | 'stays'> {
  const { now } = who;
  // Only the payment or the EMR's answer ends this hold, or makes it an appointment.
  if (isUnderWay(each)) return 'stands';
  const tried = entry?.at ?? null;
  if (tried !== null && now - tried < AGAIN_SECONDS)
    return entry?.outcome === 'stays' ? 'stays' : 'stands';
  const noted = { closingId, appointmentId: each.id };
  const note = async (tx: Tx, outcome: ClosingOutcome) => {
    await noteOutcome(tx, noted, outcome, now);
  };
  // It began while the closing waited: they are at the clinic.
  if (waitsUntil !== null && each.start <= waitsUntil) {
    await ports.database.inTransaction((tx) => note(tx, 'stays'));
    return 'stays';
  }
  const isClosed = (tx: Tx) => isStillClosed(tx, closingId);
  const offered = entry?.offered ?? [];
  const isGivenUp = isHold(each)
    ? await releaseByClinic(ports, each, who, { isClosed, note })
    : (await cancelByClinic(ports, each, who, { ofClosing: { isClosed, offered, note } })) !==
      false;
  if (isGivenUp) return 'givenUp';
  // Somebody else ended it, or the time was reopened, which the next run finds; or it stands because
  // staff changed it in the EMR.
  const stays = tried !== null && each.start <= now;
  await ports.database.inTransaction((tx) => noteOutcome(tx, noted, stays ? 'stays' : null, now));
  return stays ? 'stays' : 'stands';
}
