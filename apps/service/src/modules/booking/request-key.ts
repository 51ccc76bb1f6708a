import type { EpochSeconds } from '@clinic/domain';

/**
 * Names a booking request for ever, so that a double click or a retry after a lost answer gives the
 * same booking. Without an Idempotency-Key it is derived from provider and start; the patient stands
 * beside it in the unique index. A derived key is given back when the visit ends, so that the same
 * time can be booked again.
 */
export function requestKey(
  sent: string | undefined,
  slot: { readonly providerId: string; readonly start: EpochSeconds },
): string {
  return sent === undefined ? `${DERIVED}${slot.providerId}:${slot.start}` : `sent:${sent}`;
}

export const DERIVED = 'slot:';
