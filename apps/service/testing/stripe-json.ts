import type { LedgerCommand, LedgerEntry, LedgerIntent } from '@clinic/practice/payments/ledger.ts';

/** An HTTP answer of Stripe's. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly replayed?: boolean;
}

/** A PaymentIntent as Stripe writes it, with its charge and refunds expanded. */
export function intentJson(intent: LedgerIntent, port: number): Record<string, unknown> {
  const { refund, declined, status } = intent;
  const bank = `http://127.0.0.1:${port}/bank/${intent.id}`;
  return {
    id: intent.id,
    object: 'payment_intent',
    amount: intent.amountCents,
    amount_received: intent.capturedCents,
    currency: intent.currency,
    status,
    created: intent.createdAt,
    capture_method: 'manual',
    metadata: intent.payment === null ? {} : { payment: intent.payment },
    livemode: false,
    next_action:
      status === 'requires_action'
        ? { type: 'redirect_to_url', redirect_to_url: { url: bank, return_url: null } }
        : null,
    last_payment_error: declined === null ? null : cardError(declined),
    latest_charge:
      status === 'succeeded' || status === 'requires_capture'
        ? {
            id: `ch_${intent.id}`,
            object: 'charge',
            refunds: { object: 'list', data: refund === null ? [] : [refundJson(intent, refund)] },
          }
        : null,
  };
}

function refundJson(intent: LedgerIntent, refund: NonNullable<LedgerIntent['refund']>) {
  return {
    id: `re_${intent.id}`,
    object: 'refund',
    amount: refund.amountCents,
    status: refund.status,
    payment_intent: intent.id,
  };
}

/** Bank refusals carry a code of their own, cards carry `card_declined` and why. */
function cardError({ code, message }: { readonly code: string; readonly message: string }) {
  const ownCode = code === 'payment_intent_authentication_failure' || code === 'expired_card';
  return {
    type: ownCode && code !== 'expired_card' ? 'invalid_request_error' : 'card_error',
    code: ownCode ? code : 'card_declined',
    ...(ownCode ? {} : { decline_code: code }),
    message,
  };
}

export function entryAnswer(
  command: LedgerCommand['kind'],
  { answer, intent }: LedgerEntry,
  port = 0,
): ApiAnswer {
  if (answer.kind === 'refused')
    return refusedJson(answer.code === 'resource_missing' ? 404 : 400, answer.code, answer.message);
  if (intent === null) throw new Error('An intent was entered and is gone');
  if (answer.kind === 'declined')
    return {
      status: 402,
      body: { error: { ...cardError(answer), payment_intent: intentJson(intent, port) } },
    };
  if (command === 'refund' && intent.refund !== null)
    return { status: 200, body: refundJson(intent, intent.refund) };
  return { status: 200, body: intentJson(intent, port) };
}

export function refusedJson(status: number, code: string, message: string): ApiAnswer {
  const type =
    status >= 500
      ? 'api_error'
      : code === 'idempotency_error'
        ? 'idempotency_error'
        : 'invalid_request_error';
  return { status, body: { error: { type, code, message } } };
}
