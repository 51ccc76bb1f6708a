import type { Appointment } from '../appointments/appointment.ts';
import { toClinic } from '../clinic-time.ts';
import type { EpochSeconds } from '../clinic-time.ts';

/** How many upcoming appointments a patient may have at most. */
export const MOST_UPCOMING = 2;

/** An appointment or hold of the patient; leave out the hold that the new booking replaces or confirms. */
export type CountedAppointment = Pick<Appointment, 'start' | 'state'>;

export type LimitRefusal = 'oneEachDay' | 'twoUpcoming';

/**
 * Which limit a new appointment would break, or null. `oncePerDay` comes from the policy of the
 * patient's eligibility. Upcoming counts what is booked or held; the day counts what is registered
 * too. A reschedule has no limits: do not ask. Decide under a lock on the patient..
 */
export function whyOverLimit(
  start: EpochSeconds,
  appointments: readonly CountedAppointment[],
  oncePerDay: boolean,
  now: EpochSeconds,
): LimitRefusal | null {
  const adding = appointments.filter(({ state }) => state === 'held' || state === 'booked');
  const registered = appointments.filter(({ state }) => state === 'registered');
  const day = toClinic(start).date;
  if (
    oncePerDay &&
    [...adding, ...registered].some((appointment) => toClinic(appointment.start).date === day)
  )
    return 'oneEachDay';
  return adding.filter((appointment) => appointment.start > now).length >= MOST_UPCOMING
    ? 'twoUpcoming'
    : null;
}
