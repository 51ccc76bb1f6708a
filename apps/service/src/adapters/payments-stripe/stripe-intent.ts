import type Stripe from 'stripe';
import type { Intent, IntentStatus } from '../../modules/payments/gateway.ts';

const STATUS: Readonly<Record<string, IntentStatus>> = {
  requires_payment_method: 'needsCard',
  requires_confirmation: 'needsCard',
  requires_action: 'needsAction',
  processing: 'processing',
  requires_capture: 'authorised',
  succeeded: 'captured',
  canceled: 'cancelled',
};

/** Stripe's words to ours. */
export function asIntent(intent: Stripe.PaymentIntent): Intent {
  const last = intent.last_payment_error;
  return {
    id: intent.id,
    // A status that is not known yet moves nothing.
    status: STATUS[intent.status] ?? 'processing',
    amountCents: intent.amount,
    capturedCents: intent.amount_received,
    currency: intent.currency,
    payment: intent.metadata.payment ?? null,
    createdAt: intent.created,
    bankUrl: intent.next_action?.redirect_to_url?.url ?? null,
    declined:
      last === null
        ? null
        : { code: last.decline_code || last.code || 'declined', message: last.message ?? '' },
    refund: refundOf(intent.latest_charge),
  };
}

const REFUND_STATUS = {
  pending: 'pending',
  requires_action: 'pending',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
} as const;

function refundOf(charge: Stripe.PaymentIntent['latest_charge']): Intent['refund'] {
  if (charge === null || typeof charge === 'string') return null;
  const refunds = charge.refunds?.data ?? [];
  const [newest] = refunds;
  if (newest === undefined) return null;
  const status = newest.status as keyof typeof REFUND_STATUS | null;
  const counted = refunds.filter((each) => each.status !== 'failed' && each.status !== 'canceled');
  return {
    status: status === null ? 'pending' : REFUND_STATUS[status],
    amountCents: counted.reduce((sum, { amount }) => sum + amount, 0),
  };
}

/** The intent that an event is about: itself, or that of its charge or refund. */
export function intentOfEvent(event: Stripe.Event): string | null {
  const subject = event.data.object as {
    readonly object?: string;
    readonly id?: string;
    readonly payment_intent?: string | { readonly id: string } | null;
  };
  if (subject.object === 'payment_intent') return subject.id ?? null;
  const of = subject.payment_intent ?? null;
  return typeof of === 'string' ? of : (of?.id ?? null);
}
