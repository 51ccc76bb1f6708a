import { renewedForBank } from '@clinic/domain';
import type { AppointmentFact, EpochSeconds } from '@clinic/domain';

import type { Tx } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import type { StoredAppointment } from './appointment.ts';
import { recordBooked } from './changes.ts';
import type { BookingPorts } from './reserve.ts';

type SettlePorts = Pick<BookingPorts, 'appointments' | 'parts' | 'appendAudit' | 'outbox'>;

/** Locks the patient, then the appointment, and reads it: the order that every writer keeps. */
export async function lockPaidAppointment(
  { appointments, parts }: Pick<BookingPorts, 'appointments' | 'parts'>,
  tx: Tx,
  { patientId, appointmentId }: { readonly patientId: PatientId; readonly appointmentId: string },
): Promise<StoredAppointment | null> {
  await appointments.lockPatient(tx, parts, patientId);
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

/** What a step of its payment does to an appointment, which is locked. */
export interface PaidStep {
  readonly patientId: PatientId;
  readonly appointmentId: string;
  readonly appointment: StoredAppointment | null;
  readonly change: 'leave' | 'book' | 'release';
  /** Whether the payment may still take money, and whether the patient is at the bank for it. */
  readonly payment: 'over' | 'open' | 'atBank';
}

/**
 * Changes an appointment as a step of its payment says: books it, with its trail and its e-mail;
 * lets it go; makes it an ordinary hold again when the payment is over; or gives it 30 minutes in
 * total while the patient is at the bank. Answers until when it is held after the step, or null
 * when it is not.
 */
export async function settleAppointment(
  ports: SettlePorts,
  tx: Tx,
  { patientId, appointmentId, appointment, change, payment }: PaidStep,
  now: EpochSeconds,
): Promise<EpochSeconds | null> {
  const { appointments, appendAudit } = ports;
  if (change === 'book') {
    const booked = await appointments.settle(tx, appointmentId, 'paying', now);
    if (booked === null) throw new Error('A paid slot was not held any more');
    await recordBooked(ports, tx, { patientId, appointment: booked }, now);
    return null;
  }
  if (change === 'release') {
    await appointments.stopPaying(tx, appointmentId, now);
    const subject = `appointment:${appointmentId}`;
    if (await appointments.release(tx, appointmentId, now))
      await appendAudit(tx, { actor: 'system:payments', action: 'hold lapsed', subject, at: now });
    return null;
  }
  if (appointment?.state !== 'held' || !appointment.paying) return null;
  if (payment === 'over') {
    await appointments.stopPaying(tx, appointmentId, now);
    return null;
  }
  const hold = { heldAt: appointment.holdPlacedAt ?? now, until: appointment.holdExpiresAt ?? now };
  const until = (payment === 'atBank' && renewedForBank(hold, now)?.until) || hold.until;
  if (until !== hold.until) await appointments.prolongPaying(tx, appointmentId, { until }, now);
  return until;
}
