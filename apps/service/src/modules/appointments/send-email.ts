import { allowedChanges } from '@clinic/domain';

import type { Clock } from '../../server/clock.ts';
import type { Mail } from '../../server/mail.ts';
import type { Database } from '../../database/db.ts';
import type { EmailHead } from '../../server/email-head.ts';
import type { OutboxHandler } from '../../database/outbox.ts';
import { receiptOf } from '../receipts/index.ts';
import { appointmentEmail } from './emails.ts';
import type { AppointmentEvent } from './emails.ts';
import { asAppointment } from './reschedule-target.ts';
import { emailFacts } from './listed-appointments.store.ts';

const EVENTS: readonly string[] = [
  'booked',
  'rescheduled',
  'cancelled',
] satisfies AppointmentEvent[];
const isEvent = (text: unknown): text is AppointmentEvent =>
  typeof text === 'string' && EVENTS.includes(text);

/** Writes and sends the email that an outbox row stands for; the row itself names nobody (S-8). */
export function sendAppointmentEmail(
  ports: { readonly database: Database; readonly mail: Mail; readonly clock: Clock },
  head: EmailHead,
): OutboxHandler {
  return async ({ event, appointmentId, sequence, byClinic }) => {
    if (!isEvent(event) || typeof appointmentId !== 'string')
      throw new Error('This outbox row is no visit letter');
    const facts = await emailFacts(ports.database.db, appointmentId);
    if (facts === null) return;
    const { appointment, doctor, movedFrom, to } = facts;
    const paid = event === 'booked' && appointment.paidCents > 0;
    const receipt = paid ? await receiptOf(ports.database.db, appointmentId) : null;
    const now = ports.clock.now();
    const told = {
      appointmentId,
      bookingNumber: appointment.bookingNumber ?? appointment.id,
      // A row of an earlier version has no number of its own.
      sequence: typeof sequence === 'number' ? sequence : appointment.sequence,
      type: appointment.type,
      contactPreference: appointment.contactPreference,
      start: appointment.start,
      end: appointment.end,
      doctor,
      changes: allowedChanges(asAppointment(appointment), now),
      ...(receipt === null ? {} : { receipt }),
      ...(byClinic === true ? { byClinic: { refundedCents: appointment.paidCents } } : {}),
      ...(event === 'rescheduled' && movedFrom !== null ? { movedFrom } : {}),
    };
    await ports.mail.send(appointmentEmail(event, to, told, head, now));
  };
}
