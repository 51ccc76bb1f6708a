import { STEP_SECONDS, NOT_WORKING, addDays } from '@clinic/domain';
import type { ClinicDate } from '@clinic/domain';
import { between } from 'drizzle-orm';
import type { Db } from '../../database/db.ts';
import { recordsException, recordsProvider, recordsTemplate } from './schema.ts';
import { codesOn } from './expand-schedule.ts';

export interface OfferedMinutes {
  /** 'YYYY-MM'. */
  readonly month: string;
  readonly providerId: string;
  readonly minutes: number;
}

/** What templates and exceptions offer by month and provider, long after the days were expanded. */
export async function offeredMinutes(
  db: Db,
  from: ClinicDate,
  to: ClinicDate,
): Promise<OfferedMinutes[]> {
  const providers = await db.select({ id: recordsProvider.id }).from(recordsProvider);
  const templates = await db.select().from(recordsTemplate);
  const exceptions = await db
    .select()
    .from(recordsException)
    .where(between(recordsException.clinicDate, from, to));
  const byMonth = new Map<string, OfferedMinutes>();
  for (const { id } of providers) {
    const own = templates.filter(({ providerId }) => providerId === id);
    const closed = exceptions.filter(({ providerId }) => providerId === id);
    for (let date = from; date <= to; date = addDays(date, 1)) {
      const steps = codesOn(date, id, own, closed).replaceAll(NOT_WORKING, '').length;
      if (steps === 0) continue;
      const month = date.slice(0, 7);
      const before = byMonth.get(`${month} ${id}`)?.minutes ?? 0;
      const minutes = before + (steps * STEP_SECONDS) / 60;
      byMonth.set(`${month} ${id}`, { month, providerId: id, minutes });
    }
  }
  return [...byMonth.values()];
}
