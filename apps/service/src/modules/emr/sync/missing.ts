import type { EpochSeconds } from '@clinic/domain';

import type { Platform } from '../../../platform.ts';
import type { Who } from '../../../security/audit.store.ts';
import { type Emr, type EmrEntry, EmrRefused } from '../../records/emr.ts';
import { timeoutAsOffline } from '../../records/index.ts';
import {
  type BookingPorts,
  type OwnInEmr,
  recordCancelled,
  transact,
} from '../../appointments/index.ts';
import { timeoutAsUnknown } from '../emr-calls.ts';
import { emrKey, placeInEmr } from '../entry.ts';
import {
  deleteMissing,
  isKept,
  noteKeyless,
  recordMissing,
  takeDecision,
} from './missing.store.ts';

/*
 * The stages of an appointment that is booked here and that the EMR lacks. Its key (`emrKey`) is how an entry of
 * the EMR names it.
 *
 * | stage       | the EMR                                                | stored in             | what follows        |
 * | ----------- | ------------------------------------------------------ | --------------------- | ------------------- |
 * | lacking     | has no entry with its key                              | `SyncState.lacking`   | trail and metric    |
 * | key lost    | has its entry, without the key                         |                       | the key is written  |
 * | without key | has its entry, and the key cannot be written           | `emr_gone`: kept_at_s | it stands           |
 * | missing     | has no entry of it at its place either, at one lookup  | `emr_gone`            | a second lookup     |
 * | listed      | has none at the second lookup                          | + listed_at_s         | staff decide        |
 * | kept        | has none, and staff say that it stands                 | + kept_at_s, kept_by  | it stands           |
 * | due         | has none, and nobody has decided in ten minutes        |                       | the clinic cancels  |
 *
 * Once the EMR has it again, all of this is deleted. In every stage but the last it stands booked here.
 */

type Ports = BookingPorts & Pick<Platform, 'realtime'>;

/** The EMR has it again. */
export async function clearMissing(
  { database, realtime }: Pick<Ports, 'database' | 'realtime'>,
  id: string,
): Promise<void> {
  if (await database.inTransaction((tx) => deleteMissing(tx, id))) realtime.sayToDesk();
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
  const isWritten = await timeoutAsUnknown(id, written);
  const wasListed = await database.inTransaction(async (tx) => {
    const was = await deleteMissing(tx, id);
    const trail = { actor: 'system:emr', subject: `appointment:${id}`, at: now };
    if (!isWritten) await noteKeyless(tx, own, now);
    else await appendAudit(tx, { ...trail, action: 'key written back in the EMR' });
    return was;
  });
  if (wasListed) realtime.sayToDesk();
  return isWritten;
}

/** Takes it to its next stage: missing, then listed, and cancelled once that is due. */
export async function noteMissing(ports: Ports, own: OwnInEmr, now: EpochSeconds): Promise<void> {
  const became = await ports.database.inTransaction((tx) => recordMissing(tx, own, now));
  if (became === 'due') await cancelMissing(ports, own, null, now);
  if (became !== 'missing') ports.realtime.sayToDesk();
}

/**
 * Cancels as by the clinic an appointment whose entry staff deleted; `by` is a member of staff, or null where
 * nobody decided in time. False where that was decided, or the EMR has it again.
 */
async function cancelMissing(
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
 * Staff decide at the desk on an appointment that is missing in the EMR. False where it is back there, decided
 * otherwise, or no longer stands.
 */
export async function decideMissing(
  ports: Ports,
  own: OwnInEmr,
  is: 'kept' | 'cancelled',
  { by, now }: { readonly by: string } & Pick<Who, 'now'>,
): Promise<boolean> {
  const { database, appendAudit, emr, realtime } = ports;
  if (is === 'cancelled') {
    if (emr === null || (await isInEmr(emr, own)) || !(await cancelMissing(ports, own, by, now)))
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
async function isInEmr(emr: Emr, own: OwnInEmr): Promise<boolean> {
  if ((await timeoutAsOffline(emr.findByKey(emrKey(own.id)))) !== null) return true;
  return (await timeoutAsOffline(emr.findWithoutKey(placeInEmr(own)))) !== null;
}
