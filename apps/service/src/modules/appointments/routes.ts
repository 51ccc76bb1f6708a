import { type ApiAnswers, type ApiAppointment, type ApiHold, calls } from '@clinic/contract';
import { text } from '@clinic/contract/texts';
import {
  type EpochSeconds,
  type SlotRequest,
  dollarsOf,
  isConfirming,
  isEditable,
  hasPaymentLink,
  shownSince,
  statusOf,
} from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';

import { isUuid } from '../../database/db.ts';
import { DONE, success } from '../../server/responses.ts';
import { route } from '../../server/http.ts';
import type { Platform } from '../../platform.ts';
import { type Refusal, refuse } from '../../server/refusal.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import {
  type BookingRefusal,
  type BookingRequest,
  type ShownHold,
  type StoredAppointment,
  bookingKind,
  refusalDetails,
  requestKey,
  sentKey,
} from './appointment.ts';
import { cancelAppointment } from './cancel.ts';
import { sendAppointmentEmails } from './emails/emails.ts';
import { readHold, releaseHold, saveDraft } from './holds.ts';
import {
  type ListedAppointment,
  type Receipt,
  appointmentMadeBy,
  listedAppointment,
  listedAppointmentsOf,
} from './listed.store.ts';
import type { HeldPayments, EmrBook } from './ports.ts';
import { book, hold, move } from './reserve.ts';
import { appointments } from './store.ts';

/** Holds and bookings, and My Appointments. */
export function registerBooking(
  app: FastifyInstance,
  platform: Platform,
  { heldPayments, emrBook }: { readonly heldPayments: HeldPayments; readonly emrBook: EmrBook },
): void {
  const ports = { ...platform, appointments, emrBook, heldPayments };
  const { database, parts, emr } = platform;
  sendAppointmentEmails(platform);

  route(app, calls.placeHold, async ({ body, patient, now }) => {
    const rescheduleOf = body.rescheduleOf ?? null;
    if (rescheduleOf !== null && !isUuid(rescheduleOf)) return refuse('notFound');
    const forPayment = body.forPayment === true;
    const request = { patientId: patient.id, slot: slotOf(body), rescheduleOf, forPayment };
    const held = await hold(ports, request, now);
    if (held.kind === 'refused') return answerRefusal(held);
    const shown = held.shown ?? (await readHold(ports, patient.id, now));
    return shown === null ? refuse('holdGone') : success({ hold: apiHold(shown) });
  });

  route(app, calls.readHold, async ({ headers, patient, now }) => {
    const key = headers['idempotency-key'];
    // Reads the hold first: if it becomes an appointment meanwhile, the second read finds it.
    const held = await readHold(ports, patient.id, now);
    const made =
      key === undefined
        ? null
        : await appointmentMadeBy(database.db, parts, patient.id, sentKey(key));
    return success({
      hold: held && apiHold(held),
      made: made && { code: bookingKind(made.appointment), appointment: apiAppointment(made, now) },
    });
  });

  route(app, calls.releaseHold, async ({ headers, query, patient, now }) => {
    const key = headers['idempotency-key'] ?? null;
    const which = {
      patientId: patient.id,
      key,
      includeConfirming: query.confirming === 'true',
      includePaymentLink: query.linked === 'true',
    };
    const released = await releaseHold(ports, which, now);
    return released.kind === 'refused' ? answerRefusal(released) : DONE;
  });

  route(app, calls.saveDraft, async ({ body, headers, patient, now }) => {
    const which = { patientId: patient.id, key: headers['idempotency-key'] ?? null };
    const saved = await saveDraft(ports, which, body.draft, now);
    return saved.kind === 'refused' ? answerRefusal(saved) : DONE;
  });

  route(app, calls.createBooking, async ({ body, headers, patient, locale, now }) => {
    const rescheduleOf = body.rescheduleOf ?? null;
    if (rescheduleOf !== null && !isUuid(rescheduleOf)) return refuse('notFound');
    const asked = {
      ...bookingRequest(body, patient.id, headers['idempotency-key']),
      claimed: {
        ticklers: body.previousTicklers ?? [],
        paymentToken: body.stripePaymentToken ?? null,
      },
    };
    const isMove = body.isReschedule === true || rescheduleOf !== null;
    const appointment = isMove
      ? await move(ports, { ...asked, rescheduleOf }, now)
      : await book(ports, asked, now);
    if (appointment.kind === 'refused') return answerRefusal(appointment);
    const said = { message: text(locale, appointment.kind), code: appointment.kind };
    return success({ ...said, appointment: apiAppointment(appointment, now) });
  });

  route(app, calls.cancelAppointment, async ({ params, patient, locale, now }) => {
    if (!isUuid(params.id)) return refuse('notFound');
    const ended = await cancelAppointment(ports, patient.id, params.id, now);
    return ended.kind === 'refused'
      ? answerRefusal(ended)
      : success({ message: text(locale, ended.kind), code: ended.kind });
  });

  route(app, calls.listAppointments, async ({ query, patient, now }) => {
    const since = query.all === 'true' ? 0 : shownSince(now);
    const { appointments, hasOlder } = await listedAppointmentsOf(
      database.db,
      parts,
      patient.id,
      since,
    );
    return {
      doctors: doctorsOf(appointments),
      appointments: appointments.map((each) => apiAppointment(each, now, emr !== null)),
      hasOlder,
    };
  });
}

