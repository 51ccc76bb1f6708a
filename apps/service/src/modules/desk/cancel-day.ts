import type { ClinicDate, EpochSeconds } from '@clinic/domain';

import type { Db } from '../../platform/db.ts';
import type { Platform } from '../../platform/platform.ts';
import { cancelByClinic, claims, claimsOnDay, releaseByClinic } from '../booking/index.ts';
import type { DayClaim } from '../booking/index.ts';
import type { Who } from './patients-desk.store.ts';

export type CancelDayPorts = Pick<
  Platform,
  'database' | 'appendAudit' | 'records' | 'outbox' | 'keyring' | 'ids'
>;

export interface CancelledDay {
  readonly cancelled: readonly DayClaim[];
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
  const found = await claimsOnDay(db, providerId, day, now);
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
  platform: CancelDayPorts,
  providerId: string,
  day: ClinicDate,
  who: Who,
): Promise<CancelledDay> {
  const ports = { ...platform, claims };
  const cancelled: DayClaim[] = [];
  let released = 0;
  let underWay = 0;
  for (const claim of await claimsOnDay(platform.database.db, providerId, day, who.now)) {
    if (claim.state !== 'held') {
      if (await cancelByClinic(ports, claim, who)) cancelled.push(claim);
    } else if (claim.underWay) underWay += 1;
    else if (await releaseByClinic(ports, claim, who)) released += 1;
  }
  return { cancelled, released, underWay };
}
