import { CELLS_PER_DAY, NOT_WORKING } from '@clinic/domain';
import type { ClinicDate } from '@clinic/domain';
import { eq, sql } from 'drizzle-orm';

import type { Platform } from '../../platform/platform.ts';
import { recordsException, recordsProvider } from '../../platform/schema.ts';
import { cancelByClinic, claims, claimsOnDay, releaseByClinic } from '../booking/index.ts';
import type { DayClaim } from '../booking/index.ts';
import type { Who } from './patients-desk.ts';

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

/** Closes a doctor's day: nothing of it is offered any more. False without such a doctor. */
export async function closeDay(
  { database, appendAudit }: Pick<CancelDayPorts, 'database' | 'appendAudit'>,
  providerId: string,
  day: ClinicDate,
  { actor, now }: Who,
): Promise<boolean> {
  return database.inTransaction(async (tx) => {
    const known = await tx
      .select({ id: recordsProvider.id })
      .from(recordsProvider)
      .where(eq(recordsProvider.id, providerId));
    if (known.length === 0) return false;
    const codes = NOT_WORKING.repeat(CELLS_PER_DAY);
    await tx
      .insert(recordsException)
      .values({ providerId, clinicDate: day, codes })
      .onConflictDoUpdate({
        target: [recordsException.providerId, recordsException.clinicDate],
        set: { codes: sql`excluded.codes` },
      });
    const subject = `provider:${providerId}`;
    const details = { day };
    await appendAudit(tx, { actor, action: 'day cancelled', subject, details, at: now });
    return true;
  });
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
