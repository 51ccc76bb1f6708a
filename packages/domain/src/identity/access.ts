import type { EpochSeconds } from '../clinic-time.ts';

/** The facts of an account that decide whether its patient signs in, and books. */
export interface AccountFacts {
  /** Blocked by the clinic, or closed. */
  readonly blocked: boolean;
  readonly bookingBlocked: boolean;
  readonly closedAt: EpochSeconds | null;
  readonly visibility: readonly string[];
}

export interface Access {
  /** What the clinic has blocked. To close an account blocks nobody from what staff book. */
  readonly block: 'none' | 'booking' | 'account';
  /** Why the patient may not sign in, or null; without visibility they may only sign out. */
  readonly signIn: 'accountBlocked' | 'notVisible' | null;
  /** Why no appointment is booked for the patient, unless staff override it, or null.. */
  readonly booking: 'bookingBlocked' | null;
  /** Whether the patient books online, so that an appointment may be offered to them. */
  readonly booksOnline: boolean;
}

/**
 * who is blocked from what, decided here alone. A patient whose account is blocked is blocked from
 * booking, too. Null is a patient without an account, for whom staff book.
 */
export function accessOf(account: AccountFacts | null): Access {
  if (account === null)
    return { block: 'none', signIn: 'accountBlocked', booking: null, booksOnline: false };
  const { blocked, bookingBlocked, closedAt, visibility } = account;
  const isClosed = closedAt !== null;
  const block = blocked && !isClosed ? 'account' : bookingBlocked ? 'booking' : 'none';
  const booking = block === 'none' ? null : 'bookingBlocked';
  const notVisible = visibility.includes('appointment') ? null : 'notVisible';
  const signIn = isClosed || block === 'account' ? 'accountBlocked' : notVisible;
  return { block, signIn, booking, booksOnline: signIn === null && booking === null };
}
