import type { EpochSeconds } from '@clinic/domain';

import type { Tx } from '../../database/db.ts';
import type { StoredAppointment } from './appointment.ts';
import type { BookingPorts } from './ports.ts';

// What an appointment leaves in the outbox for the EMR; the module `emr` carries it out.

/** Outbox kind of a cancellation in the EMR, which is retried until the EMR answers. */
export const CANCEL_IN_EMR = 'cancel-in-emr';

/** Has the outbox cancel whatever the EMR still has of an appointment, after the transaction. */
export const enqueueCancelInEmr = (
  { outbox }: Pick<BookingPorts, 'outbox'>,
  tx: Tx,
  appointmentId: string,
  dueAt: EpochSeconds,
) => outbox.enqueue(tx, CANCEL_IN_EMR, { appointmentId }, dueAt);

/** Outbox kind of news for a provider. */
export const TICKLER_TO_EMR = 'tickler-to-emr';

type About = 'moved' | 'injuryClaim';

/** Queues ticklers for a patient's booking: that they moved it, and their injury-claim answers. */
export async function enqueueTicklers(
  { outbox, emr }: Pick<BookingPorts, 'outbox' | 'emr'>,
  tx: Tx,
  { id, rescheduledFrom, bookedBy, movedByClinic, contactPreference }: StoredAppointment,
  now: EpochSeconds,
): Promise<void> {
  if (emr === null || bookedBy !== null || movedByClinic) return;
  const about: About[] = [];
  if (rescheduledFrom !== null) about.push('moved');
  // Only the injury-claim form asks how the patient wants to be seen.
  if (contactPreference !== null) about.push('injuryClaim');
  for (const each of about)
    await outbox.enqueue(tx, TICKLER_TO_EMR, { about: each, appointmentId: id }, now);
}
