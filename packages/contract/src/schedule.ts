import { z } from 'zod';
import { call } from './call.ts';
import { appointment } from './me.ts';
import { appointmentTypeCode, epochSeconds, id, keyHeader, text } from './api-types.ts';

/** §3 Stored booking answers, as sent and as kept in a draft. */
export const bookingAnswers = z.object({
  reason: text(1000),
  crashYear: z.int().min(0).max(9999).nullish(),
  crashMonth: z.int().min(0).max(99).nullish(),
  crashDay: z.int().min(0).max(99).nullish(),
  contactPreference: z.enum(['IN-PERSON', 'PHONE']).nullish(),
  symptom: text(2000).nullish(),
  medicationTaken: text(2000).nullish(),
  experiencingList: z.array(text(60)).max(12).nullish(),
  treatmentList: z
    .array(z.union([text(60), z.strictObject({ key: z.literal('other'), text: text(500) })]))
    .max(12)
    .nullish(),
});

/** a slot kept for one patient until `expiresAt` (epoch seconds, server clock). */
export const hold = z.object({
  id,
  doctor: id,
  start: epochSeconds,
  end: epochSeconds,
  type: appointmentTypeCode,
  expiresAt: epochSeconds,
  rescheduleOf: id.nullable(),
  draft: bookingAnswers.nullable(),
});

const slot = {
  start: epochSeconds,
  end: epochSeconds,
  doctor: id,
  selectedType: appointmentTypeCode,
};

export const placeHold = call('placeHold', {
  summary:
    'Hold a slot, or renew the hold on it. A patient has one hold: another slot replaces it.',
  section: 'R-30 (ours)',
  limit: 'holds',
  idempotency: 'natural',
  body: z.strictObject({
    ...slot,
    rescheduleOf: id.nullish(),
    /** The patient enters payment: 15 minutes from now in place of 10. */
    forPayment: z.boolean().nullish(),
  }),
  answer: z.object({ success: z.literal(true), extras: z.object({ hold }) }),
  refusals: [409],
});

export const readHold = call('readHold', {
  summary:
    "The patient's hold with its draft, or null; and what the request of the key given has made.",
  section: 'R-30, R-95 (ours)',
  limit: 'reads',
  idempotency: 'natural',
  headers: keyHeader,
  answer: z.object({
    success: z.literal(true),
    extras: z.object({
      hold: hold.nullable(),
      /** With a key: the appointment made under it, whatever became of that since; else null. */
      made: z.object({ code: z.enum(['booked', 'rescheduled']), appointment }).nullable(),
    }),
  }),
});

export const releaseHold = call('releaseHold', {
  summary:
    'Give the held slot back, with a key only the one that it names; repeating it is harmless.',
  section: 'R-30, R-95 (ours)',
  limit: 'changes',
  idempotency: 'natural',
  headers: keyHeader,
  answer: z.object({ success: z.literal(true) }),
  refusals: [409],
});

export const saveDraft = call('saveDraft', {
  summary: 'Keep the answers given so far, sealed, beside the hold.',
  section: 'R-30 (ours)',
  limit: 'drafts',
  idempotency: 'natural',
  body: z.strictObject({ draft: bookingAnswers.strict() }),
  answer: z.object({ success: z.literal(true) }),
  refusals: [409],
});

/** What a booking answers: the appointment as the list call would show it. */
export const bookingResult = z.object({
  success: z.literal(true),
  extras: z.object({ message: z.string(), code: z.enum(['booked', 'rescheduled']), appointment }),
});

export const createBooking = call('createBooking', {
  summary: 'Book an appointment that costs nothing, or move one (`isReschedule`).',
  section: '§4 Next on confirm, §7, R-8, R-32, R-40, R-50',
  limit: 'bookings',
  idempotency: 'key',
  headers: keyHeader,
  body: z.strictObject({
    ...slot,
    ...bookingAnswers.shape,
    isReschedule: z.boolean().nullish(),
    rescheduleOf: id.nullish(),
    /** Accepted and not believed. */
    previousTicklers: z.array(text(64)).max(100).nullish(),
    stripePaymentToken: text(200).nullish(),
  }),
  answer: bookingResult,
  refusals: [402, 409],
});

export const cancelAppointment = call('cancelAppointment', {
  summary: 'Cancel an appointment; repeating it, or cancelling one that was moved, is harmless.',
  section: '§5, §7, R-50, R-53',
  limit: 'cancellations',
  idempotency: 'natural',
  params: z.object({ id }),
  answer: z.object({
    success: z.literal(true),
    extras: z.object({ message: z.string(), code: z.enum(['cancelled']) }),
  }),
  refusals: [409],
});
