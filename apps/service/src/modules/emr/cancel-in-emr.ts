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
  refusal,
  toBeCancelled,
  transact,
  ownerOf,
} from '../appointments/index.ts';
import { TIMEOUT_SECONDS, timeoutAsUnknown, nullOnFailure, unclearOnFailure } from './emr-calls.ts';
import { cancelKey, emrKey, staffCameFirst } from './entry.ts';
import { applyStaffChange } from './apply-staff-change.ts';
import { emrHealth } from './health.ts';

/**
 * Has the EMR cancel the entry of an appointment, even where staff have just moved it, unless `whatStaffDid`
 * finds a change of theirs. 'kept' when staff have received the patient or go on changing the entry; 'absent'
 * when the EMR never had one, or a write under way has not arrived yet.
 */
export async function cancelInEmr<Change = never>(
  emr: Emr,
  id: string,
  whatStaffDid: (found: EmrEntry) => Change | null = () => null,
  mayRetry = true,
): Promise<'ended' | 'kept' | 'absent' | Change> {
  const found = await emr.findByKey(emrKey(id));
  if (found === null) return 'absent';
  if (found === 'cancelled') return 'ended';
  const change = whatStaffDid(found);
  if (change !== null) return change;
  if (found.state !== 'booked') return 'kept';
  const { kind } = await emr.cancel(cancelKey(id), found);
  if (kind !== 'changed') return 'ended';
  return mayRetry ? cancelInEmr(emr, id, whatStaffDid, false) : 'kept';
}

/**
 * Cancels at the patient's wish. Reads the EMR's entry first: what staff did to it is applied here, and the
 * cancellation refused. Otherwise records the cancellation and has the EMR cancel; without an answer, a job goes on.
 */
export async function cancelThroughEmr(
  ports: BookingPorts,
  emr: Emr,
  own: ToCancel & { readonly patientId: PatientId },
  now: EpochSeconds,
): Promise<Cancelled | CancelSent | BookingRefusal> {
  const { id, patientId } = own;
  const first = await nullOnFailure(id, async () => ({
    change: staffCameFirst(own, await emr.findByKey(emrKey(id))),
  }));
  if (first?.change) {
    const isFollowed = await applyStaffChange(ports, own, first.change, now);
    // It had ended here already, for example by the patient's second click.
    if (!isFollowed && first.change.kind === 'cancelled') return { kind: 'cancelled' };
    return refusal('changedByClinic');
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
  return first === null ? { kind: 'cancelSent' } : cancelInEmrThenHere(ports, emr, own, now);
}

export function registerCancelJobs({
  outbox,
  emr,
  ...ports
}: Pick<BookingPorts, 'outbox' | 'emr' | 'database'> & Pick<Platform, 'clock'>): void {
  outbox.handle(CANCEL_IN_EMR, async ({ appointmentId }) => {
    if (emr !== null) await cancelEndedInEmr(ports, emr, String(appointmentId), ports.clock.now());
  });
}

/** Has the EMR cancel the entry of an appointment that ended here, once: what staff put back later stays. */
export async function cancelEndedInEmr(
  { database }: Pick<BookingPorts, 'database'>,
  emr: Emr,
  id: string,
  now: EpochSeconds,
): Promise<void> {
  if (await isEndedInEmr(database.db, id)) return;
  const became = await timeoutAsUnknown(id, cancelInEmr(emr, id));
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
export async function retryCancellations(
  ports: BookingPorts & Pick<Platform, 'log'>,
  now: EpochSeconds,
  pauses: CancelPauses = new Map(),
): Promise<void> {
  const { emr, database, parts, log } = ports;
  if (emr === null || !(await emrHealth(database.db, now)).isFollowed) return;
  const waiting = await toBeCancelled(database.db, parts, now - TIMEOUT_SECONDS, MOST_AT_ONCE);
  for (const id of pauses.keys()) if (!waiting.some((each) => each.id === id)) pauses.delete(id);
  for (const each of waiting) {
    const before = pauses.get(each.id);
    if (before && before.until > now) continue;
    let unanswered = false;
    await unclearOnFailure(ports, async () => {
      unanswered = (await cancelInEmrThenHere(ports, emr, each, now)).kind === 'cancelSent';
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
 * Has the EMR cancel an appointment, then ends it here, or frees the old time of a moved one. A change that staff
 * made before is applied here instead.
 */
export async function cancelInEmrThenHere(
  ports: BookingPorts,
  emr: Emr,
  own: ToCancel,
  now: EpochSeconds,
): Promise<Cancelled | CancelSent | BookingRefusal> {
  const { id, patientId } = own;
  const isMoved = own.state === 'rescheduled';
  // If staff have noted the patient as arrived or a no-show at the old time, the EMR keeps that entry.
  const whatStaffDid = (found: EmrEntry) => (isMoved ? null : staffCameFirst(own, found));
  const became = await nullOnFailure(id, () => cancelInEmr(emr, id, whatStaffDid, isMoved));
  // 'kept': staff changed it after it was read, and the job reads it again.
  if (became === null || (became === 'kept' && !isMoved)) return { kind: 'cancelSent' };
  if (typeof became === 'object') {
    await applyStaffChange(ports, own, became, now);
    return refusal('changedByClinic');
  }
  return transact<Cancelled>(ports, async (tx) => {
    await ports.appointments.lockPatient(tx, ports.parts, ownerOf(own));
    if (isMoved) await freeMoved(tx, id);
    else await recordCancelled(ports, tx, { id, patientId, actor: `patient:${patientId}` }, now);
    return { kind: 'cancelled' };
  });
}
