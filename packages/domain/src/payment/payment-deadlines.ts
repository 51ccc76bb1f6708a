import type { EpochSeconds } from '../clinic-time.ts';
import type { PaymentState } from './payment-state.ts';

const MINUTE = 60;
const HOUR = 3600;

/** A create call whose outcome is unknown cannot take effect later than this after it was made. */
export const CREATE_SETTLES_SECONDS = 2 * MINUTE;

/**
 * So many tries are made under one idempotency key. Tries become hourly, and gateways forget keys
 * after 24 hours: none is used again after 23.
 */
export const TRIES_UNDER_ONE_KEY = 20;

/** Wait before the next try of a capture, after `tries` of them: 1, 2, 4 … minutes, then hourly. */
export function captureRetryDelay(tries: number): number {
  return tries > 6 ? HOUR : Math.min(HOUR, MINUTE * 2 ** Math.max(0, tries - 1));
}

/** When a payment wants to be looked at again by itself; null when it rests. */
export function nextLook(
  state: PaymentState,
  tries: number,
  holdUntil: EpochSeconds | null,
  now: EpochSeconds,
): EpochSeconds | null {
  switch (state) {
    case 'created':
    case 'requires_action':
    case 'declined': {
      const soon = now + (state === 'created' ? 30 : MINUTE);
      return holdUntil === null || holdUntil <= now ? soon : Math.min(soon, holdUntil);
    }
    case 'cancelling':
    case 'capturing':
    case 'refund_pending':
      return now + captureRetryDelay(tries);
    case 'cancelled':
    case 'captured':
    case 'kept':
    case 'capture_failed':
    case 'refunded':
    case 'refund_failed':
      return null;
  }
}
