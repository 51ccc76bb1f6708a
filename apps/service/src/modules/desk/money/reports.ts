import { deskCalls } from '@clinic/contract';
import { type DateSpan, type DayTakings, FEE_MEANS, doctorName, toClinic } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../../platform.ts';
import { success } from '../../../server/responses.ts';
import { route } from '../../../server/http.ts';
import { takenTime } from '../../appointments/index.ts';
import {
  bookingsByDoor,
  demand,
  leadTimes,
  periodsOf,
  statistics,
  statisticsFile,
} from '../../operations/index.ts';
import { keptProviders } from '../../records/index.ts';
import { thirdNextTimes, typesOffered } from '../../schedule/index.ts';
import { moneyRows, refuseDays, takingsIn } from './money.ts';

const CLINIC = 'all';
/** The status of a provider who works here. */
const ACTIVE = '1';
/** The most days of one report: a year and a month. */
const MOST_DAYS = 397;

/** What came in and went back in each period of a range. */
function revenueBy(range: DateSpan, days: readonly DayTakings[]) {
  return periodsOf(range).map(({ period, first, after }) => {
    const within = days.filter(({ date }) => first <= date && date < after);
    const sum = (of: (day: DayTakings) => number) => within.reduce((all, day) => all + of(day), 0);
    return {
      period,
      online: sum(({ online }) => online),
      atClinic: sum((day) => FEE_MEANS.reduce((all, means) => all + day[means], 0)),
      refunded: sum(({ refunded }) => refunded),
    };
  });
}

/** Reports on bookings, lead times and free times, and the export of statistics. */
export function registerReports(app: FastifyInstance, platform: Platform): void {
  const { database, appendAudit } = platform;
  const { db } = database;

  route(app, deskCalls.deskReports, async ({ query: range, staff, now, locale }) => {
    const refused = refuseDays(range, MOST_DAYS);
    if (refused) return refused;
    const types = await typesOffered(db, toClinic(now).date, locale);
    const [[bookings, lead, rows, wanted, paid], providers, thirdNext] = await Promise.all([
      database.readAside((aside) =>
        Promise.all([
          bookingsByDoor(aside, range),
          leadTimes(aside, range),
          statistics(aside, range, 'range'),
          demand(aside, range),
          moneyRows(aside, range, { staff, locale }),
        ]),
      ),
      keptProviders(db),
      thirdNextTimes(
        { database, takenTime },
        types.map(({ code }) => code),
        now,
      ),
    ]);
    const nameOf = new Map(
      providers
        .filter(({ status }) => status === ACTIVE)
        .map((provider) => [provider.id, doctorName(provider)]),
    );
    const named = (provider: string) => ({ provider, name: nameOf.get(provider) ?? provider });
    const descriptionOf = new Map(types.map(({ code, description }) => [code, description]));
    return success({
      bookings,
      ...lead,
      revenue: revenueBy(range, takingsIn(range, paid)),
      demand: wanted,
      providers: rows
        .filter(({ provider }) => provider === CLINIC || nameOf.has(provider))
        .map(({ month: _whole, rescheduled, ...row }) => ({
          ...row,
          ...(row.provider === CLINIC ? { provider: CLINIC, name: '' } : named(row.provider)),
          rescheduledByPatient: rescheduled - row.rescheduledByClinic,
        })),
      thirdNext: thirdNext
        .filter(({ providerId }) => nameOf.has(providerId))
        .map(({ providerId, type, start }) => ({
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
