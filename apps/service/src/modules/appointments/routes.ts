import { calls } from '@clinic/contract';
import type { FastifyInstance } from 'fastify';

import { route } from '../../platform/http.ts';
import type { Platform } from '../../platform/platform.ts';
import { visitsOf, wireAppointment } from '../booking/index.ts';
import type { ListedVisit } from '../booking/index.ts';
import { shownSince } from './history.ts';

/** My Appointments (§2, §3, R-52, R-55). */
export function registerAppointments(app: FastifyInstance, { database }: Platform): void {
  route(app, calls.listAppointments, async ({ query, patient, now }) => {
    const since = query.all === 'true' ? 0 : shownSince(now);
    const { visits, hasOlder } = await visitsOf(database.db, patient.id, since);
    return {
      doctors: doctorsOf(visits),
      appointments: visits.map(({ claim, description, doctor }) =>
        wireAppointment(claim, description, doctor, now),
      ),
      hasOlder,
    };
  });
}

/** Each doctor that the visits name, once. */
function doctorsOf(visits: readonly ListedVisit[]) {
  const doctors = new Map(
    visits.flatMap(({ doctor }) => (doctor === null ? [] : [[doctor.id, doctor] as const])),
  );
  return [...doctors.values()].map(({ id, firstName, lastName }) => ({ id, firstName, lastName }));
}
