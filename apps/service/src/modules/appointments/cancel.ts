import { isLinked, standsBooked, whyCannotCancel } from '@clinic/domain';
import type { ClosingOutcome, EpochSeconds, OfferedTime } from '@clinic/domain';

import type { Tx } from '../../database/db.ts';
import type { Who } from '../../security/audit.store.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import type { Platform } from '../../platform.ts';
import { type Emr, EmrOutcomeUnknown, isOfEmr } from '../records/emr.ts';
import { refused, whoseOf } from './appointment.ts';
import type { BookingRefusal, StoredAppointment } from './appointment.ts';
import { recordCancelled, recordLinkOver, transact } from './changes.ts';
import { type ToCancel, askToCancel, freeMoved, toBeCancelled } from './cancel.store.ts';
import { PATIENCE_SECONDS, alone, cancelInEmr, enqueueCancelInEmr, within } from './emr.ts';
import { type StaffChange, cancelKey, emrKey, staffCameFirst } from './emr-entry.ts';
import type { BookingPorts } from './reserve.ts';
import { followStaff } from './staff-changes.ts';
import { emrSilence } from './sync-turn.ts';

interface GivenUp {
  readonly id: string;
  /** Null for a record without an account. */
  readonly patientId: PatientId | null;
  readonly recordId: string;
}

type Cancelled = { readonly kind: 'cancelled' };
/** It is cancelled once the EMR has it. */
type CancelSent = { readonly kind: 'cancelSent' };

/**
 * Cancels an appointment. Repeating it is harmless, and so is cancelling an appointment that was
 * moved: its successor stands.
 */
export async function cancelAppointment(
  ports: BookingPorts,
  patientId: PatientId,
  id: string,
  now: EpochSeconds,
): Promise<Cancelled | CancelSent | BookingRefusal> {
  const { appointments, config, emr } = ports;
  const allowed = await transact(ports, async (tx) => {
    const outcome = await decideIn(ports, tx, { id, patientId }, now);
    if (outcome.kind !== 'cancel') return outcome;
    const counted = { what: 'cancellations', rule: config.rates.cancellations } as const;
    const retryAfter = await appointments.retryAfter(tx, patientId, counted, now);
    if (retryAfter !== null) return refused('tooManyRequests', { retryAfter });
    if (emr !== null) return { kind: 'askEmr' as const, emr, appointment: outcome.appointment };
    await recordCancelled(ports, tx, { id, patientId, actor: `patient:${patientId}` }, now);
    return { kind: 'cancelled' as const };
  });
  return allowed.kind === 'askEmr'
    ? cancelThroughEmr(ports, allowed.emr, { ...allowed.appointment, patientId }, now)
    : allowed;
}

interface MayCancel {
  readonly kind: 'cancel';
  readonly appointment: StoredAppointment;
}

/** Locks the patient, so that nothing else of theirs is decided meanwhile. */
async function decideIn(
  { appointments, parts }: BookingPorts,
  tx: Tx,
  { id, patientId }: Pick<ToCancel, 'id' | 'patientId'>,
  now: EpochSeconds,
) {
  const [, own] = await Promise.all([
    appointments.lockPatient(tx, parts, patientId),
    appointments.standing(tx, patientId, { requestKey: null, ids: [id] }, now),
  ]);
  return decide(own, id, now);
}

function decide(
  own: readonly StoredAppointment[],
  id: string,
  now: EpochSeconds,
): Cancelled | CancelSent | MayCancel | BookingRefusal {
  const appointment = own.find((each) => each.id === id);
  if (!appointment || appointment.state === 'held' || appointment.state === 'released')
    return refused('notFound');
  if (appointment.state === 'cancelled' || appointment.state === 'rescheduled')
    return { kind: 'cancelled' };
  if (appointment.cancelAskedAt !== null) return { kind: 'cancelSent' };
  // What it moves to is booked or not, whatever is cancelled meanwhile.
  if (own.some(({ confirming, rescheduledFrom }) => confirming && rescheduledFrom === id))
    return refused('clinicConfirming');
  const why = whyCannotCancel(appointment, now);
  return why === null ? { kind: 'cancel', appointment } : refused('notCancellable');
}

/**
 * Reads it in the EMR first: what staff did before is followed here, and stands. Then it is kept that
 * its patient has cancelled it, and the EMR is asked; when that does not answer, a job goes on.
 */
