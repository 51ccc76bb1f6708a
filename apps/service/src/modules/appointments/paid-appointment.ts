import type { ApiAnswers } from '@clinic/contract';
import { renewedForBank, toClinic } from '@clinic/domain';
import type { AppointmentFact, EpochSeconds } from '@clinic/domain';

import type { RecordId, ProviderId } from '../records/emr.ts';
import type { Database, Tx } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.ts';
import { emrKey } from './ask-emr.ts';
import type { StoredAppointment } from './appointment.ts';
import { appointments } from './appointments.store.ts';
import type { BookingPorts } from './ports.ts';
import { auditAppointment, enqueueEmail, emailOf } from './record-appointment.ts';
import { answersContext } from './appointment-details.ts';

export type { StoredAppointment } from './appointment.ts';

/** Locks the patient, then the appointment, and reads it: the order that every writer keeps. */
export async function lockPaidAppointment(
  tx: Tx,
  patientId: PatientId,
  appointmentId: string,
): Promise<StoredAppointment | null> {
  await appointments.lockPatientOnly(tx, patientId);
  return appointments.lockAppointment(tx, appointmentId);
}

/** What became of the appointment that a payment is for. */
export function appointmentFactOf(
  appointment: StoredAppointment | null,
  givenUpByPatient: boolean,
  now: EpochSeconds,
): AppointmentFact {
  switch (appointment?.state) {
    case 'held':
      if (!appointment.paying) return 'gone';
      return now < (appointment.holdExpiresAt ?? 0) ? 'held' : 'lapsed';
    case 'booked':
    case 'registered':
    case 'completed':
    case 'no-show':
    case 'rescheduled':
      return 'active';
    case 'cancelled':
      return givenUpByPatient ? 'cancelledByPatient' : 'gone';
    case 'released':
    case undefined:
      return 'gone';
  }
}

/** Books a paid appointment: the appointment, its trail and its email. The appointment must be locked and held. */
export async function confirmAppointment(
  ports: Pick<BookingPorts, 'appendAudit' | 'outbox'>,
  tx: Tx,
  patientId: PatientId,
  appointmentId: string,
  now: EpochSeconds,
): Promise<void> {
  const appointment = await appointments.settlePaid(tx, appointmentId, now);
  if (appointment === null) throw new Error('A paid claim was not held any more');
  await auditAppointment(ports, tx, patientId, appointment, [], now);
  await enqueueEmail(ports, tx, emailOf('booked', appointment), now);
}

/** Lets an appointment go whose payment came to nothing. */
export async function releasePaidAppointment(
  ports: Pick<BookingPorts, 'appendAudit'>,
  tx: Tx,
  appointmentId: string,
  now: EpochSeconds,
): Promise<void> {
  await appointments.stopPaying(tx, appointmentId, now);
  if (!(await appointments.release(tx, appointmentId, now))) return;
  await ports.appendAudit(tx, {
    actor: 'system:payments',
    action: 'hold lapsed',
    subject: `appointment:${appointmentId}`,
    at: now,
  });
}

/** The payment is over and the hold is not: it may lapse by itself again. */
export async function stopPaying(tx: Tx, appointmentId: string, now: EpochSeconds): Promise<void> {
  await appointments.stopPaying(tx, appointmentId, now);
}

/** The patient is at the bank: 30 minutes in total. Answers until when. */
export async function prolongForBank(
  tx: Tx,
  appointment: StoredAppointment,
  now: EpochSeconds,
): Promise<number> {
  const hold = { heldAt: appointment.holdPlacedAt ?? now, until: appointment.holdExpiresAt ?? now };
  const until = renewedForBank(hold, now)?.until ?? hold.until;
  if (until !== hold.until) await appointments.prolongPaying(tx, appointment.id, until, now);
  return until;
}

/**
 * Books a held and paid appointment in records that another system keeps, outside of any transaction, under
 * the appointment's key: repeating it is harmless. False when they do not take it; true when our appointments are
 * the book anyway, or the appointment is not held.
 */
export async function bookInEmr(
  ports: Pick<BookingPorts, 'emr' | 'keyring'> & { readonly database: Database },
  appointmentId: string,
): Promise<boolean> {
  if (ports.emr.keepsOurBook) return true;
  const appointment = await ports.database.inTransaction((tx) =>
    appointments.lockAppointment(tx, appointmentId),
  );
  const sealed = await appointments.sealedAnswers(ports.database.db, appointmentId);
  if (appointment === null || !appointment.paying || sealed === null) return true;
  const answers = JSON.parse(
    ports.keyring.open(answersContext(appointmentId), sealed),
  ) as ApiAnswers;
  const answer = await ports.emr.book({
    key: emrKey(appointmentId),
    providerId: appointment.providerId as ProviderId,
    recordId: appointment.recordId as RecordId,
    date: appointment.clinicDate,
    start: toClinic(appointment.start).time,
    end: toClinic(appointment.end).time,
    type: appointment.type,
    reason: answers.reason,
  });
  return answer.kind === 'booked' || answer.kind === 'alreadyBooked';
}
