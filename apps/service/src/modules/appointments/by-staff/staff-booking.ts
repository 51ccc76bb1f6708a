import { isReleased } from '@clinic/domain';

import type { Who } from '../../../security/audit.store.ts';
import type { AppointmentRef } from '../appointment.ts';
import { releaseByClinic } from '../cancel.ts';
import type { HoldPorts } from '../ports.ts';

/**
 * Releases a time that staff held for a payment link, and tells its patient. A payment under way is
 * given up first. False when the time is no longer held, or the payment could not be given up yet.
 */
export async function endPaymentLink(
  ports: HoldPorts,
  link: AppointmentRef,
  who: Who,
): Promise<boolean> {
  if (await releaseByClinic(ports, link, who)) return true;
  const { id, patientId } = link;
  if (patientId !== null) await ports.heldPayments.cancel(patientId, id, { actor: who.actor });
  if (await releaseByClinic(ports, link, who)) return true;
  // The payment may have released the hold when it was given up.
  const left = await ports.database.inTransaction((tx) =>
    ports.appointments.lockAppointment(tx, ports.parts, id),
  );
  return left !== null && isReleased(left);
}
