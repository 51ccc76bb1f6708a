import { type EpochSeconds, standsBooked } from '@clinic/domain';

import type { Platform } from '../../../platform.ts';
import type { Who } from '../../../security/audit.store.ts';
import {
  type Emr,
  type EmrEntry,
  EmrOffline,
  EmrRefused,
  type ProviderDay,
  type ProviderId,
} from '../../records/emr.ts';
import { inTime } from '../../records/index.ts';
import {
  type BookingPorts,
  type ComparedWithEmr,
  type OwnInEmr,
  ownInEmr,
  recordCancelled,
  transact,
} from '../../appointments/index.ts';
import { alone, within } from '../asking.ts';
import { changeIn, emrKey, placeInEmr } from '../entry.ts';
import {
  type Gone,
  UNDECIDED_SECONDS,
  forgetGone,
  isKept,
  noteKeyless,
  noteMissed,
  takeDecision,
} from './gone.store.ts';
import { followStaff } from '../follow.ts';
import type { KeptTurn, Turn } from './sync-turn.ts';

type Ports = BookingPorts & Pick<Platform, 'realtime'>;
type LookPorts = Ports & Pick<Platform, 'log'>;

/** What an EMR is asked to find an entry by its key, and to look an appointment up whatever became of it. */
const [CALLS_BY_KEY, CALLS_A_LOOK] = [2, 4];
const CALLS_A_SECOND = 2;
const [SHORTEST_TURN, LONGEST_TURN] = [10, 20];

/**
 * How many calls a turn may make to look up what is not on its day: the next turn has the rest. The whole
 * window leaves few.
 */
export const callsOfTurn = (
  { answeredAt }: Turn,
  { isMuch, now }: { readonly isMuch: boolean; readonly now: EpochSeconds },
): number => {
  const seconds = isMuch ? SHORTEST_TURN : now - (answeredAt ?? 0);
  return CALLS_A_SECOND * Math.min(LONGEST_TURN, Math.max(SHORTEST_TURN, seconds));
};

/** What a turn finds out for the next, and how many calls it may still make to look appointments up. */
export interface Noted {
  readonly reread: ProviderDay[];
  readonly cancelled: Set<string>;
  readonly lacking: Set<string>;
  readonly kept: Set<string>;
  readonly unread: Set<string>;
  calls: number;
  /** Not looked up, as no calls were left. */
  readonly unasked: OwnInEmr[];
}

/** A turn that looks appointments up. */
export interface Looking extends Pick<KeptTurn, 'keep'> {
  readonly last: Turn;
  readonly noted: Noted;
  /** What the EMR was found to lack before, the longest first. */
  readonly missed: readonly Gone[];
}

export const sinceOf = ({ answeredAt, since }: Turn, now: EpochSeconds): EpochSeconds =>
  answeredAt === null ? now : since;

/** Whether it was booked before the clinic had this EMR, which therefore never had it. */
export const isOlder = (
  { createdAt }: Pick<ComparedWithEmr, 'createdAt'>,
  last: Turn,
  now: EpochSeconds,
): boolean => createdAt < sinceOf(last, now);

const NO_DAYS = { from: '1970-01-01', to: '1970-01-01' };

/** Looks up again what was missed before: once more, and when nobody has decided in time. */
export async function lookUpMissed(
  ports: LookPorts,
  emr: Emr,
  looking: Looking,
  now: EpochSeconds,
): Promise<void> {
  const due = looking.missed.filter(
    ({ keptAt, listedAt, isOfMany }) =>
      keptAt === null && (listedAt === null || (!isOfMany && listedAt <= now - UNDECIDED_SECONDS)),
  );
  if (due.length === 0) return;
  const ids = due.map(({ id }) => id);
  const found = await ownInEmr(ports.database.db, ids, NO_DAYS, []);
  const own = new Map(found.map((each) => [each.id, each]));
  for (const each of ids.flatMap((id) => own.get(id) ?? [])) {
    if (looking.noted.calls < CALLS_A_LOOK) return;
    await looking.keep();
    // Where that is unclear, the next turn looks it up.
    await alone(ports, () => lookUp(ports, emr, looking, each, now));
  }
}

/**
 * Finds out by its key what became of an appointment that the EMR does not have on its day. What the EMR has
 * as cancelled is cancelled once two turns have seen it: when its patient cancels, the EMR has that a moment
 * before we do.
 */
