import { whyCannotCancel } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';

import type { Tx } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.ts';
import { keepMoney } from '../receipts/index.ts';
import { emrIdOf } from './ask-emr.ts';
import type { StoredAppointment } from './appointment.ts';
import { whyTooOften } from './limits.ts';
import { transact } from './ports.ts';
import type { BookingPorts, CountedPorts } from './ports.ts';
import { enqueueEmail } from './record-appointment.ts';
import { refused } from './refusals.ts';
import type { BookingRefusal } from './refusals.ts';
import { asAppointment } from './reschedule-target.ts';

export type CancelOutcome = { readonly kind: 'cancelled' } | BookingRefusal;

/**
 * Cancels an appointment (§5, R-53). Repeating it is harmless, and so is cancelling an appointment that was moved:
 * its successor stands. In records that another system keeps, the appointment is cancelled there
 * first; a cancel that we then cannot write is found again by the patient's next try.
 */
export async function cancelAppointment(
  ports: CountedPorts,
  patientId: PatientId,
  appointmentId: string,
  now: EpochSeconds,
): Promise<CancelOutcome> {
  const { keepsOurBook } = ports.emr;
  const tooMany = (tx: Tx) => whyTooOften(ports, tx, patientId, 'cancellations', now);
  const allowed = await transact(ports, async (tx) => {
    const appointment = await lockedAppointment(ports, tx, patientId, appointmentId, now);
    const outcome = appointment === null ? refused('notFound') : decide(appointment, now);
    // Before the records are told, which is not taken back.
    if (outcome.kind !== 'cancel' || keepsOurBook) return outcome;
    return (await tooMany(tx)) ?? outcome;
  });
  if (allowed.kind !== 'cancel') return allowed;
  if (!keepsOurBook) {
    const id = await emrIdOf(ports.emr, appointmentId);
    if (id) await ports.emr.cancel(`cancel:${appointmentId}`, id);
  }
  return transact(ports, async (tx) => {
    await ports.appointments.lockPatientOnly(tx, patientId);
    const why = keepsOurBook ? await tooMany(tx) : null;
    if (why) return why;
    const sequence = await ports.appointments.endAppointment(
      tx,
      patientId,
      appointmentId,
      'cancelled',
      now,
    );
    if (sequence === null) return { kind: 'cancelled' as const };
    await keepMoney(tx, appointmentId, now);
    await ports.appendAudit(tx, {
      actor: `patient:${patientId}`,
      action: 'appointment cancelled',
      subject: `appointment:${appointmentId}`,
      at: now,
    });
    await enqueueEmail(ports, tx, { event: 'cancelled', appointmentId, sequence }, now);
    return { kind: 'cancelled' as const };
  });
}

async function lockedAppointment(
  { appointments }: BookingPorts,
  tx: Tx,
  patientId: PatientId,
  appointmentId: string,
  now: EpochSeconds,
): Promise<StoredAppointment | null> {
  const [, own] = await Promise.all([
    appointments.lockPatientOnly(tx, patientId),
    appointments.standing(tx, patientId, now, null, [appointmentId]),
  ]);
  return (
    own.find(({ id, state }) => id === appointmentId && state !== 'held' && state !== 'released') ??
    null
  );
}

function decide(
  appointment: StoredAppointment,
  now: EpochSeconds,
): CancelOutcome | { readonly kind: 'cancel' } {
  if (appointment.state === 'cancelled' || appointment.state === 'rescheduled')
    return { kind: 'cancelled' };
  return whyCannotCancel(asAppointment(appointment), now) === null
    ? { kind: 'cancel' }
    : refused('notCancellable');
}
