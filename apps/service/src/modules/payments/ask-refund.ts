import { type MoneyState, type RefundReason, mayRefund, moneyStateOf } from '@clinic/domain';

import type { Who } from '../../security/audit.store.ts';
import { clearPaidCents, isFeeMoving, lockAppointmentOfPayment } from '../appointments/index.ts';
import { type PaymentPorts, advanceWhenUnleased } from './advance-payment.ts';
import type { Payment } from './store.ts';

/** What is known of a refund that was asked for, or why there is none. */
export type RefundOutcome =
  | { readonly kind: 'givenBack'; readonly state: MoneyState; readonly payment: Payment }
  | { readonly kind: 'refused'; readonly code: 'notFound' | 'notRefundable' | 'feeMoving' };

/**
 * Refunds a fee whose appointment the clinic has not cancelled: in full, and once, however often it is
 * called. The reason is stored with the payment before the gateway is asked, so that any process
 * can continue after a lost answer. The payer is emailed once the money was given back.
 */
export async function refundFee(
  ports: PaymentPorts,
  id: string,
  reason: RefundReason,
  { actor, now }: Who,
): Promise<RefundOutcome> {
  const { database, payments, appendAudit } = ports;
  const found = await payments.find(database.db, id);
  if (found === null) return { kind: 'refused', code: 'notFound' };
  const refused = await database.inTransaction(async (tx) => {
    await lockAppointmentOfPayment(ports, tx, found);
    const payment = await payments.lock(tx, id);
    if (payment.refundReason !== null) return null;
    if (!mayRefund(payment.state)) return 'notRefundable';
    if (await isFeeMoving(tx, payment.appointmentId)) return 'feeMoving';
    await payments.change(tx, payment, { refundReason: reason, dueAt: now }, now);
    // From now on no page says that it is paid, however long the gateway is away.
    await clearPaidCents(tx, payment.appointmentId);
    await appendAudit(tx, {
      actor,
      action: 'refund asked for',
      subject: `payment:${id}`,
      details: { appointment: payment.appointmentId, cents: payment.amountCents, reason },
      at: now,
    });
    return null;
  });
  if (refused !== null) return { kind: 'refused', code: refused };
  const settled = await advanceWhenUnleased(ports, id);
  const payment = settled?.payment ?? (await payments.find(database.db, id)) ?? found;
  return { kind: 'givenBack', state: moneyStateOf(payment.state, true), payment };
}
