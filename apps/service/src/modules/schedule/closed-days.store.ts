import { STEPS_PER_DAY, NOT_WORKING } from '@clinic/domain';
import type { ClinicDate } from '@clinic/domain';
import { eq, sql } from 'drizzle-orm';

import type { Db, Tx } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import { recordsException, recordsProvider } from '../../schema.ts';
import type { Who } from '../../security/audit.ts';

/** Whether the clinic's records know a doctor of this id. */
export async function isDoctor(db: Db | Tx, providerId: string): Promise<boolean> {
  const known = await db
    .select({ id: recordsProvider.id })
    .from(recordsProvider)
    .where(eq(recordsProvider.id, providerId));
  return known.length > 0;
}

/** Closes a doctor's day: nothing of it is offered any more. False without such a doctor. */
export async function closeDay(
  { database, appendAudit }: Pick<Platform, 'database' | 'appendAudit'>,
  providerId: string,
  day: ClinicDate,
  { actor, now }: Who,
): Promise<boolean> {
  return database.inTransaction(async (tx) => {
    if (!(await isDoctor(tx, providerId))) return false;
    const codes = NOT_WORKING.repeat(STEPS_PER_DAY);
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
