import { toClinic } from '../clinic-time.ts';
import type { EpochSeconds } from '../clinic-time.ts';

/** How many upcoming visits a patient may have at most (§5 Booking limits, R-54). */
export const MOST_UPCOMING = 2;

/** A visit or hold of the patient; leave out the hold that the new booking replaces or confirms. */
export interface CountedVisit {
  readonly start: EpochSeconds;
  readonly state: 'held' | 'booked' | 'registered' | 'cancelled' | 'rescheduled' | 'released';
}

export type LimitRefusal = 'onePerDay' | 'twoUpcoming';

/**
 * Which limit a new visit would break, or null (§5 Booking limits, R-54). `oncePerDay` comes from the
 * policy of the patient's eligibility. Upcoming counts what is booked or held; the day counts what
 * is registered too. A reschedule has no limits: do not ask. Decide under a lock on the patient.
 */
export function whyOverLimit(
  start: EpochSeconds,
  visits: readonly CountedVisit[],
  oncePerDay: boolean,
  now: EpochSeconds,
): LimitRefusal | null {
  const claiming = visits.filter(({ state }) => state === 'held' || state === 'booked');
  const registered = visits.filter(({ state }) => state === 'registered');
  const day = toClinic(start).date;
  if (
    oncePerDay &&
    [...claiming, ...registered].some((visit) => toClinic(visit.start).date === day)
  )
    return 'onePerDay';
  return claiming.filter((visit) => visit.start > now).length >= MOST_UPCOMING
    ? 'twoUpcoming'
    : null;
}