export async function lookUp(
  ports: Ports,
  emr: Emr,
  { last, noted, missed }: Looking,
  own: ComparedWithEmr,
  now: EpochSeconds,
): Promise<void> {
  const { id, providerId } = own;
  const mayBeGone = standsBooked(own) && !own.isLeaving && !isOlder(own, last, now);
  if (noted.calls < CALLS_A_LOOK) {
    if (mayBeGone) noted.unasked.push(own);
    return;
  }
  const { date } = placeInEmr(own);
  noted.calls -= CALLS_BY_KEY;
  const known = await within(id, emr.findByKey(emrKey(id)));
  if (known === null) {
    noted.lacking.add(id);
    // Of a day that cannot be read nothing is known to be gone.
    if (!mayBeGone || noted.unread.has(`${providerId} ${date}`)) return;
    noted.calls -= CALLS_A_LOOK - CALLS_BY_KEY;
    if (await followGone(ports, emr, own, now)) noted.lacking.delete(id);
    return;
  }
  noted.lacking.delete(id);
  if (known === 'cancelled') {
    if (last.cancelled.includes(id)) {
      await followStaff(ports, own, { kind: 'cancelled' }, now);
      return;
    }
    noted.cancelled.add(id);
    noted.reread.push({ providerId: providerId as ProviderId, date });
    return;
  }
  if (missed.some((each) => each.id === id)) await forgetIn(ports, [id]);
  // Staff copied it and then cancelled the first: the copy's day had been read before.
  const copied = changeIn(own, known);
  if (copied !== null) await followStaff(ports, own, copied, now);
}

/** The EMR has these. */
export async function forgetIn(
  { database, realtime }: Pick<Ports, 'database' | 'realtime'>,
  ids: readonly string[],
): Promise<void> {
  if (await database.inTransaction((tx) => forgetGone(tx, ids))) realtime.sayToDesk();
}

/**
 * No entry has the key of a standing appointment. Where its patient has one without a key at its provider and
 * time, that gets the key back: true where it has it. Otherwise it is missed; once two looks have missed it,
 * the desk's list has it, and if nobody decides or puts it back in time, staff have cancelled it.
 */
async function followGone(
  ports: Ports,
  emr: Emr,
  own: ComparedWithEmr,
  now: EpochSeconds,
): Promise<boolean> {
  const { database, appendAudit, realtime } = ports;
  const { id } = own;
  const unkeyed = await within(id, emr.findUnkeyed(placeInEmr(own)));
  if (unkeyed !== null) {
    const isWritten = await within(id, writeBack(emr, id, unkeyed));
    const wasListed = await database.inTransaction(async (tx) => {
      const was = await forgetGone(tx, [id]);
      if (!isWritten) await noteKeyless(tx, own, now);
      else
        await appendAudit(tx, {
          actor: 'system:emr',
          action: 'key written back in the EMR',
          subject: `appointment:${id}`,
          at: now,
        });
      return was;
    });
    if (wasListed) realtime.sayToDesk();
    return isWritten;
  }
  const became = await database.inTransaction((tx) => noteMissed(tx, own, now));
  if (became === 'due') await endGone(ports, own, null, now);
  if (became !== 'missed') realtime.sayToDesk();
  return false;
}

async function writeBack(emr: Emr, id: string, entry: EmrEntry): Promise<boolean> {
  try {
    return await emr.writeKey(emrKey(id), entry);
  } catch (error) {
    if (error instanceof EmrRefused) return false;
    throw error;
  }
}

/** Cancels, as by the clinic, what staff deleted in the EMR; false where that was decided, or it is back. */
async function endGone(
  ports: Ports,
  own: OwnInEmr,
  by: string | null,
  now: EpochSeconds,
): Promise<boolean> {
  const { appointments, parts } = ports;
  const { id, patientId } = own;
  const outcome = await transact(ports, async (tx) => {
    if (patientId !== null) await appointments.lockPatient(tx, parts, patientId);
    if (!(await takeDecision(tx, own, by, now))) return { kind: 'decided' as const };
    const ending = by === null ? { actor: 'clinic:emr' } : { actor: `staff:${by}` };
    const ended = { id, patientId, ...ending, byClinic: true, wantedBy: 'clinic' } as const;
    await recordCancelled(ports, tx, ended, now);
    return { kind: 'ended' as const };
  });
  return outcome.kind === 'ended';
}

/**
 * Staff decide at the desk what becomes of an appointment that is gone from the EMR. False where it is back
 * there, decided otherwise, or no longer stands.
 */
export async function decideGone(
  ports: Ports,
  own: OwnInEmr,
  is: 'kept' | 'cancelled',
  { by, now }: { readonly by: string } & Pick<Who, 'now'>,
): Promise<boolean> {
  const { database, appendAudit, emr, realtime } = ports;
  if (is === 'cancelled') {
    if (emr === null || (await isThere(emr, own)) || !(await endGone(ports, own, by, now)))
      return false;
    realtime.sayToDesk();
    return true;
  }
  const isDecided = await database.inTransaction(async (tx) => {
    if (!(await takeDecision(tx, own, by, now))) return false;
    const entry = { action: 'appointment kept without the EMR', subject: `appointment:${own.id}` };
    await appendAudit(tx, { ...entry, actor: `staff:${by}`, at: now });
    return true;
  });
  if (isDecided) realtime.sayToDesk();
  // The same was pressed before, and its answer was lost.
  return isDecided || isKept(database.db, own);
}

/** Whether the EMR has it again, with its key or without. */
async function isThere(emr: Emr, own: OwnInEmr): Promise<boolean> {
  const silent = () => new EmrOffline('The EMR is silent');
  if ((await inTime(emr.findByKey(emrKey(own.id)), silent)) !== null) return true;
  return (await inTime(emr.findUnkeyed(placeInEmr(own)), silent)) !== null;
}
