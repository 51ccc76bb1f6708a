import { deskCalls } from '@clinic/contract';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../../platform.ts';
import { success } from '../../../server/responses.ts';
import { route } from '../../../server/http.ts';
import { look, recordIds, showing } from '../../../server/audited-reads.ts';
import {
  appointmentsOutside,
  differingInEmr,
  emrHealth,
  readScheduleNow,
} from '../../emr/index.ts';
import { providersAtDesk } from '../day/booking.store.ts';
import { withPatients } from './schedule.store.ts';

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

  route(app, deskCalls.deskOutsideEmr, async ({ now, locale }) => {
    const [outside, differs, providers] = await Promise.all([
      appointmentsOutside(db, now),
      differingInEmr(db, now),
      providersAtDesk(db),
    ]);
    const names = new Map(providers.map(({ id, name }) => [id, name]));
    const shown = <Of extends { readonly providerId: string }>(appointments: readonly Of[]) =>
      appointments.map((each) => ({
        ...each,
        provider: names.get(each.providerId) ?? each.providerId,
      }));
    const records = recordIds([...outside, ...differs]);
    return showing(
      {
        outside: shown(await withPatients(db, outside, locale)),
        differs: shown(await withPatients(db, differs, locale)),
      },
      look('appointments outside of the EMR shown', 'emr:schedule', records, { refreshes: true }),
    );
  });
}
