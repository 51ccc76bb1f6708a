import { OPEN_STATES } from '@clinic/domain';

import type { PatientId } from '../../security/sessions.ts';
import type { PaymentPorts } from './ports.ts';
import { lockPaidAppointment } from '../appointments/index.ts';
import { settleInTurn } from './settle-in-turn.ts';

/**
 * The patient leaves the slot that a payment is under way for: the intent is cancelled, and the hold
 * let go once the gateway has said so. Nothing happens without such a payment.
 */
export async function giveUpPayment(
  ports: PaymentPorts,
  patientId: PatientId,
  appointmentId: string,
): Promise<void> {
  const { database, payments, clock, appendAudit } = ports;
  const now = clock.now();
  const live = await payments.findLive(database.db, patientId);
  if (live?.appointmentId !== appointmentId) return;
  await database.inTransaction(async (tx) => {
    await lockPaidAppointment(tx, patientId, appointmentId);
    const payment = await payments.lock(tx, live.id);
    if (payment === null || !OPEN_STATES.includes(payment.state)) return;
    await payments.change(tx, payment, { state: 'cancelling', tries: 0, dueAt: now }, now);
    await appendAudit(tx, {
      actor: `patient:${patientId}`,
      action: 'payment given up',
      subject: `payment:${payment.id}`,
      details: { appointment: payment.appointmentId },
      at: now,
    });
  });
  const after = await payments.find(database.db, live.id);
  if (after?.state === 'cancelling') await settleInTurn(ports, live.id);
}
