import { isLinked, standsBooked, whyCannotCancel } from '@clinic/domain';
import type { ClosingOutcome, EpochSeconds, OfferedTime, OverrideReason } from '@clinic/domain';

import type { Tx } from '../../database/db.ts';
import type { Who } from '../../security/audit.store.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import type { Platform } from '../../platform.ts';
import { type Emr, EmrOutcomeUnknown, isOfEmr } from '../records/emr.ts';
import { refused, whoseOf } from './appointment.ts';
import type { BookingRefusal, StoredAppointment } from './appointment.ts';
import { type Ended, auditOverride, recordCancelled, recordLinkOver, transact } from './changes.ts';
import {
  type ToCancel,
  askToCancel,
  freeMoved,
  stopCancelling,
  toBeCancelled,
} from './cancel.store.ts';
import { PATIENCE_SECONDS, alone, cancelInEmr, enqueueCancelInEmr, within } from './emr.ts';
import { type StaffChange, cancelKey, emrKey, staffCameFirst } from './emr-entry.ts';
import type { BookingPorts } from './reserve.ts';
import { followStaff } from './staff-changes.ts';
import { emrHealth } from './emr-health.ts';

interface GivenUp {
  readonly id: string;
  /** Null for a record without an account. */
  readonly patientId: PatientId | null;
  readonly recordId: string;
}

type Cancelled = { readonly kind: 'cancelled' };
/** The appointment is cancelled once the EMR confirms. */
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

/** Locks the patient, so that none of their other requests is decided meanwhile. */
async function decideIn(
  { appointments, parts }: BookingPorts,
  tx: Tx,
  { id, patientId }: { readonly id: string; readonly patientId: PatientId },
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
  // While the EMR confirms the time that this appointment moves to, the move decides what becomes of it.
  if (own.some(({ confirming, rescheduledFrom }) => confirming && rescheduledFrom === id))
    return refused('clinicConfirming');
  const why = whyCannotCancel(appointment, now);
  return why === null ? { kind: 'cancel', appointment } : refused('notCancellable');
}

/**
 * Reads the appointment in the EMR first: what staff did there before is followed here, and stands.
 * Otherwise records the cancellation and asks the EMR; when the EMR does not answer, a job goes on.
 */
