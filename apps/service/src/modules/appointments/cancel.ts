import {
  isConfirming,
  isHold,
  hasPaymentLink,
  isReleased,
  mayLapse,
  isBooked,
  whyCannotCancel,
} from '@clinic/domain';
import type { ClosingOutcome, EpochSeconds, OfferedTime, OverrideReason } from '@clinic/domain';

import type { Tx } from '../../database/db.ts';
import type { Who } from '../../security/audit.store.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { refusal, ownerOf } from './appointment.ts';
import type { BookingRefusal, AppointmentRef, StoredAppointment } from './appointment.ts';
import {
  type Ended,
  RULES_OVERRIDDEN,
  audit,
  enqueueCancelInEmr,
  recordCancelled,
  enqueuePaymentLinkEnded,
  transact,
} from './changes.ts';
import { askToCancel, stopCancelling } from './in-emr/cancelling.store.ts';
import type { BookingPorts, CancelSent, Cancelled } from './ports.ts';

/**
 * Cancels an appointment. Repeating it is harmless, and so is cancelling an appointment that was
 * moved: the new one stays booked.
 */
export async function cancelAppointment(
  ports: BookingPorts,
  patientId: PatientId,
  id: string,
  now: EpochSeconds,
): Promise<Cancelled | CancelSent | BookingRefusal> {
  const { appointments, config, emr, emrBook } = ports;
  const allowed = await transact(ports, async (tx) => {
    const outcome = await mayCancelIn(ports, tx, { id, patientId }, now);
    if (outcome.kind !== 'cancel') return outcome;
    const limit = { counted: 'cancellations', rule: config.rates.cancellations } as const;
    const retryAfter = await appointments.retryAfter(tx, patientId, limit, now);
    if (retryAfter !== null) return refusal('tooManyRequests', { retryAfter });
    if (emr !== null) return { kind: 'askEmr' as const, emr, appointment: outcome.appointment };
    await recordCancelled(ports, tx, { id, patientId, actor: `patient:${patientId}` }, now);
    return { kind: 'cancelled' as const };
  });
  return allowed.kind === 'askEmr'
    ? emrBook.cancel(ports, allowed.emr, { ...allowed.appointment, patientId }, now)
    : allowed;
}

export interface MayCancel {
  readonly kind: 'cancel';
  readonly appointment: StoredAppointment;
}

/** Whether a patient may cancel. Locks them, so that none of their other requests is decided at the same time. */
export async function mayCancelIn(
  { appointments, parts }: BookingPorts,
  tx: Tx,
  { id, patientId }: { readonly id: string; readonly patientId: PatientId },
  now: EpochSeconds,
): Promise<Cancelled | CancelSent | MayCancel | BookingRefusal> {
  const [, own] = await Promise.all([
    appointments.lockPatient(tx, parts, patientId),
    appointments.listOwn(tx, parts, patientId, { requestKey: null, ids: [id] }, now),
  ]);
  const appointment = own.find((each) => each.id === id);
  if (!appointment || isHold(appointment) || isReleased(appointment)) return refusal('notFound');
  if (appointment.state === 'cancelled' || appointment.state === 'rescheduled')
    return { kind: 'cancelled' };
  if (appointment.cancelAskedAt !== null) return { kind: 'cancelSent' };
  // While the EMR confirms the time that this appointment moves to, the move decides what becomes of it.
  if (own.some((each) => isConfirming(each) && each.rescheduledFrom === id))
    return refusal('clinicConfirming');
  const why = whyCannotCancel(appointment, now);
  return why === null ? { kind: 'cancel', appointment } : refusal('notCancellable');
}

/** What cancelling an appointment as part of a closing needs. */
interface OfClosing {
  /** Whether the time is still closed; no one can reopen it until the transaction ends. */
  readonly isClosed: (tx: Tx) => Promise<boolean>;
  /** The free times that the email names. */
  readonly offered: readonly OfferedTime[];
  /** Records the outcome, in the transaction that ends the appointment or hold. */
  readonly note: (tx: Tx, outcome: ClosingOutcome) => Promise<void>;
}

/**
 * the clinic cancels an appointment, whatever the hour and the fee. The payments sweeper refunds
 * in full what was paid. False when it had ended, the time is open again, or staff keep it in
 * the EMR.
 */
export const cancelByClinic = (
  ports: BookingPorts,
  own: AppointmentRef,
  who: Who,
  { ofClosing, undoableBy }: Pick<ByStaff, 'ofClosing' | 'undoableBy'> = {},
): Promise<EndedByStaff> =>
  endByStaff(ports, own, who, { byClinic: true, wantedBy: 'clinic', ofClosing, undoableBy });

/** 'cancelSent': cancelled here; the EMR did not answer, and the outbox cancels it there. */
type EndedByStaff = 'cancelled' | 'cancelSent' | false;

/**
 * staff cancel at the patient's wish, under the patient's rules: what was paid is
 * kept, and an appointment that the patient could not cancel stays, unless staff give a reason. False
 * when it had ended, or staff keep it in the EMR.
 */
