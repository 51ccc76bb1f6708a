import { stepAt, stepOfTime, dayRuler, timeOfStep } from '@clinic/domain';
import { and, between, eq, inArray, sql } from 'drizzle-orm';
import type { Database } from '../../database/db.ts';
import { appointment, scheduleDay } from '../../schema.ts';
import { recordsProvider } from './schema.ts';
import type { BusySpan, Emr, ProviderId } from './emr.ts';

type Reads = Pick<Emr, 'listProviders' | 'getProvider' | 'schedule' | 'busy'>;

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
          providerId: appointment.providerId,
          date: appointment.clinicDate,
          start: appointment.start,
          end: appointment.end,
        })
        .from(appointment)
        .where(
          and(
            between(appointment.clinicDate, from, to),
            sql`${appointment.state} in ('booked', 'registered')`,
            providers === null ? undefined : inArray(appointment.providerId, [...providers]),
          ),
        )
        .orderBy(appointment.start, appointment.providerId);
      return rows.map((row) => ({ providerId: row.providerId as ProviderId, ...wallSpan(row) }));
    },
  };
}

/** The wall clock of an appointment, whose end is the end of its last step. */
function wallSpan(appointment: {
  date: string;
  start: number;
  end: number;
}): Omit<BusySpan, 'providerId'> {
  const ruler = dayRuler(appointment.date);
  const first = stepAt(ruler, appointment.start) ?? 0;
  const last = stepAt(ruler, appointment.end - 1) ?? first;
  const end = last + 1 === stepOfTime('24:00') ? '24:00' : timeOfStep(last + 1);
  return { date: appointment.date, start: timeOfStep(first), end };
}
