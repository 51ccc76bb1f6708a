import { LIVE_STATES, nextLook, paymentStep } from '@clinic/domain';
import type {
  ClaimFact,
  EpochSeconds,
  GatewayWrite,
  PaymentAlarm,
  PaymentStep,
} from '@clinic/domain';

import type { Tx } from '../../platform/db.ts';
import { confirmClaim, prolongForBank, releasePaidClaim, stopPaying } from '../booking/index.ts';
import type { Claim } from '../booking/index.ts';
import type { Payment } from './payment.ts';
import type { PaymentPorts } from './ports.ts';
import type { GatewayView } from './read-gateway.ts';
import { enqueueRefundLetter } from './refund-letter.ts';

/** All that a step is decided from, read under the locks on patient, claim and payment. */
export interface StepGrounds {
  readonly payment: Payment;
  readonly claim: Claim | null;
  readonly fact: ClaimFact;
  readonly view: GatewayView;
  readonly mayWrite: (write: GatewayWrite) => boolean;
}

/** Decides a step and writes all of it: claim, payment, trail, letter. Answers the call to make. */
export async function applyStep(
  ports: PaymentPorts,
  tx: Tx,
  { payment, claim, fact, view, mayWrite }: StepGrounds,
  now: EpochSeconds,
): Promise<{ readonly payment: Payment; readonly write: GatewayWrite | null }> {
  const step = paymentStep(payment.state, view.fact, fact);
  const write = step.write !== null && mayWrite(step.write) ? step.write : null;
  const holdUntil = await moveClaim(ports, tx, payment, claim, step, now);
  const tries = (step.next === payment.state ? payment.tries : 0) + (write === null ? 0 : 1);
  const declined = view.intent?.declined ?? null;
  const changed = await ports.payments.change(
    tx,
    payment,
    {
      state: step.next,
      intentId: view.intent?.id ?? payment.intentId,
      ...(step.next === 'declined' && declined !== null
        ? { declineCode: declined.code, declineMessage: declined.message }
        : {}),
      tries,
      dueAt: nextLook(step.next, tries, holdUntil, now),
      alarm: alarmOf(payment, view, step),
      ...(write === 'create' ? { createCalledAt: now } : {}),
    },
    now,
  );
  if (step.alarm !== null && step.alarm !== payment.alarm) raise(ports, payment, step.alarm);
  if (step.next === 'refunded' && payment.state !== 'refunded')
    await enqueueRefundLetter(ports.outbox, tx, payment.id, now);
  if (step.next !== payment.state)
    await ports.appendAudit(tx, {
      actor: 'system:payments',
      action: `payment ${step.next.replaceAll('_', ' ')}`,
      subject: `payment:${payment.id}`,
      details: { claim: payment.claimId, cents: payment.amountCents, from: payment.state },
      at: now,
    });
  return { payment: changed, write };
}

/** Until when the claim is held after the step, or null when it is not. */
async function moveClaim(
  ports: PaymentPorts,
  tx: Tx,
  { patientId, claimId }: Payment,
  claim: Claim | null,
  step: PaymentStep,
  now: EpochSeconds,
): Promise<EpochSeconds | null> {
  if (step.claim === 'book') {
    await confirmClaim(ports, tx, patientId, claimId, now);
    return null;
  }
  if (step.claim === 'release') {
    await releasePaidClaim(ports, tx, claimId, now);
    return null;
  }
  if (claim?.state !== 'held' || !claim.paying) return null;
  if (!LIVE_STATES.includes(step.next)) {
    await stopPaying(tx, claimId, now);
    return null;
  }
  return step.next === 'requires_action' ? prolongForBank(tx, claim, now) : claim.holdExpiresAt;
}

function alarmOf(payment: Payment, view: GatewayView, step: PaymentStep): PaymentAlarm | null {
  const lasting = step.next === 'capture_failed' || step.next === 'refund_failed';
  return step.alarm ?? (lasting || view.fact === 'unanswered' ? payment.alarm : null);
}

/** Nothing mends it by itself: operators see it in the log and in the error reports. */
function raise({ reports, log }: PaymentPorts, payment: Payment, alarm: PaymentAlarm): void {
  reports.report({ kind: 'settle', code: alarm, payment: payment.id, state: payment.state });
  log.event(`payment-alarm:${alarm}`);
}