async function cancelThroughEmr(
  ports: BookingPorts,
  emr: Emr,
  own: ToCancel,
  now: EpochSeconds,
): Promise<Cancelled | CancelSent | BookingRefusal> {
  const { id, patientId } = own;
  const first = await unlessUnanswered(id, async () => ({
    change: staffCameFirst(own, await emr.findByKey(emrKey(id))),
  }));
  if (first?.change) {
    const isFollowed = await followStaff(ports, own, first.change, now);
    // Their other press was first.
    if (!isFollowed && first.change.kind === 'cancelled') return { kind: 'cancelled' };
    return refused('changedByClinic');
  }
  const sent = await transact<Cancelled | CancelSent | MayCancel>(ports, async (tx) => {
    // While the EMR was read, another tab may have moved or cancelled it.
    const outcome = await decideIn(ports, tx, { id, patientId }, now);
    if (outcome.kind !== 'cancel') return outcome;
    await askToCancel(tx, id, now);
    const trail = { actor: `patient:${patientId}`, subject: `appointment:${id}`, at: now };
    await ports.appendAudit(tx, { ...trail, action: 'cancellation sent' });
    return outcome;
  });
  if (sent.kind !== 'cancel') return sent;
  return first === null ? { kind: 'cancelSent' } : letGo(ports, emr, own, now);
}

/** What the clinic gives up with other time that it closes. */
interface OfClosing {
  /** Whether the time is closed still; it stays so until the transaction is over. */
  readonly isClosed: (tx: Tx) => Promise<boolean>;
  /** The free times that the e-mail names. */
  readonly offered: readonly OfferedTime[];
  /** Writes what became of it, in the transaction that does it. */
  readonly note: (tx: Tx, outcome: ClosingOutcome) => Promise<void>;
}

/**
 * the clinic gives an appointment up, whatever the hour and the fee. What was paid for it is
 * not kept: the payments sweeper gives it back in full. 'cancelSent' where the EMR did not answer:
 * it is cancelled here, and there through the outbox. False when the appointment stood no more.
 */
export async function cancelByClinic(
  ports: BookingPorts,
  { id, ...own }: GivenUp,
  { actor, now }: Who,
  ofClosing?: OfClosing,
): Promise<'cancelled' | 'cancelSent' | false> {
  const { emr } = ports;
  let kind: 'cancelled' | 'cancelSent' = 'cancelled';
  if (emr !== null) {
    const standing = await ports.database.inTransaction(async (tx) =>
      (await ofClosing?.isClosed(tx)) === false ? null : ports.appointments.lockAppointment(tx, id),
    );
    if (standing === null || !standsBooked(standing)) return false;
    const letGoThere = await unlessUnanswered(id, () => cancelInEmr(emr, id));
    if (letGoThere === false) return false;
    if (letGoThere === null) kind = 'cancelSent';
  }
  const outcome = await transact(ports, async (tx) => {
    // What the EMR was asked to cancel is cancelled here, too.
    if (emr === null && (await ofClosing?.isClosed(tx)) === false) return { kind: 'gone' as const };
    await ports.appointments.lockPatient(tx, ports.parts, whoseOf(own));
    const { patientId } = own;
    const offered = ofClosing?.offered;
    const ending = { id, patientId, actor, byClinic: true, offered } as const;
    const ended = await recordCancelled(ports, tx, ending, now);
    if (ended && kind === 'cancelSent') await enqueueCancelInEmr(ports, tx, id, now);
    if (ended) await ofClosing?.note(tx, kind);
    return { kind: ended ? kind : ('gone' as const) };
  });
  return outcome.kind === kind ? kind : false;
}

/** Not as part of a closing. */
const BY_ITSELF = { isClosed: () => Promise.resolve(true), note: () => Promise.resolve() };

/** Takes a hold back that nobody pays for; false when it was gone or is under way. */
export async function releaseByClinic(
  ports: BookingPorts,
  { id, patientId }: GivenUp,
  { actor, now }: Who,
  ofClosing: Pick<OfClosing, 'isClosed' | 'note'> = BY_ITSELF,
): Promise<boolean> {
  if (patientId === null) return false;
  const outcome = await transact(ports, async (tx) => {
    if (!(await ofClosing.isClosed(tx))) return { kind: 'gone' as const };
    await ports.appointments.lockPatient(tx, ports.parts, patientId);
    const standing = await ports.appointments.lockAppointment(tx, id);
    if (standing?.state !== 'held' || standing.paying || standing.confirming)
      return { kind: 'gone' as const };
    await ports.appointments.release(tx, id, now);
    const subject = `appointment:${id}`;
    await ports.appendAudit(tx, { actor, action: 'hold released', subject, at: now });
    if (isLinked(standing)) await recordLinkOver(ports, tx, standing, now);
    await ofClosing.note(tx, 'released');
    return { kind: 'released' as const };
  });
  return outcome.kind === 'released';
}

