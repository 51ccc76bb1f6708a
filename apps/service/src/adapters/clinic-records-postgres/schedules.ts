import { cellAt, cellOfTime, dayRuler, timeOfCell } from '@clinic/domain';
import { and, between, eq, inArray, sql } from 'drizzle-orm';
import type { Database } from '../../platform/db.ts';
import { claim, recordsProvider, scheduleDay } from '../../platform/schema.ts';
import type { BusySpan, ClinicRecords, ProviderId } from '../../ports/clinic-records.ts';

type Reads = Pick<ClinicRecords, 'listProviders' | 'getProvider' | 'schedule' | 'busy'>;

export function scheduleReads(database: Database): Reads {
  return {
    async listProviders() {
      const rows = await database.db.select().from(recordsProvider).orderBy(recordsProvider.id);
      return rows.map((row) => ({ ...row, id: row.id as ProviderId }));
    },
    async getProvider(id) {
      const [row] = await database.db
        .select()
        .from(recordsProvider)
        .where(eq(recordsProvider.id, id));
      return row ? { ...row, id } : null;
    },
    async schedule(providers, from, to) {
      const rows = await database.db
        .select()
        .from(scheduleDay)
        .where(
          and(
            between(scheduleDay.clinicDate, from, to),
            providers === null ? undefined : inArray(scheduleDay.providerId, [...providers]),
          ),
        )
        .orderBy(scheduleDay.clinicDate, scheduleDay.providerId);
      return rows.map(({ providerId, clinicDate, codes }) => ({
        providerId: providerId as ProviderId,
        date: clinicDate,
        codes,
      }));
    },
    async busy(providers, from, to) {
      const rows = await database.db
        .select({
          providerId: claim.providerId,
          date: claim.clinicDate,
          start: claim.start,
          end: claim.end,
        })
        .from(claim)
        .where(
          and(
            between(claim.clinicDate, from, to),
            sql`${claim.state} in ('booked', 'registered')`,
            providers === null ? undefined : inArray(claim.providerId, [...providers]),
          ),
        )
        .orderBy(claim.start, claim.providerId);
      return rows.map((row) => ({ providerId: row.providerId as ProviderId, ...wallSpan(row) }));
    },
  };
}

/** The wall clock of a visit, whose end is the end of its last cell. */
function wallSpan(visit: {
  date: string;
  start: number;
  end: number;
}): Omit<BusySpan, 'providerId'> {
  const ruler = dayRuler(visit.date);
  const first = cellAt(ruler, visit.start) ?? 0;
  const last = cellAt(ruler, visit.end - 1) ?? first;
  const end = last + 1 === cellOfTime('24:00') ? '24:00' : timeOfCell(last + 1);
  return { date: visit.date, start: timeOfCell(first), end };
}