type CreateBody = z.output<typeof calls.createBooking.body>;

const slotOf = (
  body: Pick<CreateBody, 'doctor' | 'start' | 'end' | 'selectedType'>,
): SlotRequest => ({
  providerId: body.doctor,
  start: body.start,
  end: body.end,
  type: body.selectedType,
});

/** The booking that a body asks for, without what its client asserts. */
export function bookingRequest(
  body: Parameters<typeof slotOf>[0] & Omit<ApiAnswers, 'reason'> & { reason?: string | undefined },
  patientId: PatientId,
  key: string | undefined,
): Omit<BookingRequest, 'claimed'> {
  const { reason = '', crashYear, crashMonth, crashDay, contactPreference } = body;
  const { symptom, medicationTaken, experiencingList, treatmentList } = body;
  const slot = slotOf(body);
  return {
    patientId,
    slot,
    answers: {
      reason,
      crashYear,
      crashMonth,
      crashDay,
      contactPreference,
      symptom,
      medicationTaken,
      experiencingList,
      treatmentList,
    },
    requestKey: requestKey(key, slot),
  };
}

/** An appointment of a patient as the list call shows it, or null. */
export async function shownAppointment(
  { database, parts }: Pick<Platform, 'database' | 'parts'>,
  patientId: PatientId,
  appointmentId: string,
  now: EpochSeconds,
): Promise<ApiAppointment | null> {
  const found = await listedAppointment(database.db, parts, patientId, appointmentId);
  return found && apiAppointment(found, now);
}

function apiHold({ appointment, draft }: ShownHold): ApiHold {
  return {
    id: appointment.id,
    doctor: appointment.providerId,
    start: appointment.start,
    end: appointment.end,
    type: appointment.type,
    expiresAt: appointment.holdExpiresAt ?? 0,
    ...(isConfirming(appointment) && { confirming: true }),
    ...(hasPaymentLink(appointment) && { byClinic: true }),
    rescheduleOf: appointment.rescheduledFrom,
    draft,
  };
}

/** Each doctor that the appointments name, once. */
function doctorsOf(appointments: readonly ListedAppointment[]) {
  const doctors = new Map(
    appointments.flatMap(({ doctor }) => (doctor === null ? [] : [[doctor.id, doctor] as const])),
  );
  return [...doctors.values()];
}

const answerRefusal = (refusal: BookingRefusal): Refusal =>
  refuse(refusal.code, refusalDetails(refusal));

/** The status that the patient sees: a moved appointment appears as cancelled, beside the new one. */
function shownStatus({ state, cancelAskedAt }: StoredAppointment): ApiAppointment['status'] {
  const status = statusOf(state);
  if (status === 'held') return 'confirming';
  if (cancelAskedAt !== null && status !== 'rescheduled') return 'cancelling';
  if (status === 'released') throw new Error(`Not booked: it is ${state}`);
  return status === 'rescheduled' ? 'cancelled' : status;
}

const shownReceipt = ({ amountCents, paidAt, reference }: Receipt) => ({
  amount: dollarsOf(amountCents),
  paidAt,
  reference,
});

/**
 * An appointment as the list call shows it. `isCancellable` and `isReschedulable` say what policy and
 * clinic allow; the browser adds the limits of price and time. In an EMR, an appointment whose patient
 * has arrived can no longer be changed: it is shown without buttons.
 */
export function apiAppointment(
  { appointment, description, translations, mode, doctor, receipt, movedTo }: ListedAppointment,
  now: EpochSeconds,
  isInEmr = false,
): ApiAppointment {
  const status = shownStatus(appointment);
  const isOpen = status === 'confirming' || status === 'cancelling';
  const isKept = isInEmr && status === 'registered';
  return {
    id: appointment.id,
    doctor: appointment.providerId,
    startTime: appointment.start,
    endTime: appointment.end,
    // an appointment that the clinic is confirming is shown as upcoming, without buttons.
    isEditable: status === 'confirming' || isEditable(appointment, now),
    isCancellable: appointment.isCancellable,
    checkin: appointment.checkin,
    description,
    ...(translations && { translations }),
    paidAmount: dollarsOf(appointment.paidNow),
    bookingId: isOpen || isKept ? null : appointment.bookingNumber,
    code: appointment.type,
    isReschedulable: appointment.isReschedulable,
    ...(appointment.movedByClinic && { movedByClinic: true }),
    ticklers: [...appointment.ticklers],
    stripePaymentToken: null,
    status,
    ...(status === 'cancelled'
      ? { providerId: appointment.providerId, endedAt: appointment.changedAt }
      : {}),
    displayInfo: doctor && { doctorFirstName: doctor.firstName, doctorLastName: doctor.lastName },
    ...(status === 'booked' ? { bookedAt: appointment.changedAt } : {}),
    contactPreference: appointment.contactPreference,
    mode,
    sequence: appointment.sequence,
    ...(receipt && { receipt: shownReceipt(receipt) }),
    ...(movedTo && { movedTo: { id: movedTo.id, startTime: movedTo.start } }),
  };
}