const MOST_AT_ONCE = 100;
/** What the EMR has not cancelled by then, though it answers, waits longer from try to try. */
const AT_ONCE_SECONDS = 60;
const FIRST_PAUSE_SECONDS = 30;
const LONGEST_PAUSE_SECONDS = 600;

/** What waits to be asked for again, by appointment: until when, and after which pause. */
export type CancelPauses = Map<string, { readonly until: EpochSeconds; readonly seconds: number }>;

/**
 * Has the EMR cancel what it has not cancelled yet. While it does not answer, all stays as it was;
 * one of which it does not is asked for again, and keeps no other waiting.
 */
export async function finishCancelling(
  ports: BookingPorts & Pick<Platform, 'realtime' | 'log'>,
  now: EpochSeconds,
  pauses: CancelPauses = new Map(),
): Promise<void> {
  const { emr, database, realtime, log } = ports;
  if (emr === null || (await emrSilence(database.db, now)) !== null) return;
  const waiting = await toBeCancelled(database.db, now - PATIENCE_SECONDS, MOST_AT_ONCE);
  for (const id of pauses.keys()) if (!waiting.some((each) => each.id === id)) pauses.delete(id);
  for (const each of waiting) {
    const before = pauses.get(each.id);
    if (before && before.until > now) continue;
    let unanswered = false;
    await alone(ports, async () => {
      unanswered = (await letGo(ports, emr, each, now)).kind === 'cancelSent';
      if (!unanswered) realtime.sayTo(each.patientId, 'appointments');
    });
    if (!unanswered) continue;
    if ((await emrSilence(database.db, now)) !== null) return;
    if (now - (each.cancelAskedAt ?? now) < AT_ONCE_SECONDS) continue;
    const seconds = before
      ? Math.min(2 * before.seconds, LONGEST_PAUSE_SECONDS)
      : FIRST_PAUSE_SECONDS;
    pauses.set(each.id, { until: now + seconds, seconds });
    log.event('emr-cancellation-waits');
  }
}

/**
 * Has the EMR cancel an appointment, and ends here what is over then: what its patient has
 * cancelled, or the time of one that was moved. What staff did before is followed instead.
 */
export async function letGo(
  ports: BookingPorts,
  emr: Emr,
  own: ToCancel,
  now: EpochSeconds,
): Promise<Cancelled | CancelSent | BookingRefusal> {
  const { id, patientId } = own;
  const isMoved = own.state === 'rescheduled';
  const asked = await unlessUnanswered(id, async () => ({
    // Whom staff have seen at the old time, or noted as missed, they keep.
    change: isMoved ? void (await cancelInEmr(emr, id)) : await cancelAsItStands(emr, own),
  }));
  if (asked === null) return { kind: 'cancelSent' };
  if (asked.change) {
    await followStaff(ports, own, asked.change, now);
    return refused('changedByClinic');
  }
  return transact<Cancelled>(ports, async (tx) => {
    await ports.appointments.lockPatient(tx, ports.parts, patientId);
    if (isMoved) await freeMoved(tx, id);
    else await recordCancelled(ports, tx, { id, patientId, actor: `patient:${patientId}` }, now);
    return { kind: 'cancelled' };
  });
}

/** What staff did first; null when the EMR has it no more. */
async function cancelAsItStands(emr: Emr, own: ToCancel): Promise<StaffChange | null> {
  const found = await emr.findByKey(emrKey(own.id));
  if (found === null || found === 'cancelled') return null;
  const change = staffCameFirst(own, found);
  if (change !== null) return change;
  const { kind } = await emr.cancel(cancelKey(own.id), found);
  // It is read again by the job.
  if (kind === 'changed') throw new EmrOutcomeUnknown(emrKey(own.id));
  return null;
}

/** What was asked of the EMR while somebody waits, or null where it cannot be known now. */
async function unlessUnanswered<Answer>(
  id: string,
  ask: () => Promise<Answer>,
): Promise<Answer | null> {
  try {
    return await within(id, ask());
  } catch (error) {
    if (!isOfEmr(error)) throw error;
    return null;
  }
}
