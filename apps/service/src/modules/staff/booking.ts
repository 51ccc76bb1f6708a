import { deskCalls } from '@clinic/contract';
import { type SlotRequest, toClinic } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import type { SignedInStaff } from '../../security/sessions.store.ts';
import { type RequestContext, route } from '../../server/http.ts';
import { refuse } from '../../server/refusal.ts';
import {
  type BookedAppointment,
  type BookingRefusal,
  appointments,
  bookByStaff,
  requestKey,
  takeFeeAtClinic,
  takenTime,
} from '../appointments/index.ts';
import { type FoundPatient, findPatient, findPatients } from '../patients/index.ts';
import { heldPayments } from '../payments/index.ts';
import { freeTimes, typesFor, walkInTimes } from '../schedule/index.ts';
import { providersAtDesk, upcomingOf, usualTypes } from './booking.store.ts';
import { openedRow } from './day-sheet.store.ts';

/** So many free times are offered at once. */
const MOST_TIMES = 12;

/** Finding a patient at the front desk, and booking and moving appointments for them. */
export function registerBookingAtDesk(app: FastifyInstance, platform: Platform): void {
  const { database, appendAudit, realtime } = platform;
  const { db } = database;
  const ports = { ...platform, appointments, heldPayments: heldPayments(platform) };
  const timesPorts = { ...platform, takenTime, patientsWhoBook: platform.parts.patients };

  /** Somebody whom the clinic can book for: who has an open account. */
  async function known(patientId: string): Promise<FoundPatient | null> {
    const patient = await findPatient(db, patientId);
    return patient?.closedAt === null ? patient : null;
  }

  type Place = RequestContext<typeof deskCalls.deskMoveAppointment>['body'];
  interface ToPlace {
    readonly patientId: string;
    readonly type: string;
    readonly rescheduleOf: string | null;
    readonly key: string | undefined;
    readonly staff: SignedInStaff;
    readonly now: number;
  }

  async function place(body: Place, { type, key, staff, now, ...whose }: ToPlace) {
    const { providerId, start, minutes = null, overrideReason = null } = body;
    const slot: SlotRequest = { providerId, start, end: start, type };
    const made = await bookByStaff(
      ports,
      {
        ...whose,
        staffId: staff.id,
        slot,
        minutes,
        overrideReason,
        requestKey: requestKey(key, slot),
      },
      now,
    );
    if (made.kind === 'refused') return refuse(made.code);
    realtime.sayTo(whose.patientId, 'appointments');
    return placed(made);
  }

  route(app, deskCalls.deskFindPatients, async ({ body, staff, now }) => {
    const found = await findPatients(platform, body.text, { actor: `staff:${staff.id}`, now });
    return { success: true as const, extras: { ...found, patients: [...found.patients] } };
  });

  route(app, deskCalls.deskBookingOptions, async ({ params: { patientId }, staff, now }) => {
    const patient = await known(patientId);
    if (patient === null) return refuse('notFound');
    const [types, usual, providers, upcoming] = await Promise.all([
      typesFor(db, patient.eligibility, toClinic(now).date),
      usualTypes(db, patientId),
      providersAtDesk(db),
      upcomingOf(db, patientId, now),
    ]);
    await database.inTransaction((tx) =>
      appendAudit(tx, {
        actor: `staff:${staff.id}`,
        action: 'booking begun at the desk',
        subject: `patient:${patientId}`,
        details: { record: patient.recordId },
        at: now,
      }),
    );
    const offered = types.filter(({ active, form }) => active && form !== 'refill');
    const place = (code: string) => (usual.includes(code) ? usual.indexOf(code) : usual.length);
    return {
      success: true as const,
      extras: {
        name: `${patient.firstName} ${patient.lastName}`,
        birthDate: patient.birthDate,
        types: offered
          .toSorted((one, other) => place(one.code) - place(other.code))
          .map(({ code, description, chargeCents }) => ({
            code,
            description,
            feeCents: chargeCents,
          })),
        providers,
        upcoming,
      },
    };
  });

  route(app, deskCalls.deskFreeTimes, async ({ params: { patientId }, body, now }) => {
    if ((await known(patientId)) === null) return refuse('notFound');
    const { type, providerId = null, from } = body;
    const asked = { patientId, type, providerId, from, most: MOST_TIMES };
    const [times, walkIns] = await Promise.all([
      freeTimes(timesPorts, asked, now),
      walkInTimes(timesPorts, type, now),
    ]);
    return { success: true as const, extras: { times: [...times], walkIns } };
  });

  route(app, deskCalls.deskBook, async ({ params: { patientId }, headers, body, staff, now }) => {
    if ((await known(patientId)) === null) return refuse('notFound');
    const { type, ...where } = body;
    const key = headers['idempotency-key'];
    return place(where, { patientId, type, rescheduleOf: null, key, staff, now });
  });

  route(app, deskCalls.deskMoveAppointment, async ({ params, headers, body, staff, now }) => {
    const row = await openedRow(db, params.id);
    if (row === null || row.patientId === null) return refuse('notFound');
    const { patientId, type, id: rescheduleOf } = row;
    const key = headers['idempotency-key'];
    return place(body, { patientId, type, rescheduleOf, key, staff, now });
  });

  route(app, deskCalls.deskTakeFee, async ({ params: { id }, body: { means }, staff, now }) => {
    const row = await openedRow(db, id);
    if (row === null) return refuse('notFound');
    // Sent again after a lost answer, it has done what it was to do.
    const { taken } = row.feeAtClinic ?? {};
    if (taken?.by === staff.id && taken.means === means) return { success: true as const };
    const who = { actor: `staff:${staff.id}`, now };
    const fee = { id, patientId: row.patientId, means, staffId: staff.id };
    if (!(await takeFeeAtClinic(ports, fee, who))) return refuse('appointmentChanged');
    realtime.sayToDesk();
    return { success: true as const };
  });
}

type Made = Exclude<BookedAppointment, BookingRefusal>;

const placed = ({ appointment: { id, providerId, start, end, feeAtClinic } }: Made) => ({
  success: true as const,
  extras: {
    id,
    providerId,
    start,
    end,
    feeCents: feeAtClinic?.taken === undefined ? (feeAtClinic?.cents ?? 0) : 0,
  },
});
