import {
  type ClosingOutcome,
  type ClinicDate,
  type EpochSeconds,
  type OfferedTime,
  STEP_SECONDS,
  addDays,
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
  daysSaidFrom,
  lockSchedule,
  reopenSchedule,
  saySingleDay,
  singleDay,
} from '../records/index.ts';
import { freeTimesOfEach } from '../schedule/index.ts';
import { cancelByClinic, releaseByClinic } from './cancel.ts';
import {
  type InClosedTime,
  type KnownEntry,
  LEASE_SECONDS,
  entriesOf,
  insertClosing,
  insertEntries,
  isStillClosed,
  keepBefore,
  keepSaid,
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
} from './closing.store.ts';
import { takenTime } from './listed.store.ts';
import type { BookingPorts } from './reserve.ts';

export type ClosingPorts = BookingPorts & Pick<Platform, 'clock' | 'realtime' | 'log'>;

/** What closing a time would give up; nothing is changed. */
export interface ForeseenClosing {
  /** To be cancelled, with a mail, and the money back. */
  readonly cancelled: readonly InClosedTime[];
  /** Held by somebody who is still to book. */
  readonly released: readonly InClosedTime[];
  /** Being paid for or booked at this moment: it is cancelled once that is over. */
  readonly underWay: readonly InClosedTime[];
  /** The free times that each patient is told of, by appointment. */
  readonly offered: ReadonlyMap<string, readonly OfferedTime[]>;
}

export async function foreseeClosing(
  ports: Pick<Platform, 'database' | 'parts'>,
  time: ProviderTime,
  now: EpochSeconds,
): Promise<ForeseenClosing> {
  const standing = await standingIn(ports.database.db, time, now);
  const offered = await timesInstead(ports, standing, time, now);
  const {
    cancelled = [],
    released = [],
    underWay = [],
  } = Object.groupBy(standing, ({ state, underWay: isUnderWay }) => {
    if (state !== 'held') return 'cancelled';
    return isUnderWay ? 'underWay' : 'released';
  });
  return { cancelled, released, underWay, offered };
}

/** So many free times are looked at for everybody of a type. */
const MOST_TIMES = 300;
const TIMES_EACH = 3;

/** Free times of the same type, outside of the time that is closed; for a hold there are none. */
async function timesInstead(
  { database, parts }: Pick<Platform, 'database' | 'parts'>,
  standing: readonly InClosedTime[],
  { providerIds, from, to }: ProviderTime,
  now: EpochSeconds,
): Promise<ReadonlyMap<string, readonly OfferedTime[]>> {
  const asked = standing.flatMap(({ id, patientId, type, state }) =>
    patientId === null || state === 'held' ? [] : [{ id, patientId, type }],
  );
  // An EMR is not asked about each of them: what our own records say of their doctors is enough here.
  const ports = { database, emr: null, takenTime, patientsWhoBook: parts.patients };
  const most = Math.min(MOST_TIMES, asked.length * TIMES_EACH);
  const questions = asked.map(({ patientId, type }) => {
    const today = toClinic(now).date;
    return { patientId, type, providerId: null, from: today, most };
  });
  const isLeft = (time: { doctor: string; start: EpochSeconds; end: EpochSeconds }) =>
    !(providerIds.includes(time.doctor) && time.start < to && time.end > from);
  const free = await freeTimesOfEach(ports, questions, now, isLeft);
  const shared = shareTimes(asked.map(({ id }, at) => ({ id, free: free[at] ?? [] })));
  return new Map(standing.map(({ id }) => [id, shared.get(id) ?? []]));
}

/**
 * Closes time of providers in one step: from its commit on nothing of it is offered, and it is kept
 * what is to be given up, which `workOnClosing` does. Gives the closing's id: the same request again
 * changes nothing. Null where its key was used for another time.
 */
export async function closeTime(
  ports: Pick<Platform, 'database' | 'parts' | 'ids' | 'appendAudit'>,
  { requestKey, ...time }: ProviderTime & { readonly requestKey: string },
  { actor, now }: Who,
): Promise<string | null> {
  const { database, ids, appendAudit } = ports;
  const { offered } = await foreseeClosing(ports, time, now);
  return database.inTransaction(async (tx) => {
    const id = ids.uuid();
    const asked = { ...time, id, requestKey, askedBy: actor, askedAt: now };
    const kept = await insertClosing(tx, asked);
    if (kept.id !== id) return isSameTime(kept, time) ? kept.id : null;
    await keepBefore(tx, id, await closeSchedule(tx, time, () => standingClosings(tx, time, id)));
    await insertEntries(tx, id, offered);
    const { providerIds, from, to } = time;
    const details = { providers: providerIds, from, to, appointments: offered.size };
    const subject = `closing:${id}`;
    await appendAudit(tx, { actor, action: 'time closed', subject, details, at: now });
    return id;
  });
}

