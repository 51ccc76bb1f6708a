import { CREATE_SETTLES_SECONDS, TRIES_UNDER_ONE_KEY, paymentKeys } from '@clinic/domain';
import type { EpochSeconds, GatewayFact, GatewayWrite } from '@clinic/domain';

import {
  GatewayDeclined,
  GatewayOutcomeUnknown,
  GatewayRefused,
  GatewayUnreachable,
} from './gateway.ts';
import type { Intent, PaymentGateway } from './gateway.ts';
import type { PaymentPorts } from './ports.ts';
import type { Payment, PaymentChange } from './store.ts';

/** What the gateway says of a payment, and the intent it said it of. */
export interface GatewayView {
  readonly fact: GatewayFact;
  readonly intent: Intent | null;
}

/** The gateway's clock may be behind ours. */
const CLOCKS_APART = 600;

/** Asks the gateway; an intent that was made and never heard of is found by its metadata. */
export async function readGateway(
  { gateway, reports }: Pick<PaymentPorts, 'gateway' | 'reports'>,
  payment: Payment,
  now: EpochSeconds,
): Promise<GatewayView> {
  if (payment.state === 'created' && payment.intentId === null && payment.tries === 0)
    // Begun, and nothing sent yet.
    return { fact: isSettled(payment, now) ? 'absent' : 'unsure', intent: null };
  try {
    const intent =
      payment.intentId === null
        ? await adopt(gateway, payment)
        : await gateway.retrieve(payment.intentId);
    if (intent !== null) return { fact: factOf(intent, payment), intent };
    return { fact: isSettled(payment, now) ? 'absent' : 'unsure', intent: null };
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    reports.report({ kind: 'settle', code: codeOf(error), payment: payment.id });
    return { fact: 'unanswered', intent: null };
  }
}

/** There should be one at most; of several the one that may hold money counts. */
async function adopt(gateway: PaymentGateway, payment: Payment): Promise<Intent | null> {
  const found = await gateway.findByPayment(payment.id, payment.createdAt - CLOCKS_APART);
  return found.find(({ status }) => status !== 'cancelled') ?? found[0] ?? null;
}

function isSettled({ intentId, createCalledAt }: Payment, now: EpochSeconds): boolean {
  return (
    intentId !== null || createCalledAt === null || now - createCalledAt >= CREATE_SETTLES_SECONDS
  );
}

/** What an intent means for a payment. */
export function factOf(intent: Intent, payment: Payment): GatewayFact {
  const ours =
    intent.payment === payment.id &&
    intent.amountCents === payment.amountCents &&
    intent.currency === 'cad';
  if (!ours) return 'mismatch';
  if (intent.status !== 'captured') return intent.status;
  if (intent.capturedCents !== payment.amountCents) return 'mismatch';
  switch (intent.refund?.status) {
    case 'pending':
      return 'refundPending';
    case 'failed':
      return 'refundFailed';
    case 'succeeded':
      // Part of it given back out of goodwill leaves the appointment paid.
      return intent.refund.amountCents >= intent.capturedCents ? 'refunded' : 'captured';
    case undefined:
      return 'captured';
  }
}

export type GatewayError =
  GatewayUnreachable | GatewayOutcomeUnknown | GatewayDeclined | GatewayRefused;

export function isGatewayError(error: unknown): error is GatewayError {
  return (
    error instanceof GatewayUnreachable ||
    error instanceof GatewayOutcomeUnknown ||
    error instanceof GatewayDeclined ||
    error instanceof GatewayRefused
  );
}

export function codeOf(error: GatewayError): string {
  return 'code' in error ? error.code : error.name;
}

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
