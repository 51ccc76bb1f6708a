import Stripe from 'stripe';
import {
  GatewayDeclined,
  GatewayOutcomeUnknown,
  GatewayRefused,
  GatewayUnreachable,
} from '../../modules/payments/gateway.ts';
import { asIntent } from './stripe-intent.ts';

const { errors } = Stripe;

/** Failures before a byte was sent. */
const NOT_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** What a failed write means for whoever asked for it. */
export function unfinished(error: unknown): Error {
  if (!(error instanceof errors.StripeError)) return error as Error;
  const options = { cause: error };
  if (error instanceof errors.StripeCardError) {
    const intent = error.payment_intent ? asIntent(error.payment_intent) : null;
    // The SDK leaves absent codes empty.
    const code = error.decline_code || error.code || 'declined';
    return new GatewayDeclined(code, error.message, intent, options);
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

/** A failed read means only that nothing is known. */
export function unanswered(error: unknown): Error {
  const meaning = unfinished(error);
  return meaning instanceof GatewayOutcomeUnknown
    ? new GatewayUnreachable(meaning.message, { cause: error })
    : meaning;
}

/** Null for an intent that does not exist; throws what everything else means. */
export function missingOrThrow(error: unknown): null {
  if (error instanceof errors.StripeError && error.code === 'resource_missing') return null;
  throw unanswered(error);
}

function wasSent(error: Stripe.errors.StripeConnectionError): boolean {
  let cause: unknown = error.detail ?? error;
  for (let depth = 0; depth < 6 && typeof cause === 'object' && cause !== null; depth += 1) {
    const { code } = cause as { code?: unknown };
    if (typeof code === 'string' && NOT_SENT.has(code)) return false;
    cause = (cause as { cause?: unknown }).cause;
  }
  return true;
}
