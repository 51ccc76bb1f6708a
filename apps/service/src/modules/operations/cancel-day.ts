import type { ClinicDate, EpochSeconds } from '@clinic/domain';
import type { Db } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import type { Who } from '../../security/audit.store.ts';
import {
  type DayAppointment,
  appointments,
  appointmentsOnDay,
  cancelByClinic,
  releaseByClinic,
} from '../appointments/index.ts';

/** What `cancelDay` would find on a day after `now`; nothing is changed. */
export async function dayToCancel(db: Db, providerId: string, day: ClinicDate, now: EpochSeconds) {
  const found = await appointmentsOnDay(db, providerId, day, now);
  // Under way is what is being paid for or booked: to be looked at again in a few minutes.
  const {
    cancelled = [],
    released = [],
    underWay = [],
  } = Object.groupBy(found, (each) => {
    if (each.state !== 'held') return 'cancelled';
    return each.underWay ? 'underWay' : 'released';
  });
  return { cancelled, released, underWay };
}

/**
 * Cancels what still stands on a closed day, with a mail to each patient and money back. `sent` where
 * the EMR hears of some of it later.
 */
export async function cancelDay(platform: Platform, providerId: string, day: ClinicDate, who: Who) {
  const ports = { ...platform, appointments };
  const found = await dayToCancel(platform.database.db, providerId, day, who.now);
  const cancelled: DayAppointment[] = [];
  let sent = false;
  for (const each of found.cancelled) {
    const outcome = await cancelByClinic(ports, each, who);
    if (outcome !== false) cancelled.push(each);
    sent ||= outcome === 'cancelSent';
  }
  const released: DayAppointment[] = [];
  for (const each of found.released)
    if (await releaseByClinic(ports, each, who)) released.push(each);
  return { ...found, cancelled, released, sent };
}
