import { deskCalls } from '@clinic/contract';
import { type DateSpan, daysBetween, doctorName, toClinic } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../../platform.ts';
import { success } from '../../../server/responses.ts';
import { route } from '../../../server/http.ts';
import { type Refusal, invalid } from '../../../server/refusal.ts';
import { takenTime } from '../../appointments/index.ts';
import { bookingsByDoor, leadTimes, statistics, statisticsFile } from '../../operations/index.ts';
import { keptProviders } from '../../records/index.ts';
import { thirdNextTimes, typesOffered } from '../../schedule/index.ts';

const CLINIC = 'all';
/** The most days of one report: a year and a month. */
const MOST_DAYS = 397;

/** Refuses days that are out of order, or more than `most`. */
export function refuseDays({ from, to }: DateSpan, most: number): Refusal | null {
  if (from > to) return invalid('to', 'rangeReversed');
  return daysBetween(from, to) < most ? null : invalid('to', 'periodTooLong', { n: most });
}

/** Reports on bookings, lead times and free times, and the export of statistics. */
export function registerReports(app: FastifyInstance, platform: Platform): void {
  const { database, appendAudit } = platform;
  const { db } = database;

  route(app, deskCalls.deskReports, async ({ query: range, now }) => {
    const refused = refuseDays(range, MOST_DAYS);
    if (refused) return refused;
    const types = await typesOffered(db, toClinic(now).date);
    const [[bookings, lead, rows], providers, thirdNext] = await Promise.all([
      database.readAside((aside) =>
        Promise.all([
          bookingsByDoor(aside, range),
          leadTimes(aside, range),
          statistics(aside, range, 'range'),
        ]),
      ),
      keptProviders(db),
      thirdNextTimes(
        { database, takenTime },
        types.map(({ code }) => code),
        now,
      ),
    ]);
    const nameOf = new Map(providers.map((provider) => [provider.id, doctorName(provider)]));
    const named = (provider: string) => ({ provider, name: nameOf.get(provider) ?? provider });
    const descriptionOf = new Map(types.map(({ code, description }) => [code, description]));
    return success({
      bookings,
      ...lead,
      providers: rows.map(({ month: _whole, rescheduled, ...row }) => ({
        ...row,
        ...(row.provider === CLINIC ? { provider: CLINIC, name: '' } : named(row.provider)),
        rescheduledByPatient: rescheduled - row.rescheduledByClinic,
      })),
      thirdNext: thirdNext.map(({ providerId, type, start }) => ({
        ...named(providerId),
        type,
        description: descriptionOf.get(type) ?? type,
        start,
      })),
    });
  });

  route(app, deskCalls.deskStatistics, async ({ body: range, now, who: { actor } }) => {
    const refused = refuseDays(range, MOST_DAYS);
    if (refused) return refused;
    const { name, csv } = await database.readAside((aside) => statisticsFile(aside, range));
    await database.inTransaction((tx) =>
      appendAudit(tx, {
        actor,
        action: 'statistics exported',
        subject: `days:${range.from}`,
        details: { to: range.to },
        at: now,
      }),
    );
    return success({ name, csv });
  });
}
