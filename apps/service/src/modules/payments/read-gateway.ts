import { CREATE_SETTLES_SECONDS } from '@clinic/domain';
import type { EpochSeconds, GatewayFact } from '@clinic/domain';

import {
  GatewayDeclined,
  GatewayOutcomeUnknown,
  GatewayRefused,
  GatewayUnreachable,
} from './gateway.ts';
import type { Intent, PaymentGateway } from './gateway.ts';
import type { Payment } from './payment.ts';
import type { PaymentPorts } from './ports.ts';

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
