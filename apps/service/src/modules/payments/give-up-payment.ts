import { OPEN_STATES } from '@clinic/domain';

import type { PatientId } from '../../platform/sessions.ts';
import type { PaymentPorts } from './ports.ts';
import { lockPaidClaim } from '../booking/index.ts';
import { settleInTurn } from './settle-in-turn.ts';

/**
 * The patient leaves the slot that a payment is under way for: the intent is cancelled, and the hold
 * let go once the gateway has said so. Nothing happens without such a payment.
 */
export async function giveUpPayment(
  ports: PaymentPorts,
  patientId: PatientId,
  claimId: string,
): Promise<void> {
  const { database, payments, clock, appendAudit } = ports;
  const now = clock.now();
  const live = await payments.findLive(database.db, patientId);
  if (live?.claimId !== claimId) return;
  await database.inTransaction(async (tx) => {
    await lockPaidClaim(tx, patientId, claimId);
    const payment = await payments.lock(tx, live.id);
    if (payment === null || !OPEN_STATES.includes(payment.state)) return;
    await payments.change(tx, payment, { state: 'cancelling', tries: 0, dueAt: now }, now);
    await appendAudit(tx, {
      actor: `patient:${patientId}`,
      action: 'payment given up',
      subject: `payment:${payment.id}`,
      details: { claim: payment.claimId },
      at: now,
    });
  });
  const after = await payments.find(database.db, live.id);
  if (after?.state === 'cancelling') await settleInTurn(ports, live.id);
}
