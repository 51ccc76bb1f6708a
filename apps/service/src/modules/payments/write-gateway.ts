import { TRIES_UNDER_ONE_KEY, paymentKeys } from '@clinic/domain';
import type { GatewayWrite } from '@clinic/domain';

import { GatewayOutcomeUnknown } from './gateway.ts';
import type { Payment, PaymentChange } from './payment.ts';
import { codeOf, isGatewayError } from './read-gateway.ts';
import type { GatewayError } from './read-gateway.ts';
import type { PaymentPorts } from './ports.ts';

/** The refunds of this service have one reason: the clinic took the slot back. */
const REFUND_REASON = 'slotRemoved';

/**
 * Makes the one call that a step decided, under its stored name; answers what went wrong, or null.
 * What became of it is found out by reading.
 */
export async function writeGateway(
  ports: Pick<PaymentPorts, 'gateway' | 'reports'>,
  payment: Payment,
  write: GatewayWrite,
): Promise<GatewayError | null> {
  try {
    await call(ports, payment, write);
    return null;
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    ports.reports.report({
      kind: write === 'create' ? 'charge' : write,
      code: codeOf(error),
      payment: payment.id,
      state: payment.state,
      tries: payment.tries,
    });
    return error;
  }
}

async function call(
  { gateway }: Pick<PaymentPorts, 'gateway'>,
  payment: Payment,
  write: GatewayWrite,
): Promise<unknown> {
  const { id, amountCents, paymentMethod, captureRound, cancelRound, refundRound } = payment;
  if (write === 'create')
    return gateway.createAndConfirm({
      key: paymentKeys.create(id),
      payment: id,
      amountCents,
      paymentMethod,
    });
  if (payment.intentId === null) throw new Error(`A ${write} without an intent`);
  switch (write) {
    case 'capture':
      return gateway.capture(paymentKeys.capture(id, captureRound), payment.intentId, amountCents);
    case 'cancel':
      return gateway.cancel(paymentKeys.cancel(id, cancelRound), payment.intentId);
    case 'refund':
      return gateway.refund(
        paymentKeys.refund(id, REFUND_REASON, refundRound),
        payment.intentId,
        amountCents,
      );
  }
}

/**
 * What must be remembered of a call that failed. An error that came as an answer would come again
 * under the same name, so the next try has another; a create call that was turned away is not on
 * its way any more.
 */
export function afterFailure(
  payment: Payment,
  write: GatewayWrite,
  error: GatewayError,
  calledBefore: number | null,
): PaymentChange {
  const inTheAir = error instanceof GatewayOutcomeUnknown && !error.answered;
  const unheard = inTheAir || error.name === 'GatewayUnreachable';
  const sameName = unheard && payment.tries % TRIES_UNDER_ONE_KEY !== 0;
  switch (write) {
    case 'create': {
      if (inTheAir) return {};
      if (error.name !== 'GatewayUnreachable') return { createCalledAt: null };
      // Turned away at the first try: as if nothing had been sent. Else an earlier one may still act.
      return payment.tries > 1
        ? { createCalledAt: calledBefore }
        : { createCalledAt: null, tries: 0 };
    }
    case 'capture':
      return sameName ? {} : { captureRound: payment.captureRound + 1 };
    case 'cancel':
      return sameName ? {} : { cancelRound: payment.cancelRound + 1 };
    case 'refund':
      return sameName ? {} : { refundRound: payment.refundRound + 1 };
  }
}
