import type { EpochSeconds } from '../clinic-time.ts';

const HOUR = 60 * 60;
/** So long an email address that staff corrected waits, and so long an account is watched. */
export const ADDRESS_WAITS = 72 * HOUR;
/** After this time the mailbox before is told again. */
export const REMINDED_AFTER = 24 * HOUR;
/** So long after it has taken effect a new address can be stopped. */
const STOPPED_WITHIN = 7 * 24 * HOUR;

/** An email address that staff corrected. */
export interface AddressChange {
  readonly begunAt: EpochSeconds;
  /** The mailbox before is not the patient's, as staff say. */
  readonly isMailboxLost: boolean;
  /** When the link to the new address was opened with the birth date. */
  readonly provenAt: EpochSeconds | null;
  /** When the mailbox before, or a manager who saw a photo ID, said that it need not wait. */
  readonly releasedAt: EpochSeconds | null;
  readonly doneAt: EpochSeconds | null;
  readonly overAt: EpochSeconds | null;
  readonly stoppedAt: EpochSeconds | null;
  readonly decidedAt: EpochSeconds | null;
}

/** Stopped, and no manager has decided yet. */
const isFrozen = ({ stoppedAt, decidedAt }: AddressChange) =>
  stoppedAt !== null && decidedAt === null;

const isWaiting = (change: AddressChange) =>
  change.doneAt === null && change.overAt === null && change.stoppedAt === null;

/** Until when a change of address waits at most. */
export const waitsUntil = ({ begunAt }: Pick<AddressChange, 'begunAt'>): EpochSeconds =>
  begunAt + ADDRESS_WAITS;

/** Whether a new address takes effect now: its link was opened, and it has waited or need not wait. */
export const takesEffect = (change: AddressChange, now: EpochSeconds): boolean =>
  isWaiting(change) &&
  change.provenAt !== null &&
  (change.releasedAt !== null || now >= waitsUntil(change));

/** What the mailbox before may still do about a change. */
export function mayAnswer(change: AddressChange, now: EpochSeconds) {
  const { doneAt, isMailboxLost, releasedAt, overAt, stoppedAt } = change;
  const canStop =
    stoppedAt === null && overAt === null && (doneAt === null || now < doneAt + STOPPED_WITHIN);
  return { stop: canStop, confirm: isWaiting(change) && !isMailboxLost && releasedAt === null };
}

interface Facts {
  /** The changes of one account's address. */
  readonly changes: readonly AddressChange[];
  /** When its password was last set by a mailed code. */
  readonly passwordResetAt: EpochSeconds | null;
  readonly closedAt?: EpochSeconds | null;
}

export interface AddressStanding {
  /** Stopped from the mailbox before: only a manager who saw a photo ID decides what counts. */
  readonly isFrozen: boolean;
  /** A new address waits, and nobody entitled has said yet that it need not. */
  readonly isPending: boolean;
  /** To nobody where the mailbox is said to be somebody else's: the patient has to be called. */
  readonly emailsTo: 'address' | 'nobody';
  /** Whether a forgotten password is set anew by a mailed code. */
  readonly recovers: boolean;
  /**
   * Whether the signed-in user sees the whole card number, downloads everything, and changes how the
   * clinic reaches and recognises the patient.
   */
  readonly isWatched: boolean;
  /** Until when that is so by itself; null while a manager has to decide, or where it is not so. */
  readonly watchedUntil: EpochSeconds | null;
  /** From when on nothing waits any more by itself; null where a manager has to decide, or nothing waits. */
  readonly settledAt: EpochSeconds | null;
  /** From when on the record of an account that was closed may get another one, at another address. */
  readonly reopensAt: EpochSeconds | null;
  /** Whether a card number that was shown masked counts as the patient's: also for pages read shortly before. */
  readonly takesMaskedCard: boolean;
}

/**
 * What an account may do while its address or password has just been changed by somebody who may not be its
 * owner. Decided here alone.
 */
export function addressStanding(
  { changes, passwordResetAt, closedAt = null }: Facts,
  now: number,
): AddressStanding {
  const frozen = changes.filter(isFrozen);
  // The mailbox before is never written to again by itself, and the new one is in doubt.
  const isInDoubt = frozen.some(({ doneAt }) => doneAt !== null);
  const isLost = changes.some(
    (change) =>
      change.isMailboxLost && change.doneAt === null && (isWaiting(change) || isFrozen(change)),
  );
  const watchedUntil = Math.max(
    ...changes.map(({ doneAt }) => (doneAt === null ? 0 : doneAt + ADDRESS_WAITS)),
    passwordResetAt === null ? 0 : passwordResetAt + ADDRESS_WAITS,
  );
  const emailsTo = isInDoubt || isLost ? 'nobody' : 'address';
  const isFrozenNow = frozen.length > 0;
  const pending = changes.filter((change) => isWaiting(change) && change.releasedAt === null);
  const ahead = (...times: readonly number[]) => {
    const last = Math.max(...times);
    return isFrozenNow || now >= last ? null : last;
  };
  const waits = [watchedUntil, ...pending.map(waitsUntil)];
  return {
    isFrozen: isFrozenNow,
    isPending: pending.length > 0,
    emailsTo,
    recovers: emailsTo === 'address',
    isWatched: isInDoubt || now < watchedUntil,
    watchedUntil: isInDoubt || now >= watchedUntil ? null : watchedUntil,
    settledAt: ahead(...waits),
    reopensAt: ahead(...waits, closedAt === null ? 0 : closedAt + ADDRESS_WAITS),
    takesMaskedCard: isInDoubt || now < watchedUntil + 24 * HOUR,
  };
}

/**
 * What writes who an account belongs to: its address; names; what the mailed link asks for; a joining with
 * another record, of this clinic or its EMR; another account for the same record.
 */
export type IdentityWrite = 'email' | 'names' | 'birthDateOrCard' | 'join' | 'account';

/**
 * Why something that writes who an account belongs to is refused now; null when it is not. `mayDecide`:
 * it is written by a manager who has seen a photo ID. Decided here alone, for every call, job and command.
 */
export function whyIdentityStands(
  { isFrozen, isPending, isWatched, settledAt, reopensAt }: AddressStanding,
  write: IdentityWrite,
  mayDecide: boolean,
): 'addressFrozen' | 'managerDecides' | 'addressUnsettled' | null {
  if (isFrozen) return 'addressFrozen';
  switch (write) {
    case 'email':
    case 'names':
      // A second address ends the first, and waits 72 hours itself.
      return isWatched && !mayDecide ? 'managerDecides' : null;
    case 'birthDateOrCard':
      return (isWatched || isPending) && !mayDecide ? 'managerDecides' : null;
    case 'join':
      return settledAt === null ? null : 'addressUnsettled';
    case 'account':
      return reopensAt === null ? null : 'addressUnsettled';
  }
}

const SHOWN = 3;
/** A card number with only its last characters shown. */
export const maskedCard = (number: string): string =>
  '*'.repeat(Math.max(number.length - SHOWN, 0)) + number.slice(-SHOWN);
