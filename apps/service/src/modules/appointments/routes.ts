import { calls } from '@clinic/contract';
import type { ApiAnswers, ApiBookingResult, ApiHold } from '@clinic/contract';
import { text } from '@clinic/contract/texts';
import type { EpochSeconds } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';

import { route } from '../../server/http.ts';
import { emailHead } from '../../server/email-head.ts';
import type { Platform } from '../../platform.ts';
import { refuse } from '../../server/refusal.ts';
import type { Refusal } from '../../server/refusal.ts';
import { isUuid } from '../../server/uuid.ts';
import { bookAppointment } from './book-appointment.ts';
import { cancelAppointment } from './cancel-appointment.ts';
import type { SlotRequest } from './appointment.ts';
import { appointments } from './appointments.store.ts';
import { placeHold } from './place-hold.ts';
import type { HeldPayments } from './ports.ts';
import { APPOINTMENT_EMAIL } from './record-appointment.ts';
import type { BookingRefusal } from './refusals.ts';
import { releaseHold } from './release-hold.ts';
import { requestKey, sentKey } from './request-key.ts';
import { rescheduleAppointment } from './reschedule-appointment.ts';
import { readHold, saveDraft } from './save-draft.ts';
import type { HeldNow } from './save-draft.ts';
import { sendAppointmentEmail } from './send-email.ts';
import type { BookedAppointment } from './appointment-details.ts';
import { appointmentMadeBy } from './listed-appointments.store.ts';
import type { ListedAppointment } from './listed-appointments.store.ts';
import { apiAppointment } from './api-appointment.ts';

/** Holds and bookings (§7, R-30, R-50). */
export function registerBooking(
  app: FastifyInstance,
  platform: Platform,
  heldPayments: HeldPayments,
): void {
  const ports = { ...platform, appointments, heldPayments };
  platform.outbox.handle(
    APPOINTMENT_EMAIL,
    sendAppointmentEmail(platform, emailHead(platform.config)),
  );

  route(app, calls.placeHold, async ({ body, patient, now }) => {
    const slot = slotOf(body);
    const rescheduleOf = body.rescheduleOf ?? null;
    if (rescheduleOf !== null && !isUuid(rescheduleOf)) return refuse('notFound');
    const request = { patientId: patient.id, slot, rescheduleOf };
    const forPayment = body.forPayment === true;
    const held = await placeHold(ports, { ...request, forPayment }, now);
    if (held.kind === 'refused') return answerRefusal(held);
    const shown = await readHold(ports, patient.id, now);
    return shown === null
      ? refuse('holdGone')
      : { success: true as const, extras: { hold: apiHold(shown) } };
  });

  route(app, calls.readHold, async ({ headers, patient, now }) => {
    const { db } = platform.database;
    const key = headers['idempotency-key'];
    // First the hold: one that has become an appointment meanwhile is then found as that.
    const held = await readHold(ports, patient.id, now);
    const made = key === undefined ? null : await appointmentMadeBy(db, patient.id, sentKey(key));
    return {
      success: true as const,
      extras: { hold: held && apiHold(held), made: made && apiMade(made, now) },
    };
  });

  route(app, calls.releaseHold, async ({ headers, patient, now }) => {
    const key = headers['idempotency-key'] ?? null;
    const released = await releaseHold(ports, patient.id, now, key);
    return released.kind === 'refused' ? answerRefusal(released) : { success: true as const };
  });

  route(app, calls.saveDraft, async ({ body, patient, now }) => {
    const saved = await saveDraft(ports, patient.id, body.draft, now);
    return saved.kind === 'refused' ? answerRefusal(saved) : { success: true as const };
  });

  route(app, calls.createBooking, async ({ body, headers, patient, now }) => {
    const slot = slotOf(body);
    const rescheduleOf = body.rescheduleOf ?? null;
    if (rescheduleOf !== null && !isUuid(rescheduleOf)) return refuse('notFound');
    const request = {
      patientId: patient.id,
      slot,
      answers: answersOf(body),
      requestKey: requestKey(headers['idempotency-key'], slot),
      asserted: {
        ticklers: body.previousTicklers ?? [],
        paymentToken: body.stripePaymentToken ?? null,
      },
    };
    const appointment =
      body.isReschedule === true || rescheduleOf !== null
        ? await rescheduleAppointment(ports, { ...request, rescheduleOf }, now)
        : await bookAppointment(ports, request, now);
    return appointment.kind === 'refused'
      ? answerRefusal(appointment)
      : answerAppointment(appointment, now);
  });

  route(app, calls.cancelAppointment, async ({ params, patient, now }) => {
    if (!isUuid(params.id)) return refuse('notFound');
    const ended = await cancelAppointment(ports, patient.id, params.id, now);
    return ended.kind === 'refused'
      ? answerRefusal(ended)
      : { success: true as const, extras: { message: text(ended.kind), code: ended.kind } };
  });
}

type CreateBody = z.output<typeof calls.createBooking.body>;

function slotOf(body: Pick<CreateBody, 'doctor' | 'start' | 'end' | 'selectedType'>): SlotRequest {
  return { providerId: body.doctor, start: body.start, end: body.end, type: body.selectedType };
}

function answersOf(body: CreateBody): ApiAnswers {
  const { reason, crashYear, crashMonth, crashDay, contactPreference } = body;
  const { symptom, medicationTaken, experiencingList, treatmentList } = body;
  return {
    reason,
    crashYear,
    crashMonth,
    crashDay,
    contactPreference,
    symptom,
    medicationTaken,
    experiencingList,
    treatmentList,
  };
}

function apiHold({ appointment, draft }: HeldNow): ApiHold {
  return {
    id: appointment.id,
    doctor: appointment.providerId,
    start: appointment.start,
    end: appointment.end,
    type: appointment.type,
    expiresAt: appointment.holdExpiresAt ?? 0,
    rescheduleOf: appointment.rescheduledFrom,
    draft,
  };
}

function apiMade({ appointment, description, doctor }: ListedAppointment, now: EpochSeconds) {
  const code =
    appointment.rescheduledFrom === null ? ('booked' as const) : ('rescheduled' as const);
  return { code, appointment: apiAppointment(appointment, description, doctor, now) };
}

function answerRefusal({ code, errors, retryAfter }: BookingRefusal): Refusal {
  return refuse(code, {
    ...(errors ? { errors } : {}),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

function answerAppointment(booked: BookedAppointment, now: EpochSeconds): ApiBookingResult {
  const { kind, description, doctor } = booked;
  const appointment = apiAppointment(booked.appointment, description, doctor, now);
  return { success: true, extras: { message: text(kind), code: kind, appointment } };
}
