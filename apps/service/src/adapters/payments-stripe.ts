import { isPlainText } from '@clinic/domain';
import Stripe from 'stripe';
import { z } from 'zod';
import { causesOf } from '../database/sqlstate.ts';
import {
  GatewayDeclined,
  type GatewayEvent,
  GatewayOutcomeUnknown,
  GatewayRefused,
  GatewayUnreachable,
  type Intent,
  type IntentStatus,
  type NoEvent,
  type PaymentGateway,
} from '../modules/payments/gateway.ts';

/** Without a host the gateway calls Stripe itself; tests name a local server. */
export interface StripeOptions extends Pick<
  Stripe.StripeConfig,
  'host' | 'port' | 'protocol' | 'timeout'
> {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** The address to which the bank sends the patient back: the server sets it, never the browser. */
  readonly returnUrl: string;
}

const TOLERANCE_SECONDS = 300;
const PAGE_SIZE = 100;
const REFUNDS = 'latest_charge.refunds';

/**
 * Stripe through its official SDK: authorise now, capture once the appointment is booked. The SDK does not
 * retry by itself: only the caller knows whether a call may be repeated.
 */
export function createStripeGateway(options: StripeOptions): PaymentGateway {
  const { secretKey, webhookSecret, returnUrl, timeout = 15_000, ...server } = options;
  const stripe = new Stripe(secretKey, {
    ...server,
    timeout,
    maxNetworkRetries: 0,
    telemetry: false,
  });
  const { paymentIntents } = stripe;
  const expand = [REFUNDS];

  return {
    createAndConfirm: ({ key, payment, amountCents, paymentMethod }) =>
      write(
        paymentIntents.create(
          {
            amount: amountCents,
            currency: 'cad',
            payment_method: paymentMethod,
            allowed_payment_method_types: ['card'],
            capture_method: 'manual',
            confirm: true,
            return_url: returnUrl,
            // Only an opaque id: Stripe learns nothing of the kind of appointment.
            metadata: { payment },
            expand,
          },
          { idempotencyKey: key },
        ),
      ),
    confirm: (key, intent, paymentMethod) =>
      write(
        paymentIntents.confirm(
          intent,
          { payment_method: paymentMethod, return_url: returnUrl, expand },
          { idempotencyKey: key },
        ),
      ),
    capture: (key, intent, amountCents) =>
      write(
        paymentIntents.capture(
          intent,
          { amount_to_capture: amountCents, expand },
          { idempotencyKey: key },
        ),
      ),
    cancel: (key, intent) =>
      write(paymentIntents.cancel(intent, { expand }, { idempotencyKey: key })),
    async refund(key, intent, amountCents) {
      const refund = { payment_intent: intent, amount: amountCents };
      await stripe.refunds.create(refund, { idempotencyKey: key }).catch(failWrite);
    },
    retrieve: (intent) => paymentIntents.retrieve(intent, { expand }).then(asIntent, missingOrFail),
    async listIntents(createdFrom) {
      // Stripe's search lags behind by up to a minute; its list does not.
      const all = paymentIntents.list({
        created: { gte: createdFrom },
        expand: [`data.${REFUNDS}`],
        limit: PAGE_SIZE,
      });
      return (await Array.fromAsync(all).catch(failRead)).map(asIntent);
    },
    verifyWebhook: (body, signature, now) => stripeEvent(webhookSecret, body, signature, now),
  };
}

/** What we read of an event of Stripe's; the rest of it may change. */
const label = z.string().min(1).max(255).refine(isPlainText);
const signedEvent = z.object({
  id: label,
  type: label,
  created: z.int(),
  data: z.object({
    object: z.object({
      object: label,
      id: label.nullish(),
      /** Of a charge or refund. */
      payment_intent: z.union([label, z.object({ id: label })]).nullish(),
    }),
  }),
});

