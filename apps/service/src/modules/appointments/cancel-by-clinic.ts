import type { EpochSeconds } from '@clinic/domain';

import type { PatientId } from '../../security/sessions.ts';
import { emrIdOf } from './ask-emr.ts';
import { type DayAppointment, endWithoutAccount } from './day-appointments.store.ts';
import { transact } from './ports.ts';
import type { BookingPorts } from './ports.ts';
import { enqueueEmail } from './record-appointment.ts';

export interface Who {
  readonly actor: string;
  readonly now: EpochSeconds;
}

/**
 * the clinic gives an appointment up, whatever the hour and the fee. What was paid for it is not kept:
 * the payments sweeper gives it back in full. False when the appointment stood no more.
 */
export async function cancelByClinic(
  ports: BookingPorts,
  { id, patientId }: DayAppointment,
  { actor, now }: Who,
): Promise<boolean> {
  if (!ports.emr.keepsOurBook) {
    const known = await emrIdOf(ports.emr, id);
    if (known) await ports.emr.cancel(`cancel:${id}`, known);
  }
  const outcome = await transact(ports, async (tx) => {
    const subject = `appointment:${id}`;
    if (patientId === null) {
      if (!(await endWithoutAccount(tx, id, now))) return { kind: 'gone' as const };
      await ports.appendAudit(tx, { actor, action: 'appointment cancelled', subject, at: now });
      return { kind: 'cancelled' as const };
    }
    const owner = patientId as PatientId;
    await ports.appointments.lockPatientOnly(tx, owner);
    const sequence = await ports.appointments.endAppointment(tx, owner, id, 'cancelled', now);
    if (sequence === null) return { kind: 'gone' as const };
    await ports.appendAudit(tx, { actor, action: 'appointment cancelled', subject, at: now });
    const email = { event: 'cancelled', appointmentId: id, sequence, byClinic: true } as const;
    await enqueueEmail(ports, tx, email, now);
    return { kind: 'cancelled' as const };
  });
  return outcome.kind === 'cancelled';
}

/** Takes a hold back that nobody pays for; false when it was gone or is under way. */
export async function releaseByClinic(
  ports: BookingPorts,
  { id, patientId, underWay }: DayAppointment,
  { actor, now }: Who,
): Promise<boolean> {
  if (patientId === null || underWay) return false;
  const outcome = await transact(ports, async (tx) => {
    await ports.appointments.lockPatientOnly(tx, patientId as PatientId);
    const standing = await ports.appointments.lockAppointment(tx, id);
    if (standing?.state !== 'held' || standing.paying || standing.confirming)
      return { kind: 'gone' as const };
    await ports.appointments.release(tx, id, now);
    const subject = `appointment:${id}`;
    await ports.appendAudit(tx, { actor, action: 'hold released', subject, at: now });
    return { kind: 'released' as const };
  });
  return outcome.kind === 'released';
}
