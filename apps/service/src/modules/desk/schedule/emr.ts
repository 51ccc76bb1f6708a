import { deskCalls } from '@clinic/contract';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../../platform.ts';
import { success } from '../../../server/answers.ts';
import { route } from '../../../server/http.ts';
import { look, recordIds, showing } from '../../../server/looks.ts';
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
    if (emr === null) return success({ emr: null });
    const [health, outside, differs] = await Promise.all([
      emrHealth(db, now),
      appointmentsOutside(db, now),
      differingInEmr(db, now),
    ]);
    const refused = health.refused.map(({ key }) => key);
    const counts = { outside: outside.length, differs: differs.length };
    return success({ emr: { ...health, refused, ...counts } });
  });

  route(app, deskCalls.deskReadEmr, async ({ now }) => {
    const days = await readScheduleNow(db, now);
    return success({ days });
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
    const shown = <Shown extends (typeof all)[number]>(appointment: Shown) => {
      const { id, providerId } = appointment;
      return {
        ...appointment,
        appointmentId: id,
        patient: whom.get(id)?.patient ?? '',
        phone: whom.get(id)?.phone ?? null,
        provider: providers.find((each) => each.id === providerId)?.name ?? providerId,
        description: whom.get(id)?.description ?? '',
      };
    };
    return showing(
      {
        outside: outside.map(shown),
        differs: differs.map(shown),
      },
      look('appointments outside of the EMR shown', 'emr:schedule', recordIds(all), {
        refreshes: true,
      }),
    );
  });
}