/** The event of a webhook call, or why it is none. */
export function stripeEvent(
  secret: string,
  body: Uint8Array,
  signature: string,
  now: number,
): GatewayEvent | NoEvent {
  if (!isSigned(secret, body, signature, now)) return 'forged';
  const event = signedEvent.safeParse(jsonIn(body)).data;
  if (event === undefined) return 'unknown';
  const { id, type, created: createdAt } = event;
  return { id, type, intent: intentOfEvent(event), createdAt };
}

function isSigned(secret: string, body: Uint8Array, signature: string, now: number): boolean {
  try {
    const { signature: library } = Stripe.webhooks;
    const at = now * 1000;
    return (
      library?.verifyHeader(body, signature, secret, TOLERANCE_SECONDS, undefined, at) ?? false
    );
  } catch {
    // The library throws errors of many kinds for what it cannot read.
    return false;
  }
}

function jsonIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}

const write = (call: Promise<Stripe.PaymentIntent>): Promise<Intent> =>
  call.then(asIntent, failWrite);

const STATUS: Readonly<Record<string, IntentStatus>> = {
  requires_payment_method: 'needsCard',
  requires_confirmation: 'needsCard',
  requires_action: 'needsAction',
  processing: 'processing',
  requires_capture: 'authorised',
  succeeded: 'captured',
  canceled: 'cancelled',
};

/** Maps a status of Stripe to ours; an unknown status counts as 'processing', which changes nothing. */
export const intentStatus = (status: string): IntentStatus => STATUS[status] ?? 'processing';

function asIntent(intent: Stripe.PaymentIntent): Intent {
  const last = intent.last_payment_error;
  return {
    id: intent.id,
    status: intentStatus(intent.status),
    amountCents: intent.amount,
    capturedCents: intent.amount_received,
    currency: intent.currency,
    payment: intent.metadata.payment ?? null,
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

/** The intent that an event is about: its object, or the intent of its charge or refund; else null. */
function intentOfEvent({ data: { object: subject } }: z.output<typeof signedEvent>): string | null {
  if (subject.object === 'payment_intent') return subject.id ?? null;
  const of = subject.payment_intent ?? null;
  return typeof of === 'string' ? of : (of?.id ?? null);
}

const { errors } = Stripe;

/** Failures before a byte was sent. */
const NOT_SENT: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** The error of the port that a failed call means for a writer. */
function unfinished(error: unknown): Error {
  if (!(error instanceof errors.StripeError)) return error as Error;
  const options = { cause: error };
  if (error instanceof errors.StripeCardError) {
    // The SDK leaves absent codes empty.
    const code = error.decline_code || error.code || 'declined';
    return new GatewayDeclined(code, error.message, options);
  }
  if (error instanceof errors.StripeConnectionError)
    return wasSent(error)
      ? new GatewayOutcomeUnknown('The connection to Stripe broke', false, options)
      : new GatewayUnreachable('Stripe cannot be reached', options);
  if (error instanceof errors.StripeRateLimitError)
    return new GatewayUnreachable('Stripe asks to slow down', options);
  if (error.statusCode === 409)
    return new GatewayOutcomeUnknown('The same call is being answered', false, options);
  if (error instanceof errors.StripeAPIError || (error.statusCode ?? 0) >= 500)
    return new GatewayOutcomeUnknown('Stripe failed', true, options);
  return new GatewayRefused(error.code ?? error.type, 'Stripe refused the call', options);
}

function failWrite(error: unknown): never {
  throw unfinished(error);
}

/** Throws what a failed read means: a read writes nothing, so an unknown outcome is 'unreachable'. */
function failRead(error: unknown): never {
  const meaning = unfinished(error);
  throw meaning instanceof GatewayOutcomeUnknown
    ? new GatewayUnreachable(meaning.message, { cause: error })
    : meaning;
}

/** Null for an intent that does not exist; throws for every other failure. */
function missingOrFail(error: unknown): null {
  if (error instanceof errors.StripeError && error.code === 'resource_missing') return null;
  return failRead(error);
}

const wasSent = (error: Stripe.errors.StripeConnectionError): boolean =>
  ![...causesOf(error.detail ?? error)].some((each) => 'code' in each && NOT_SENT.has(each.code));
