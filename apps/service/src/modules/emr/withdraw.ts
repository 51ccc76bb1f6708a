import type { EpochSeconds } from '@clinic/domain';

import type { PatientId } from '../../security/sessions.store.ts';
import type { Platform } from '../../platform.ts';
import type { Emr, EmrEntry } from '../records/emr.ts';
import {
  type BookingPorts,
  type BookingRefusal,
  CANCEL_IN_EMR,
  type CancelSent,
  type Cancelled,
  type MayCancel,
  type ToCancel,
  askToCancel,
  freeMoved,
  isEndedInEmr,
  mayCancelIn,
  noteEndedInEmr,
  recordCancelled,
  refused,
  toBeCancelled,
  transact,
  whoseOf,
} from '../appointments/index.ts';
import { PATIENCE_SECONDS, answerOn, answerOrNull, orUnclear } from './asking.ts';
import { cancelKey, emrKey, staffCameFirst } from './entry.ts';
import { followStaff } from './follow.ts';
import { emrHealth } from './health.ts';

/**
 * Has the EMR cancel what it has of an appointment, even where staff have just moved it, unless `whatStaffDid`
 * finds what they did first. 'kept' when staff keep it; 'absent' when the EMR never had it, or a write under
 * way has not arrived yet.
 */
export async function withdraw<Change = never>(
  emr: Emr,
  id: string,
  whatStaffDid: (found: EmrEntry) => Change | null = () => null,
  mayLookAgain = true,
): Promise<'ended' | 'kept' | 'absent' | Change> {
  const found = await emr.findByKey(emrKey(id));
  if (found === null) return 'absent';
  if (found === 'cancelled') return 'ended';
  const change = whatStaffDid(found);
  if (change !== null) return change;
  if (found.state !== 'booked') return 'kept';
  const { kind } = await emr.cancel(cancelKey(id), found);
  if (kind !== 'changed') return 'ended';
  return mayLookAgain ? withdraw(emr, id, whatStaffDid, false) : 'kept';
}

/**
 * Reads the appointment in the EMR first: what staff did there before is followed here, and stands.
 * Otherwise records the cancellation and asks the EMR; when the EMR does not answer, a job goes on.
 */
export async function cancelThroughEmr(
  ports: BookingPorts,
  emr: Emr,
  own: ToCancel & { readonly patientId: PatientId },
  now: EpochSeconds,
): Promise<Cancelled | CancelSent | BookingRefusal> {
  const { id, patientId } = own;
  const first = await answerOrNull(id, async () => ({
    change: staffCameFirst(own, await emr.findByKey(emrKey(id))),
  }));
  if (first?.change) {
    const isFollowed = await followStaff(ports, own, first.change, now);
    // It had ended here already, for example by the patient's second click.
    if (!isFollowed && first.change.kind === 'cancelled') return { kind: 'cancelled' };
    return refused('changedByClinic');
  }
  const sent = await transact<Cancelled | CancelSent | MayCancel>(ports, async (tx) => {
    // While the EMR was read, another tab may have moved or cancelled it.
    const outcome = await mayCancelIn(ports, tx, { id, patientId }, now);
    if (outcome.kind !== 'cancel') return outcome;
    await askToCancel(tx, id, now);
    const trail = { actor: `patient:${patientId}`, subject: `appointment:${id}`, at: now };
    await ports.appendAudit(tx, { ...trail, action: 'cancellation sent' });
    return outcome;
  });
  if (sent.kind !== 'cancel') return sent;
  return first === null ? { kind: 'cancelSent' } : withdrawAndEnd(ports, emr, own, now);
}

export function cancelWhatIsLeft({
  outbox,
  emr,
  ...ports
}: Pick<BookingPorts, 'outbox' | 'emr' | 'database'> & Pick<Platform, 'clock'>): void {
  outbox.handle(CANCEL_IN_EMR, async ({ appointmentId }) => {
    if (emr !== null) await takeBack(ports, emr, String(appointmentId), ports.clock.now());
  });
}

