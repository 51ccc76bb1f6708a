import { toClinic } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';

import { EmrOutcomeUnknown } from '../records/emr.ts';
import type {
  BookAnswer,
  BookRequest,
  RecordId,
  ProviderId,
  EmrAppointmentId,
} from '../records/emr.ts';
import type { StoredAppointment } from './appointment.ts';
import type { Offer } from './offer.ts';
import { transact } from './ports.ts';
import type { BookingPorts } from './ports.ts';
import {
  auditAppointment,
  enqueueEmail,
  emailOf,
  recordAppointment,
} from './record-appointment.ts';
import { refused } from './refusals.ts';
import type { BookingRefusal } from './refusals.ts';
import type { PatientId } from '../../security/sessions.ts';
import { moveMoney } from '../receipts/index.ts';
import type { BookedAppointment, AppointmentRequest } from './appointment-details.ts';

/** A slot held with everything its appointment will carry, while the clinic's records are asked. */
export interface AskEmr {
  readonly kind: 'askEmr';
  readonly appointment: StoredAppointment;
  readonly offer: Offer;
  readonly moved: StoredAppointment | null;
}

/** Names the write of an appointment in the records for ever. */
export const emrKey = (appointmentId: string) => `appointment:${appointmentId}`;

/**
 * Books the held slot in records that another system keeps (docs/clinic-records.md): outside of any
 * transaction, under the appointment's key. 'taken' frees the slot; an unknown outcome keeps it, and the
 * sweeper finds out what became of it.
 */
export async function askEmr(
  ports: BookingPorts,
  request: AppointmentRequest,
  { appointment, offer, moved }: AskEmr,
  now: EpochSeconds,
): Promise<BookedAppointment | BookingRefusal> {
  let answer: BookAnswer;
  try {
    answer = await write(ports, bookRequest(request, appointment), moved);
  } catch (error) {
    if (error instanceof EmrOutcomeUnknown) return refused('clinicConfirming');
    await giveBack(ports, appointment.id, now);
    throw error;
  }
  if (answer.kind === 'taken' || answer.kind === 'notOffered') {
    await giveBack(ports, appointment.id, now);
    return refused(answer.kind === 'taken' ? 'slotTaken' : 'slotNotOffered');
  }
  return transact(ports, async (tx, rollBack) => {
    if ((await ports.appointments.settle(tx, appointment.id, now)) === null)
      return refused('clinicConfirming');
    const booked = await recordAppointment(ports, tx, request, offer, appointment, moved, now);
    return booked.kind === 'refused' ? rollBack(booked) : booked;
  });
}

function bookRequest(request: AppointmentRequest, appointment: StoredAppointment): BookRequest {
  return {
    key: emrKey(appointment.id),
    providerId: appointment.providerId as ProviderId,
    recordId: appointment.recordId as RecordId,
    date: appointment.clinicDate,
    start: toClinic(appointment.start).time,
    end: toClinic(appointment.end).time,
    type: appointment.type,
    reason: request.answers.reason.trim(),
  };
}

async function write(
  { emr }: BookingPorts,
  to: BookRequest,
  moved: StoredAppointment | null,
): Promise<BookAnswer> {
  const old = moved && (await emrIdOf(emr, moved.id));
  return old ? emr.move(to.key, old, to) : emr.book(to);
}

/** How the records call the appointment of an appointment, or null when they never heard of it. */
export async function emrIdOf(
  emr: BookingPorts['emr'],
  appointmentId: string,
): Promise<EmrAppointmentId | null> {
  const known = await emr.findByKey(emrKey(appointmentId));
  return known && 'id' in known ? known.id : null;
}

async function giveBack(
  ports: BookingPorts,
  appointmentId: string,
  now: EpochSeconds,
): Promise<void> {
  await transact(ports, async (tx) => {
    await ports.appointments.release(tx, appointmentId, now);
    return { kind: 'released' as const };
  });
}

/** Finishes one hold whose booking had an unknown outcome, once the records know (the sweeper's). */
export async function settleFromEmr(
  ports: BookingPorts,
  hold: { readonly appointment: StoredAppointment; readonly patientId: PatientId },
  now: EpochSeconds,
): Promise<void> {
  const { appointment, patientId } = hold;
  const known = await ports.emr.findByKey(emrKey(appointment.id));
  if (known === null || known.kind === 'taken' || known.kind === 'notOffered')
    return giveBack(ports, appointment.id, now);
  await transact(ports, async (tx) => {
    if ((await ports.appointments.settle(tx, appointment.id, now)) === null)
      return { kind: 'settled' as const };
    const moved = appointment.rescheduledFrom;
    if (moved) {
      await ports.appointments.endAppointment(tx, patientId, moved, 'rescheduled', now);
      await moveMoney(tx, moved, appointment.id, now);
    }
    await auditAppointment(ports, tx, patientId, appointment, [], now);
    await enqueueEmail(ports, tx, emailOf(moved ? 'rescheduled' : 'booked', appointment), now);
    return { kind: 'settled' as const };
  });
}
