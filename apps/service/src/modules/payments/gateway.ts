import type { GatewayStatus } from '@clinic/domain';
import type { ServerPorts } from '../../server/server-ports.ts';
import type { ErrorReport } from '../../server/log.ts';

/**
 * The card payment provider (docs/booking-and-payment.md). Money is integer cents of Canadian
 * dollars, instants are epoch seconds. Every write carries a key that names it for ever: repeating it
 * answers what the first time answered, errors included, and never acts twice.
 */

export type IntentStatus =
  /** Created and declined, or never confirmed: a card may be given. */
  | 'needsCard'
  /** The patient must go to the bank's page. */
  | 'needsAction'
  | 'processing'
  /** The money is guaranteed and not taken. */
  | 'authorised'
  | 'captured'
  | 'cancelled';

export interface Intent {
  readonly id: string;
  readonly status: IntentStatus;
  readonly amountCents: number;
  /** Taken so far, before refunds. */
  readonly capturedCents: number;
  /** Lower case; 'cad' for ours. */
  readonly currency: string;
  /** The payment that the intent was made for, from its metadata; null for an intent that is not ours. */
  readonly payment: string | null;
  /** Where the patient approves the payment, while it needs action. */
  readonly bankUrl: string | null;
  /** The provider's words for the last decline, for the patient's eyes. */
  readonly declined: { readonly code: string; readonly message: string } | null;
  /** The refund of the captured money, if there is one. */
  readonly refund: {
    readonly status: 'pending' | 'succeeded' | 'failed';
    readonly amountCents: number;
  } | null;
}

export interface CreateIntent {
  readonly key: string;
  /** Our id of the payment; stands in the metadata, which carry nothing else. */
  readonly payment: string;
  readonly amountCents: number;
  readonly paymentMethod: string;
}

export interface GatewayEvent {
  readonly id: string;
  readonly type: string;
  /** The intent it is about; null for other objects. */
  readonly intent: string | null;
  /** When it happened at the gateway, in epoch seconds. */
  readonly createdAt: number;
}

/** Why a webhook call is no event: not signed, or signed and of a shape that we do not know. */
export type NoEvent = 'forged' | 'unknown';

export interface PaymentGateway {
  /** Authorises, not captures. Resolves with the intent, also when it needs action. */
  createAndConfirm(request: CreateIntent): Promise<Intent>;
  /** Tries another card on an intent that needs one. */
  confirm(key: string, intent: string, paymentMethod: string): Promise<Intent>;
  /** Null when there is no such intent. */
  retrieve(intent: string): Promise<Intent | null>;
  capture(key: string, intent: string, amountCents: number): Promise<Intent>;
  cancel(key: string, intent: string): Promise<Intent>;
  refund(key: string, intent: string, amountCents: number): Promise<void>;
  /** All intents made from `createdFrom` on, newest first; with their refunds. */
  listIntents(createdFrom: number): Promise<readonly Intent[]>;
  /** The event of a webhook call; `forged` when its signature is not ours or older than 300 seconds. */
  verifyWebhook(body: Uint8Array, signature: string, now: number): GatewayEvent | NoEvent;
}

/** How cards are taken, and what an installation decides about it. */
export interface CardPayments {
  readonly gateway: PaymentGateway;
  /** Origins to which a patient may be sent for 3-D Secure: `https://hooks.stripe.com`. */
  readonly bankOrigins: readonly string[];
}

export class GatewayError extends Error {
  /** The provider's code, or our own name for what happened. */
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The call did not take effect: it was not sent, or was turned away at the door. */
export class GatewayUnreachable extends GatewayError {
  override readonly name = 'GatewayUnreachable';
  constructor(message: string, options?: ErrorOptions) {
    super('GatewayUnreachable', message, options);
  }
}

/** The call may have taken effect, or may still: ask what became of it, never repeat it blindly. */
export class GatewayOutcomeUnknown extends GatewayError {
  override readonly name = 'GatewayOutcomeUnknown';
  /** Whether an answer came, so that the same key would only repeat it. */
  readonly answered: boolean;
  constructor(message: string, answered: boolean, options?: ErrorOptions) {
    super('GatewayOutcomeUnknown', message, options);
    this.answered = answered;
  }
}

/** The card was not taken. `message` is the provider's, for the patient. */
export class GatewayDeclined extends GatewayError {
  override readonly name = 'GatewayDeclined';
}

/** The call makes no sense to the gateway (a state, an id, our credentials): it did not take effect. */
export class GatewayRefused extends GatewayError {
  override readonly name = 'GatewayRefused';
}

/** Calls the gateway; reports a `GatewayError` and returns it instead of throwing it. */
export async function tryCall<T>(
  { reports }: Pick<ServerPorts, 'reports'>,
  report: Omit<ErrorReport, 'code'>,
  call: () => Promise<T>,
): Promise<T | GatewayError> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    reports.report({ ...report, code: error.code });
    return error;
  }
}

/** What an intent means for a payment. */
export function gatewayStatusOf(
  intent: Intent,
  payment: { readonly id: string; readonly amountCents: number },
): GatewayStatus {
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
      // A partial refund out of goodwill leaves the appointment paid.
      return intent.refund.amountCents >= intent.capturedCents ? 'refunded' : 'captured';
    case undefined:
      return 'captured';
  }
}