export async function cancelForPatient(
  ports: BookingPorts,
  own: AppointmentRef,
  who: Who,
  { undoableBy, overrideReason }: ForPatient = {},
): Promise<EndedByStaff | 'notCancellable'> {
  const standing = await ports.database.inTransaction((tx) =>
    ports.appointments.lockAppointment(tx, ports.parts, own.id),
  );
  if (standing === null || !isBooked(standing)) return false;
  const why = whyCannotCancel(standing, who.now);
  if (why !== null && overrideReason === undefined) return 'notCancellable';
  return endByStaff(ports, own, who, {
    wantedBy: 'patient',
    undoableBy,
    note: async (tx) => {
      const details = { rules: [why], reason: overrideReason };
      const entry = { actor: who.actor, action: RULES_OVERRIDDEN, details, at: who.now };
      if (why !== null) await audit(ports, tx, own.id, entry);
    },
  });
}

interface ForPatient extends Pick<ByStaff, 'undoableBy'> {
  readonly overrideReason?: OverrideReason | undefined;
}

interface ByStaff extends Pick<Ended, 'byClinic' | 'wantedBy'> {
  readonly ofClosing?: OfClosing | undefined;
  /** The id of whom can undo it for a moment, unless the patient had come or an EMR keeps it. */
  readonly undoableBy?: string | undefined;
  /** Writes further audit entries, in the transaction that ends the appointment. */
  readonly note?: (tx: Tx) => Promise<void>;
}

async function endByStaff(
  ports: BookingPorts,
  { id, ...own }: AppointmentRef,
  { actor, now }: Who,
  { ofClosing, note, undoableBy, ...asked }: ByStaff,
): Promise<EndedByStaff> {
  const { emr, emrBook } = ports;
  let kind: 'cancelled' | 'cancelSent' = 'cancelled';
  if (emr !== null) {
    // At the patient's wish it counts from now on as the patient's own cancellation: the process that first finds
    // it cancelled in the EMR, such as the sync, then keeps the fee.
    const countsAsPatients = asked.wantedBy === 'patient' && own.patientId !== null;
    let isAsked = false;
    const stands = await ports.database.inTransaction(async (tx) => {
      if ((await ofClosing?.isClosed(tx)) === false) return false;
      const standing = await ports.appointments.lockAppointment(tx, ports.parts, id);
      if (standing === null || !isBooked(standing)) return false;
      isAsked = countsAsPatients && (await askToCancel(tx, id, now));
      return true;
    });
    if (!stands) return false;
    const withdrawn = await emrBook.withdraw(emr, id);
    if (withdrawn === 'kept') {
      if (isAsked) await ports.database.inTransaction((tx) => stopCancelling(tx, id));
      return false;
    }
    if (withdrawn === null) kind = 'cancelSent';
  }
  const outcome = await transact(ports, async (tx) => {
    // With an EMR this was checked before: what the EMR was asked to cancel is cancelled here too.
    if (emr === null && (await ofClosing?.isClosed(tx)) === false) return { kind: 'gone' as const };
    await ports.appointments.lockPatient(tx, ports.parts, ownerOf(own));
    const { patientId } = own;
    const offered = ofClosing?.offered;
    const act = undoableBy === undefined ? null : await undoableCancelling(undoableBy, tx);
    const ending = { id, patientId, actor, ...asked, offered, act };
    const ended = await recordCancelled(ports, tx, ending, now);
    if (ended && kind === 'cancelSent') await enqueueCancelInEmr(ports, tx, id, now);
    if (ended) await ofClosing?.note(tx, kind);
    if (ended) await note?.(tx);
    return { kind: ended ? kind : ('gone' as const) };
  });
  return outcome.kind === kind ? kind : false;

  async function undoableCancelling(staffId: string, tx: Tx) {
    if (emr !== null) return null;
    const standing = await ports.appointments.lockAppointment(tx, ports.parts, id);
    if (standing?.state !== 'booked') return null;
    return { id: ports.ids.uuid(), staffId, paidCents: standing.paidNow };
  }
}

/** Releases a patient's hold; false when it is gone, being paid for or being confirmed by the EMR. */
export async function releaseByClinic(
  ports: BookingPorts,
  { id, patientId }: AppointmentRef,
  { actor, now }: Who,
  ofClosing?: Pick<OfClosing, 'isClosed' | 'note'>,
): Promise<boolean> {
  if (patientId === null) return false;
  const outcome = await transact(ports, async (tx) => {
    if ((await ofClosing?.isClosed(tx)) === false) return { kind: 'gone' as const };
    await ports.appointments.lockPatient(tx, ports.parts, patientId);
    const standing = await ports.appointments.lockAppointment(tx, ports.parts, id);
    if (standing === null || !mayLapse(standing)) return { kind: 'gone' as const };
    await ports.appointments.release(tx, id, now);
    await audit(ports, tx, id, { actor, action: 'hold released', at: now });
    if (hasPaymentLink(standing)) await enqueuePaymentLinkEnded(ports, tx, standing, now);
    await ofClosing?.note(tx, 'released');
    return { kind: 'released' as const };
  });
  return outcome.kind === 'released';
}
