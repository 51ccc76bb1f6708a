import type { EpochSeconds } from '@clinic/domain';

import type { Tx } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.ts';
import { moveMoney } from '../receipts/index.ts';
import type { StoredAppointment } from './appointment.ts';
import type { AppointmentEvent } from './emails.ts';
import type { Offer } from './offer.ts';
import type { BookingPorts } from './ports.ts';
import { refused } from './refusals.ts';
import type { BookingRefusal } from './refusals.ts';
import { ignoredOf } from './appointment-details.ts';
import type { BookedAppointment, AppointmentRequest } from './appointment-details.ts';

/** The outbox kind of emails about appointments; what stands in it is ids, never a name or a reason. */
export const APPOINTMENT_EMAIL = 'appointment-email';

/** The change that an email tells of, as it stands in the outbox. */
export interface EmailOf {
  readonly event: AppointmentEvent;
  readonly appointmentId: string;
  /** The change's number in calendars, whatever becomes of the appointment until the email is sent. */
  readonly sequence: number;
  /** The clinic gave the appointment up, not its patient. */
  readonly byClinic?: true;
}

export function enqueueEmail(
  ports: Pick<BookingPorts, 'outbox'>,
  tx: Tx,
  email: EmailOf,
  now: EpochSeconds,
): Promise<void> {
  return ports.outbox.enqueue(tx, APPOINTMENT_EMAIL, { ...email }, now);
}

/** What goes with an appointment that has become an appointment: the end of the moved one, audit, email. */
export async function recordAppointment(
  ports: BookingPorts,
  tx: Tx,
  request: AppointmentRequest,
  offer: Offer,
  appointment: StoredAppointment,
  moved: StoredAppointment | null,
  now: EpochSeconds,
): Promise<BookedAppointment | BookingRefusal> {
  const { patientId } = request;
  if (offer.doctor === null || offer.type === null) throw new Error('Booked what is not offered');
  if (
    moved &&
    (await ports.appointments.endAppointment(tx, patientId, moved.id, 'rescheduled', now)) === null
  )
    // Ended meanwhile by somebody else, such as the clinic: nothing moves. The caller rolls back.
    return refused('slotTaken');
  if (moved) await moveMoney(tx, moved.id, appointment.id, now);
  await Promise.all([
    auditAppointment(ports, tx, patientId, appointment, ignoredOf(request, moved), now),
    enqueueEmail(ports, tx, emailOf(moved ? 'rescheduled' : 'booked', appointment), now),
  ]);
  return {
    kind: moved ? 'rescheduled' : 'booked',
    appointment,
    description: offer.type.description,
    doctor: offer.doctor,
  };
}

export const emailOf = (event: AppointmentEvent, { id, sequence }: StoredAppointment): EmailOf => ({
  event,
  appointmentId: id,
  sequence,
});

export function auditAppointment(
  ports: Pick<BookingPorts, 'appendAudit'>,
  tx: Tx,
  patientId: PatientId,
  appointment: StoredAppointment,
  ignored: readonly string[],
  now: EpochSeconds,
): Promise<void> {
  return ports.appendAudit(tx, {
    actor: `patient:${patientId}`,
    action: appointment.rescheduledFrom === null ? 'appointment booked' : 'appointment rescheduled',
    subject: `appointment:${appointment.id}`,
    details: {
      provider: appointment.providerId,
      start: appointment.start,
      type: appointment.type,
      ...(appointment.rescheduledFrom === null ? {} : { movedFrom: appointment.rescheduledFrom }),
      ...(ignored.length === 0 ? {} : { ignored }),
    },
    at: now,
  });
}
