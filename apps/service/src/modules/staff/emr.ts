import { deskCalls } from '@clinic/contract';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import { route } from '../../server/http.ts';
import { Showing } from '../../server/looks.ts';
import { appointmentsOutside, emrHealth, readScheduleNow } from '../appointments/index.ts';
import { providersAtDesk } from './booking.store.ts';
import { whoIsTold } from './schedule.store.ts';

/** How the EMR stands to us, and whom a schedule that changed there concerns. */
export function registerEmrAtDesk(app: FastifyInstance, platform: Platform): void {
  const { database, emr } = platform;
  const { db } = database;

  route(app, deskCalls.deskEmr, async ({ now }) => {
    if (emr === null) return { success: true as const, extras: { emr: null } };
    const [health, outside] = await Promise.all([emrHealth(db, now), appointmentsOutside(db, now)]);
    const { kind, since, asOf, isBookingPaused, refused, ending } = health;
    const shown = {
      kind,
      since,
      asOf,
      isBookingPaused,
      refused: refused.map(({ key }) => key),
      ending: [...ending],
      outside: outside.length,
    };
    return { success: true as const, extras: { emr: shown } };
  });

  route(app, deskCalls.deskReadEmr, async ({ now }) => {
    const days = await readScheduleNow(db, now);
    return { success: true as const, extras: { days } };
  });

  route(app, deskCalls.deskOutsideEmr, async ({ now }) => {
    const outside = await appointmentsOutside(db, now);
    const [whom, providers] = await Promise.all([whoIsTold(db, outside), providersAtDesk(db)]);
    const shown = outside.map(({ id: appointmentId, providerId, date, start, end }, at) => ({
      appointmentId,
      patient: whom[at]?.patient ?? '',
      phone: whom[at]?.phone ?? null,
      providerId,
      provider: providers.find((each) => each.id === providerId)?.name ?? providerId,
      description: whom[at]?.description ?? '',
      date,
      start,
      end,
    }));
    return new Showing(
      { success: true as const, extras: { outside: shown } },
      {
        action: 'appointments outside of the EMR shown',
        refreshes: true,
        subject: 'emr:schedule',
        records: outside.map(({ recordId }) => recordId),
      },
    );
  });
}
