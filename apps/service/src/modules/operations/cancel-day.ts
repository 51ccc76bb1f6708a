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

export interface CancelledDay {
  readonly cancelled: readonly DayAppointment[];
  readonly released: number;
  /** Being paid for or booked at this moment: to be looked at again in a few minutes. */
  readonly underWay: number;
}

/** What `cancelDay` would find on a day after `now`; nothing is changed. */
export async function dayToCancel(
  db: Db,
  providerId: string,
  day: ClinicDate,
  now: EpochSeconds,
): Promise<CancelledDay> {
  const found = await appointmentsOnDay(db, providerId, day, now);
  const held = found.filter(({ state }) => state === 'held');
  const underWay = held.filter((each) => each.underWay).length;
  return {
    cancelled: found.filter(({ state }) => state !== 'held'),
    released: held.length - underWay,
    underWay,
  };
}

/** Cancels what still stands on a closed day, with a mail to each patient and money back. */
export async function cancelDay(
  platform: Platform,
  providerId: string,
  day: ClinicDate,
  who: Who,
): Promise<CancelledDay> {
  const ports = { ...platform, appointments };
  const { db } = platform.database;
  const cancelled: DayAppointment[] = [];
  let released = 0;
  let underWay = 0;
  for (const appointment of await appointmentsOnDay(db, providerId, day, who.now)) {
    if (appointment.state !== 'held') {
      if (await cancelByClinic(ports, appointment, who)) cancelled.push(appointment);
    } else if (appointment.underWay) underWay += 1;
    else if (await releaseByClinic(ports, appointment, who)) released += 1;
  }
  return { cancelled, released, underWay };
}
