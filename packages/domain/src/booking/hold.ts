import { toClinic } from '../clinic-time.ts';
import type { EpochSeconds } from '../clinic-time.ts';
import { isHold } from '../appointments/appointment-state.ts';
import type { Appointment } from '../appointments/appointment.ts';
import { NOTICE_SECONDS } from './booking-window.ts';

/** How long a new hold lasts. */
const HOLD_SECONDS = 10 * 60;
/** How long a hold lasts from when the patient enters payment. */
const PAYMENT_HOLD_SECONDS = 15 * 60;
/** The longest that a hold lasts in total, with 3-D Secure. */
export const LONGEST_HOLD_SECONDS = 30 * 60;

/** The longest that staff hold a time for a patient who pays by a payment link. */
const PAYMENT_LINK_SECONDS = 24 * 3600;

/** From when until when a slot is held for one patient. */
export interface HoldPeriod {
  readonly placedAt: EpochSeconds;
  /** The first instant at which the hold has expired. */
  readonly expiresAt: EpochSeconds;
}

/** A new hold: 10 minutes.. */
export const newHold = (now: EpochSeconds): HoldPeriod => ({
  placedAt: now,
  expiresAt: now + HOLD_SECONDS,
});

/** Whether a hold has not expired yet; at `expiresAt` it has. */
export const isUnexpired = (hold: HoldPeriod, now: EpochSeconds): boolean => now < hold.expiresAt;

/** Whole seconds until a hold expires, 0 once it has. */
export const secondsLeft = (hold: HoldPeriod, now: EpochSeconds): number =>
  Math.max(0, hold.expiresAt - now);

function extended(hold: HoldPeriod, now: EpochSeconds, wanted: EpochSeconds): HoldPeriod | null {
  if (!isUnexpired(hold, now)) return null;
  const expiresAt = Math.min(wanted, hold.placedAt + LONGEST_HOLD_SECONDS);
  return { ...hold, expiresAt: Math.max(hold.expiresAt, expiresAt) };
}

/** Extends a hold: 10 minutes from now, 30 in total at most; null when it has expired. */
export const extendedHold = (hold: HoldPeriod, now: EpochSeconds): HoldPeriod | null =>
  extended(hold, now, now + HOLD_SECONDS);

/** Extends a hold on entering payment: 15 minutes from now, 30 in total at most; null when it has expired. */
export const extendedForPayment = (hold: HoldPeriod, now: EpochSeconds): HoldPeriod | null =>
  extended(hold, now, now + PAYMENT_HOLD_SECONDS);

/** Extends a hold during 3-D Secure at the bank: 30 minutes in total; null when it has expired. */
export const extendedFor3dSecure = (hold: HoldPeriod, now: EpochSeconds): HoldPeriod | null =>
  extended(hold, now, hold.placedAt + LONGEST_HOLD_SECONDS);

const paymentLinkExpiry = (start: EpochSeconds, placedAt: EpochSeconds): EpochSeconds =>
  Math.min(placedAt + PAYMENT_LINK_SECONDS, start - NOTICE_SECONDS);

/**
 * A hold that staff place for a patient who pays by a payment link: 24 hours, but ending half an hour before the
 * start at the latest; null when that leaves less than 15 minutes to pay..
 */
export function newPaymentLinkHold(start: EpochSeconds, now: EpochSeconds): HoldPeriod | null {
  const expiresAt = paymentLinkExpiry(start, now);
  return expiresAt - now < PAYMENT_HOLD_SECONDS ? null : { placedAt: now, expiresAt };
}

/** Extends such a hold on entering payment, so that 15 minutes are left to pay; null when it has expired. */
export function extendedPaymentLinkHold(
  hold: HoldPeriod,
  start: EpochSeconds,
  now: EpochSeconds,
): HoldPeriod | null {
  if (!isUnexpired(hold, now)) return null;
  const latest = paymentLinkExpiry(start, hold.placedAt) + PAYMENT_HOLD_SECONDS;
  return {
    ...hold,
    expiresAt: Math.max(hold.expiresAt, Math.min(now + PAYMENT_HOLD_SECONDS, latest)),
  };
}

const KEY_OF_HOLD = /^book-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * The Idempotency-Key under which our app books or pays for the slot of a hold. It is derived from the hold,
 * so a reload or another tab finds the same key, and it reveals nothing of the appointment..
 */
export const keyOfHold = (holdId: string): string => `book-${holdId}`;

/** The id of the hold that a key names; null for a key that another client made. */
export const holdIdOfKey = (key: string): string | null => KEY_OF_HOLD.exec(key)?.[1] ?? null;

/** The most upcoming appointments that a patient may have. */
const MOST_UPCOMING = 2;

/** An appointment or hold of the patient. Leave out the hold that the new booking replaces or confirms. */
export type CountedAppointment = Pick<Appointment, 'start' | 'state'>;

export type LimitRefusal = 'oneEachDay' | 'twoUpcoming';

/**
 * Which limit a new appointment would break, or null. `oncePerDay` comes from the rules of the patient's
 * eligibility. Do not ask for a reschedule: it has no limits. Call under a lock on the patient..
 */
export function whyOverLimit(
  start: EpochSeconds,
  appointments: readonly CountedAppointment[],
  oncePerDay: boolean,
  now: EpochSeconds,
): LimitRefusal | null {
  const counted = (limit: LimitRefusal) => countedFor(limit, start, appointments, now).length;
  if (oncePerDay && counted('oneEachDay') > 0) return 'oneEachDay';
  return counted('twoUpcoming') >= MOST_UPCOMING ? 'twoUpcoming' : null;
}

/**
 * The appointments that a limit counts for a new one at `start`: booked and held ones that are upcoming, or
 * those on its day, where registered ones count too.
 */
export function countedFor<Own extends CountedAppointment>(
  limit: LimitRefusal,
  start: EpochSeconds,
  appointments: readonly Own[],
  now: EpochSeconds,
): Own[] {
  const isAdding = (own: Own) => isHold(own) || own.state === 'booked';
  if (limit === 'twoUpcoming')
    return appointments.filter((own) => isAdding(own) && own.start > now);
  const day = toClinic(start).date;
  return appointments.filter(
    (own) => (isAdding(own) || own.state === 'registered') && toClinic(own.start).date === day,
  );
}