async function cancelThroughEmr(
  ports: BookingPorts,
  emr: Emr,
  own: ToCancel & { readonly patientId: PatientId },
  now: EpochSeconds,
): Promise<Cancelled | CancelSent | BookingRefusal> {
  const { id, patientId } = own;
  const first = await unlessUnanswered(id, async () => ({
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

/** What cancelling an appointment as part of a closing needs. */
interface OfClosing {
  /** Whether the time is still closed; nobody can reopen it until the transaction ends. */
  readonly isClosed: (tx: Tx) => Promise<boolean>;
  /** The free times that the email names. */
  readonly offered: readonly OfferedTime[];
  /** Records the outcome, in the transaction that ends the appointment or hold. */
  readonly note: (tx: Tx, outcome: ClosingOutcome) => Promise<void>;
}

/**
 * the clinic cancels an appointment, whatever the hour and the fee. The payments sweeper refunds
 * in full what was paid. False when it no longer stood, the time is open again, or staff keep it in
 * the EMR.
 */
export const cancelByClinic = (
  ports: BookingPorts,
  own: GivenUp,
  who: Who,
  ofClosing?: OfClosing,
): Promise<EndedByStaff> =>
  endByStaff(ports, own, who, { byClinic: true, wantedBy: 'clinic', ofClosing });

/** 'cancelSent': cancelled here; the EMR did not answer, and the outbox cancels it there. */
type EndedByStaff = 'cancelled' | 'cancelSent' | false;

/**
 * staff cancel at the patient's wish, under the patient's rules: what was paid is
 * kept, and an appointment that the patient could not cancel stays, unless staff give a reason. False
 * when it no longer stood, or staff keep it in the EMR.
 */
export async function cancelForPatient(
  ports: BookingPorts,
  own: GivenUp,
  who: Who,
  overrideReason: OverrideReason | null = null,
): Promise<EndedByStaff | 'notCancellable'> {
  const standing = await ports.database.inTransaction((tx) =>
    ports.appointments.lockAppointment(tx, own.id),
  );
  if (standing === null || !standsBooked(standing)) return false;
  const why = whyCannotCancel(standing, who.now);
  if (why !== null && overrideReason === null) return 'notCancellable';
  const override = why !== null && { id: own.id, actor: who.actor, rules: [why], overrideReason };
  return endByStaff(ports, own, who, {
    wantedBy: 'patient',
    note: async (tx) => {
      if (override) await auditOverride(ports, tx, override, who.now);
    },
  });
}

interface ByStaff extends Pick<Ended, 'byClinic' | 'wantedBy'> {
  readonly ofClosing?: OfClosing | undefined;
  /** Writes further audit entries, in the transaction that ends the appointment. */
  readonly note?: (tx: Tx) => Promise<void>;
}

async function endByStaff(
  ports: BookingPorts,
  { id, ...own }: GivenUp,
  { actor, now }: Who,
  { ofClosing, note, ...asked }: ByStaff,
): Promise<EndedByStaff> {
  const { emr } = ports;
  let kind: 'cancelled' | 'cancelSent' = 'cancelled';
  if (emr !== null) {
    // At the patient's wish it counts from now on as the patient's own cancellation: whoever first finds
    // it cancelled in the EMR, such as the sync, then keeps the fee.
    const countsAsPatients = asked.wantedBy === 'patient' && own.patientId !== null;
    let isAsked = false;
    const stands = await ports.database.inTransaction(async (tx) => {
      if ((await ofClosing?.isClosed(tx)) === false) return false;
      const standing = await ports.appointments.lockAppointment(tx, id);
      if (standing === null || !standsBooked(standing)) return false;
      isAsked = countsAsPatients && (await askToCancel(tx, id, now));
      return true;
    });
    if (!stands) return false;
    const letGoThere = await unlessUnanswered(id, () => cancelInEmr(emr, id));
    if (letGoThere === 'kept') {
      if (isAsked) await ports.database.inTransaction((tx) => stopCancelling(tx, id));
      return false;
    }
    if (letGoThere === null) kind = 'cancelSent';
  }
  const outcome = await transact(ports, async (tx) => {
    // With an EMR this was checked before: what the EMR was asked to cancel is cancelled here too.
    if (emr === null && (await ofClosing?.isClosed(tx)) === false) return { kind: 'gone' as const };
    await ports.appointments.lockPatient(tx, ports.parts, whoseOf(own));
    const { patientId } = own;
    const offered = ofClosing?.offered;
    const ending = { id, patientId, actor, ...asked, offered };
    const ended = await recordCancelled(ports, tx, ending, now);
    if (ended && kind === 'cancelSent') await enqueueCancelInEmr(ports, tx, id, now);
    if (ended) await ofClosing?.note(tx, kind);
    if (ended) await note?.(tx);
    return { kind: ended ? kind : ('gone' as const) };
  });
  return outcome.kind === kind ? kind : false;
}

/** For a hold that is released outside of a closing. */
const BY_ITSELF = { isClosed: () => Promise.resolve(true), note: () => Promise.resolve() };

/** Releases a patient's hold; false when it is gone, being paid for or being confirmed by the EMR. */
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
  const { emr, database, log } = ports;
  if (emr === null || !(await emrHealth(database.db, now)).isFollowed) return;
  const waiting = await toBeCancelled(database.db, now - PATIENCE_SECONDS, MOST_AT_ONCE);
  for (const id of pauses.keys()) if (!waiting.some((each) => each.id === id)) pauses.delete(id);
  for (const each of waiting) {
    const before = pauses.get(each.id);
    if (before && before.until > now) continue;
    let unanswered = false;
    await alone(ports, async () => {
      unanswered = (await letGo(ports, emr, each, now)).kind === 'cancelSent';
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
export async function letGo(
  ports: BookingPorts,
  emr: Emr,
  own: ToCancel,
  now: EpochSeconds,
): Promise<Cancelled | CancelSent | BookingRefusal> {
  const { id, patientId } = own;
  const isMoved = own.state === 'rescheduled';
  const asked = await unlessUnanswered(id, async () => ({
    // If staff have noted the patient as arrived or missed at the old time, the EMR keeps that entry.
    change: isMoved ? void (await cancelInEmr(emr, id)) : await cancelAsItStands(emr, own),
  }));
  if (asked === null) return { kind: 'cancelSent' };
  if (asked.change) {
    await followStaff(ports, own, asked.change, now);
    return refused('changedByClinic');
  }
  return transact<Cancelled>(ports, async (tx) => {
    await ports.appointments.lockPatient(tx, ports.parts, whoseOf(own));
    if (isMoved) await freeMoved(tx, id);
    else await recordCancelled(ports, tx, { id, patientId, actor: `patient:${patientId}` }, now);
    return { kind: 'cancelled' };
  });
}

/** Cancels in the EMR; returns what staff did first, or null once the EMR no longer has it. */
async function cancelAsItStands(emr: Emr, own: ToCancel): Promise<StaffChange | null> {
  const found = await emr.findByKey(emrKey(own.id));
  if (found === null || found === 'cancelled') return null;
  const change = staffCameFirst(own, found);
  if (change !== null) return change;
  const { kind } = await emr.cancel(cancelKey(own.id), found);
  // Staff changed it after it was read: the job reads it again.
  if (kind === 'changed') throw new EmrOutcomeUnknown(emrKey(own.id));
  return null;
}

/** The EMR's answer to a question while somebody waits, or null when it fails or is too late. */
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
