import { calls } from '@clinic/contract';
import type { FastifyInstance } from 'fastify';

import { route } from '../../server/http.ts';
import type { Platform } from '../../platform.ts';
import { listedAppointmentsOf } from './listed-appointments.store.ts';
import { apiAppointment } from './api-appointment.ts';
import type { ListedAppointment } from './listed-appointments.store.ts';
import { shownSince } from './history.ts';

/** My Appointments (§2, §3, R-52, R-55). */
export function registerAppointments(app: FastifyInstance, { database }: Platform): void {
  route(app, calls.listAppointments, async ({ query, patient, now }) => {
    const since = query.all === 'true' ? 0 : shownSince(now);
    const { appointments, hasOlder } = await listedAppointmentsOf(database.db, patient.id, since);
    return {
      doctors: doctorsOf(appointments),
      appointments: appointments.map(({ appointment, description, doctor }) =>
        apiAppointment(appointment, description, doctor, now),
      ),
      hasOlder,
    };
  });
}

/** Each doctor that the appointments name, once. */
function doctorsOf(appointments: readonly ListedAppointment[]) {
  const doctors = new Map(
    appointments.flatMap(({ doctor }) => (doctor === null ? [] : [[doctor.id, doctor] as const])),
  );
  return [...doctors.values()].map(({ id, firstName, lastName }) => ({ id, firstName, lastName }));
}
