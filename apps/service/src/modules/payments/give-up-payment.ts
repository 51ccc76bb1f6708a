import { OPEN_STATES } from '@clinic/domain';

import type { PatientId } from '../../platform/sessions.ts';
import type { PaymentPorts } from './ports.ts';
import { lockPaidClaim } from '../booking/index.ts';
import type { Claim } from '../booking/index.ts';
import { settleInTurn } from './settle-in-turn.ts';

/** A slot as a request names it, not yet believed. */
export interface AskedSlot {
  readonly doctor: unknown;
  readonly start: unknown;
  readonly selectedType: unknown;
}

/**
 * The patient leaves the slot that a payment is under way for: the intent is cancelled, and the hold
 * let go once the gateway has said so. Nothing happens without such a payment.
 */
export async function giveUpPayment(
  ports: PaymentPorts,
  patientId: PatientId,
  asked: AskedSlot | null,
): Promise<void> {
  const { database, payments, clock, appendAudit } = ports;
  const now = clock.now();
  const live = await payments.findLive(database.db, patientId);
  if (live === null) return;
  await database.inTransaction(async (tx) => {
    const claim = await lockPaidClaim(tx, patientId, live.claimId);
    if (asked !== null && claim !== null && isFor(claim, asked)) return;
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

function isFor(claim: Claim, { doctor, start, selectedType }: AskedSlot): boolean {
  return claim.providerId === doctor && claim.start === start && claim.type === selectedType;
}
