import { holdOfKey } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';

import type { StoredAppointment } from './appointment.ts';

/**
 * Names a booking request for ever, so that a double click or a retry after a lost answer gives the
 * same booking. Without an Idempotency-Key it is derived from provider and start; the patient stands
 * beside it in the unique index. A derived key is given back when the appointment ends, so that the same
 * time can be booked again.
 */
export function requestKey(
  sent: string | undefined,
  slot: { readonly providerId: string; readonly start: EpochSeconds },
): string {
  return sent === undefined ? `${DERIVED}${slot.providerId}:${slot.start}` : sentKey(sent);
}

export const DERIVED = 'slot:';
const SENT = 'sent:';

/** A key that a client sent, as it is stored. */
export const sentKey = (sent: string) => `${SENT}${sent}`;

/** The hold that a stored key names, or null. */
export function holdNamedBy(stored: string): string | null {
  return stored.startsWith(SENT) ? holdOfKey(stored.slice(SENT.length)) : null;
}

/** What a request has made already: under its key, or of the hold that the key names. */
export function madeBy(
  own: readonly StoredAppointment[],
  stored: string,
): StoredAppointment | null {
  const hold = holdNamedBy(stored);
  return (
    own.find(({ requestKey: key }) => key === stored) ??
    own.find(({ id, state }) => id === hold && state !== 'held' && state !== 'released') ??
    null
  );
}

/**
 * Whether the patient has let go of the hold that the key names: a request that comes late then books
 * nothing, or it would be a second appointment beside the one that was chosen instead. A hold that
 * merely lapsed may still be booked where its time is free.
 */
export function holdGivenUp(own: readonly StoredAppointment[], stored: string): boolean {
  const hold = holdNamedBy(stored);
  return own.some(
    ({ id, state, holdExpiresAt }) => id === hold && state === 'released' && holdExpiresAt === null,
  );
}
