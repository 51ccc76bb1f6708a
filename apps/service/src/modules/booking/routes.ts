import { calls } from '@clinic/contract';
import type { WireAnswers, WireBookingResult, WireHold } from '@clinic/contract';
import { text } from '@clinic/contract/texts';
import type { EpochSeconds } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';

import { route } from '../../platform/http.ts';
import { letterHead } from '../../platform/letter-head.ts';
import type { Platform } from '../../platform/platform.ts';
import { refuse } from '../../platform/refusal.ts';
import type { Refusal } from '../../platform/refusal.ts';
import { isUuid } from '../../platform/uuid.ts';
import { bookAppointment } from './book-appointment.ts';
import { cancelAppointment } from './cancel-appointment.ts';
import type { SlotRequest } from './claim.ts';
import { claims } from './claims.store.ts';
import { placeHold } from './place-hold.ts';
import type { HeldPayments } from './ports.ts';
import { VISIT_LETTER } from './record-visit.ts';
import type { BookingRefusal } from './refusals.ts';
import { releaseHold } from './release-hold.ts';
import { requestKey, sentKey } from './request-key.ts';
import { rescheduleAppointment } from './reschedule-appointment.ts';
import { readHold, saveDraft } from './save-draft.ts';
import type { HeldNow } from './save-draft.ts';
import { sendVisitLetter } from './send-letter.ts';
import type { Visit } from './visit.ts';
import { visitMadeBy } from './visits.store.ts';
import type { ListedVisit } from './visits.store.ts';
import { wireAppointment } from './wire-appointment.ts';

/** Holds and bookings (§7, R-30, R-50). */
export function registerBooking(
  app: FastifyInstance,
  platform: Platform,
  heldPayments: HeldPayments,
): void {
  const ports = { ...platform, claims, heldPayments };
  platform.outbox.handle(VISIT_LETTER, sendVisitLetter(platform, letterHead(platform.config)));

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
      : { success: true as const, extras: { hold: wireHold(shown) } };
  });

  route(app, calls.readHold, async ({ headers, patient, now }) => {
    const { db } = platform.database;
    const key = headers['idempotency-key'];
    // First the hold: one that has become a visit meanwhile is then found as that.
    const held = await readHold(ports, patient.id, now);
    const made = key === undefined ? null : await visitMadeBy(db, patient.id, sentKey(key));
    return {
      success: true as const,
      extras: { hold: held && wireHold(held), made: made && wireMade(made, now) },
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
      claimed: {
        ticklers: body.previousTicklers ?? [],
        paymentToken: body.stripePaymentToken ?? null,
      },
    };
    const visit =
      body.isReschedule === true || rescheduleOf !== null
        ? await rescheduleAppointment(ports, { ...request, rescheduleOf }, now)
        : await bookAppointment(ports, request, now);
    return visit.kind === 'refused' ? answerRefusal(visit) : answerVisit(visit, now);
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

function answersOf(body: CreateBody): WireAnswers {
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

function wireHold({ claim, draft }: HeldNow): WireHold {
  return {
    id: claim.id,
    doctor: claim.providerId,
    start: claim.start,
    end: claim.end,
    type: claim.type,
    expiresAt: claim.holdExpiresAt ?? 0,
    rescheduleOf: claim.rescheduledFrom,
    draft,
  };
}

function wireMade({ claim, description, doctor }: ListedVisit, now: EpochSeconds) {
  const code = claim.rescheduledFrom === null ? ('booked' as const) : ('rescheduled' as const);
  return { code, appointment: wireAppointment(claim, description, doctor, now) };
}

function answerRefusal({ code, errors, retryAfter }: BookingRefusal): Refusal {
  return refuse(code, {
    ...(errors ? { errors } : {}),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

function answerVisit(visit: Visit, now: EpochSeconds): WireBookingResult {
  const { kind, claim, description, doctor } = visit;
  const appointment = wireAppointment(claim, description, doctor, now);
  return { success: true, extras: { message: text(kind), code: kind, appointment } };
}
