import { deskCalls } from '@clinic/contract';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../../platform.ts';
import { route } from '../../../server/http.ts';
import { showing } from '../../../server/looks.ts';
import {
  appointmentsOutside,
  differingInEmr,
  emrHealth,
  readScheduleNow,
} from '../../emr/index.ts';
import { providersAtDesk } from '../day/booking.store.ts';
import { whoIsTold } from './schedule.store.ts';

/** How the EMR stands to us, and whom a schedule that changed there concerns. */
export function registerEmrAtDesk(app: FastifyInstance, platform: Platform): void {
  const { database, emr } = platform;
  const { db } = database;

  route(app, deskCalls.deskEmr, async ({ now }) => {
    if (emr === null) return { success: true as const, extras: { emr: null } };
    const [health, outside, differs] = await Promise.all([
      emrHealth(db, now),
      appointmentsOutside(db, now),
      differingInEmr(db, now),
    ]);
    const { kind, since, asOf, isBookingPaused, refused, ending } = health;
    const shown = {
      kind,
      since,
      asOf,
      isBookingPaused,
      refused: refused.map(({ key }) => key),
      ending: [...ending],
      outside: outside.length,
      differs: differs.length,
    };
    return { success: true as const, extras: { emr: shown } };
  });

  route(app, deskCalls.deskReadEmr, async ({ now }) => {
    const days = await readScheduleNow(db, now);
    return { success: true as const, extras: { days } };
  });

  route(app, deskCalls.deskOutsideEmr, async ({ now }) => {
    const [outside, differs, providers] = await Promise.all([
      appointmentsOutside(db, now),
      differingInEmr(db, now),
      providersAtDesk(db),
    ]);
    const all = [...outside, ...differs];
    const whom = new Map(
      (await whoIsTold(db, all)).map((each) => [each.appointmentId, each] as const),
    );
    const shown = ({ id, providerId, date, start, end }: (typeof all)[number]) => ({
      appointmentId: id,
      patient: whom.get(id)?.patient ?? '',
      phone: whom.get(id)?.phone ?? null,
      providerId,
      provider: providers.find((each) => each.id === providerId)?.name ?? providerId,
      description: whom.get(id)?.description ?? '',
      date,
      start,
      end,
    });
    return showing(
      {
        outside: outside.map(shown),
        differs: differs.map((each) => ({ ...shown(each), why: each.why, other: each.other })),
      },
      {
        action: 'appointments outside of the EMR shown',
        refreshes: true,
        subject: 'emr:schedule',
        records: all.map(({ recordId }) => recordId),
      },
    );
  });
}