/**
 * Opens what still lies ahead of closed time again, in one step: it is offered as before, and what was
 * not given up yet stands. What was given up stays so. 'past' where nothing of it lies ahead. Doing it
 * again changes nothing.
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
    await noteReopened(tx, id, { from, by: actor, now });
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

/** A single day of a provider, beneath what is closed of it, and that. */
export async function singleDayOf(
  db: Db,
  day: DayOfProvider,
): Promise<SingleDay & { readonly closed: readonly ClosedTime[] }> {
  const closed = await standingClosings(db, timeOf(day));
  return { ...(await singleDay(db, day, closed)), closed };
}

/** The days from a date on of which the clinic says something else than the week. */
export async function singleDaysFrom(db: Db, day: DayOfProvider): Promise<ClinicDate[]> {
  const closed = await standingClosings(db, { ...timeOf(day), to: Number.MAX_SAFE_INTEGER });
  return daysSaidFrom(db, day, closed);
}

/** Keeps others from closing, opening or saying anything of it; in the order of whoever opens time again. */
export async function lockDay(tx: Tx, day: DayOfProvider): Promise<void> {
  await lockClosings(tx, timeOf(day));
  await lockSchedule(tx);
}

/** Says of a single day what it is like; opened again, closed time of it is so too. Null leaves it to the week. */
export async function sayDay(
  tx: Tx,
  said: DayOfProvider & { readonly codes: string | null },
  closed: readonly ClosedTime[],
  today: ClinicDate,
): Promise<void> {
  await saySingleDay(tx, said, closed, today);
  await keepSaid(tx, timeOf(said), said);
}

/** The one of several processes that has it goes on for so long, and then others may. */
const TURN_SECONDS = 10;
/** What staff have changed in the EMR is asked for again after this long. */
const AGAIN_SECONDS = 60;

/**
 * Goes on with the closing that waits longest, or with one alone: gives up what stands in its time,
 * each appointment in a transaction of its own that also says so in the closing. A process that ends
 * anywhere leaves the rest to the next, and nothing is done twice: what is given up stands no more.
 * 'nothing' where none waits; 'waits' where what is left of it is under way elsewhere.
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
  const standing = await standingIn(database.db, closing, closing.askedAt);
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
      const became = await giveUp(ports, closing.id, each, entries.get(each.id), who);
      if (became === 'stands') left += 1;
      hasChanged ||= became === 'givenUp';
    } catch (error) {
      // One that fails keeps no other waiting.
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

/** With those that were booked while the time was being closed, which nobody had named. */
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

/** 'stays' where nothing more is to be done although it stands. */
async function giveUp(
  ports: ClosingPorts,
  closingId: string,
  each: InClosedTime,
  entry: KnownEntry | undefined,
  who: Who,
): Promise<'givenUp' | 'stands' | 'stays'> {
  const { now } = who;
  // Only what is under way ends it, or makes it an appointment.
  if (each.underWay) return 'stands';
  const tried = entry?.at ?? null;
  if (tried !== null && now - tried < AGAIN_SECONDS)
    return entry?.outcome === 'stays' ? 'stays' : 'stands';
  const noted = { closingId, appointmentId: each.id };
  const note = async (tx: Tx, outcome: ClosingOutcome) => {
    await noteOutcome(tx, noted, outcome, now);
  };
  const isClosed = (tx: Tx) => isStillClosed(tx, closingId);
  const offered = entry?.offered ?? [];
  const isGivenUp =
    each.state === 'held'
      ? await releaseByClinic(ports, each, who, { isClosed, note })
      : (await cancelByClinic(ports, each, who, { isClosed, offered, note })) !== false;
  if (isGivenUp) {
    if (each.patientId !== null) ports.realtime.sayTo(each.patientId, 'appointments');
    return 'givenUp';
  }
  // Somebody else was first, or the time is open again, which the next look finds; or it stands as staff
  // changed it in the EMR.
  const stays = tried !== null && each.start <= now;
  await ports.database.inTransaction((tx) => noteOutcome(tx, noted, stays ? 'stays' : null, now));
  return stays ? 'stays' : 'stands';
}
