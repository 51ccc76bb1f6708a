import type { EpochSeconds } from '@clinic/domain';

import type { Platform } from '../../../platform.ts';
import type { Who } from '../../../security/audit.store.ts';
import { type Emr, type EmrEntry, EmrRefused } from '../../records/emr.ts';
import {
  type BookingPorts,
  type OwnInEmr,
  recordCancelled,
  transact,
} from '../../appointments/index.ts';
import { answerOn } from '../asking.ts';
import { emrKey, placeInEmr } from '../entry.ts';
import { answered } from './schedule-changes.ts';
import { forgetGone, isKept, noteKeyless, noteMissed, takeDecision } from './gone.store.ts';

type Ports = BookingPorts & Pick<Platform, 'realtime'>;
/** The EMR has it. */
export async function forgetFound(
  { database, realtime }: Pick<Ports, 'database' | 'realtime'>,
  id: string,
): Promise<void> {
  if (await database.inTransaction((tx) => forgetGone(tx, id))) realtime.sayToDesk();
}

/** Writes the key of an appointment into its entry, which lost it; false where that cannot be. */
export async function writeKeyBack(
  { database, appendAudit, realtime }: Ports,
  emr: Emr,
  { own, entry }: { readonly own: OwnInEmr; readonly entry: EmrEntry },
  now: EpochSeconds,
): Promise<boolean> {
  const { id } = own;
  const written = emr.writeKey(emrKey(id), entry).catch((error: unknown) => {
    if (error instanceof EmrRefused) return false;
    throw error;
  });
  const isWritten = await answerOn(id, written);
  const wasListed = await database.inTransaction(async (tx) => {
    const was = await forgetGone(tx, id);
    const trail = { actor: 'system:emr', subject: `appointment:${id}`, at: now };
    if (!isWritten) await noteKeyless(tx, own, now);
    else await appendAudit(tx, { ...trail, action: 'key written back in the EMR' });
    return was;
  });
  if (wasListed) realtime.sayToDesk();
  return isWritten;
}

/**
 * Notes that the EMR lacks a booked appointment. Once two looks have missed it, the desk's list has it, and
 * if nobody decides or puts it back in time, staff have cancelled it.
 */
export async function miss(ports: Ports, own: OwnInEmr, now: EpochSeconds): Promise<void> {
  const became = await ports.database.inTransaction((tx) => noteMissed(tx, own, now));
  if (became === 'due') await endGone(ports, own, null, now);
  if (became !== 'missed') ports.realtime.sayToDesk();
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
  if ((await answered(emr.findByKey(emrKey(own.id)))) !== null) return true;
  return (await answered(emr.findUnkeyed(placeInEmr(own)))) !== null;
}