/** Has the EMR cancel what it has of an appointment that ended here, until it has done so once. */
export async function takeBack(
  { database }: Pick<BookingPorts, 'database'>,
  emr: Emr,
  id: string,
  now: EpochSeconds,
): Promise<void> {
  if (await isEndedInEmr(database.db, id)) return;
  const became = await answerOn(id, withdraw(emr, id));
  if (became !== 'absent') await database.inTransaction((tx) => noteEndedInEmr(tx, id, now));
}

const MOST_AT_ONCE = 100;
/** After this long, retries of a cancellation that alone gets no answer wait longer and longer. */
const AT_ONCE_SECONDS = 60;
const FIRST_PAUSE_SECONDS = 30;
const LONGEST_PAUSE_SECONDS = 600;

/** Postponed retries by appointment: until when, and the length of the current pause. */
export type CancelPauses = Map<string, { readonly until: EpochSeconds; readonly seconds: number }>;

/**
 * Asks the EMR again to cancel what it has not cancelled yet. While the EMR is silent, nothing
 * changes; a single cancellation without an answer is retried and does not hold up the others.
 */
export async function finishCancelling(
  ports: BookingPorts & Pick<Platform, 'log'>,
  now: EpochSeconds,
  pauses: CancelPauses = new Map(),
): Promise<void> {
  const { emr, database, parts, log } = ports;
  if (emr === null || !(await emrHealth(database.db, now)).isFollowed) return;
  const waiting = await toBeCancelled(database.db, parts, now - PATIENCE_SECONDS, MOST_AT_ONCE);
  for (const id of pauses.keys()) if (!waiting.some((each) => each.id === id)) pauses.delete(id);
  for (const each of waiting) {
    const before = pauses.get(each.id);
    if (before && before.until > now) continue;
    let unanswered = false;
    await orUnclear(ports, async () => {
      unanswered = (await withdrawAndEnd(ports, emr, each, now)).kind === 'cancelSent';
    });
    if (!unanswered) continue;
    if (!(await emrHealth(database.db, now)).isFollowed) return;
    if (now - (each.cancelAskedAt ?? now) < AT_ONCE_SECONDS) continue;
    const seconds = before
      ? Math.min(2 * before.seconds, LONGEST_PAUSE_SECONDS)
      : FIRST_PAUSE_SECONDS;
    pauses.set(each.id, { until: now + seconds, seconds });
    log.event('emr-cancellation-waits');
  }
}

/**
 * Has the EMR cancel an appointment, then ends here the cancelled appointment, or frees the old time
 * of a moved one. What staff did to the appointment before is followed instead.
 */
export async function withdrawAndEnd(
  ports: BookingPorts,
  emr: Emr,
  own: ToCancel,
  now: EpochSeconds,
): Promise<Cancelled | CancelSent | BookingRefusal> {
  const { id, patientId } = own;
  const isMoved = own.state === 'rescheduled';
  // If staff have noted the patient as arrived or missed at the old time, the EMR keeps that entry.
  const whatStaffDid = (found: EmrEntry) => (isMoved ? null : staffCameFirst(own, found));
  const became = await answerOrNull(id, () => withdraw(emr, id, whatStaffDid, isMoved));
  // 'kept': staff changed it after it was read, and the job reads it again.
  if (became === null || (became === 'kept' && !isMoved)) return { kind: 'cancelSent' };
  if (typeof became === 'object') {
    await followStaff(ports, own, became, now);
    return refused('changedByClinic');
  }
  return transact<Cancelled>(ports, async (tx) => {
    await ports.appointments.lockPatient(tx, ports.parts, whoseOf(own));
    if (isMoved) await freeMoved(tx, id);
    else await recordCancelled(ports, tx, { id, patientId, actor: `patient:${patientId}` }, now);
    return { kind: 'cancelled' };
  });
}
