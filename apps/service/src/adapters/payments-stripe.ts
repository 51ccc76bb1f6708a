import Stripe from 'stripe';
import type { Intent, PaymentGateway } from '../../modules/payments/gateway.ts';
import { asIntent, intentOfEvent } from './stripe-intent.ts';
import { missingOrThrow, unanswered, unfinished } from './stripe-errors.ts';

export interface StripeOptions {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Where the bank sends the patient back: fixed by the server. */
  readonly returnUrl: string;
  /** Left out, Stripe's own; tests name a local server. */
  readonly host?: string;
  readonly port?: number;
  readonly protocol?: 'http' | 'https';
  /** For the answer to one call, in milliseconds. */
  readonly timeout?: number;
}

const TOLERANCE_SECONDS = 300;
/** Anything else makes the SDK throw errors of other kinds. */
const SIGNATURE = /^t=\d+(,v\d+=[0-9a-f]{64})+$/;
const PAGE_SIZE = 100;
const REFUNDS = 'latest_charge.refunds';

/**
 * Stripe through its official SDK: authorise now, capture once the appointment is booked. The SDK does not
 * retry by itself: whoever calls knows what a repetition means.
 */
export function createStripeGateway(options: StripeOptions): PaymentGateway {
  const { host, port, protocol, returnUrl, webhookSecret } = options;
  const stripe = new Stripe(options.secretKey, {
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(protocol === undefined ? {} : { protocol }),
    timeout: options.timeout ?? 15_000,
    maxNetworkRetries: 0,
    telemetry: false,
  });

  const write = async (call: () => Promise<Stripe.PaymentIntent>): Promise<Intent> => {
    try {
      return asIntent(await call());
    } catch (error) {
      throw unfinished(error);
    }
  };

  const list = async (query: Stripe.PaymentIntentListParams) => {
    try {
      return await stripe.paymentIntents.list({
        limit: PAGE_SIZE,
        expand: [`data.${REFUNDS}`],
        ...query,
      });
    } catch (error) {
      throw unanswered(error);
    }
  };

  async function listIntents(createdFrom: number, after: string | null) {
    const page = await list({
      created: { gte: createdFrom },
      ...(after === null ? {} : { starting_after: after }),
    });
    return {
      intents: page.data.map(asIntent),
      next: page.has_more ? (page.data.at(-1)?.id ?? null) : null,
    };
  }

  return {
    createAndConfirm: ({ key, payment, amountCents, paymentMethod }) =>
      write(() =>
        stripe.paymentIntents.create(
          {
            amount: amountCents,
            currency: 'cad',
            payment_method: paymentMethod,
            allowed_payment_method_types: ['card'],
            capture_method: 'manual',
            confirm: true,
            return_url: returnUrl,
            // Opaque, and nothing that tells the appointment's kind.
            metadata: { payment },
            expand: [REFUNDS],
          },
          { idempotencyKey: key },
        ),
      ),
    confirm: (key, intent, paymentMethod) =>
      write(() =>
        stripe.paymentIntents.confirm(
          intent,
          { payment_method: paymentMethod, return_url: returnUrl, expand: [REFUNDS] },
          { idempotencyKey: key },
        ),
      ),
    capture: (key, intent, amountCents) =>
      write(() =>
        stripe.paymentIntents.capture(
          intent,
          { amount_to_capture: amountCents, expand: [REFUNDS] },
          { idempotencyKey: key },
        ),
      ),
    cancel: (key, intent) =>
      write(() =>
        stripe.paymentIntents.cancel(intent, { expand: [REFUNDS] }, { idempotencyKey: key }),
      ),
    async refund(key, intent, amountCents) {
      try {
        await stripe.refunds.create(
          { payment_intent: intent, amount: amountCents },
          { idempotencyKey: key },
        );
      } catch (error) {
        throw unfinished(error);
      }
    },
    async retrieve(intent) {
      try {
        return asIntent(await stripe.paymentIntents.retrieve(intent, { expand: [REFUNDS] }));
      } catch (error) {
        return missingOrThrow(error);
      }
    },
    async findByPayment(payment, createdAt) {
      // The search call lags behind by up to a minute; the list does not.
      const found: Intent[] = [];
      let after: string | null = null;
      do {
        const page = await listIntents(createdAt, after);
        found.push(...page.intents.filter((intent) => intent.payment === payment));
        after = page.next;
      } while (after !== null);
      return found;
    },
    listIntents,
    verifyWebhook(body, signature, now) {
      if (!SIGNATURE.test(signature)) return null;
      let event: Stripe.Event;
      try {
        event = stripe.webhooks.constructEvent(
          Buffer.from(body),
          signature,
          webhookSecret,
          TOLERANCE_SECONDS,
          undefined,
          now * 1000,
        );
      } catch (error) {
        if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null;
        throw error;
      }
      return {
        id: event.id,
        type: event.type,
        createdAt: event.created,
        intent: intentOfEvent(event),
      };
    },
  };
}
