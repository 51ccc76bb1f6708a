import { FEE_MEANS, OVERRIDE_REASONS, REFUND_REASONS } from '@clinic/domain';
import { z } from 'zod';
import { call } from '../call.ts';
import {
  appointmentTypeCode,
  clinicDate,
  done,
  envelope,
  epochSeconds,
  id,
  keyHeader,
  text,
  uuid,
  wholeNumber,
} from '../shapes.ts';

/** Somebody whom a search has found. */
const foundPatient = z.object({
  /** Null for somebody without an account. */
  patientId: z.uuid().nullable(),
  recordId: id,
  /** 'Morgan, Casey'. */
  name: z.string(),
  birthDate: z.string(),
});

const freeTime = z.object({ doctor: id, start: epochSeconds, end: epochSeconds });

const bookingOptions = z.object({
  name: z.string(),
  /** Without one no email tells them what is booked. */
  hasAccount: z.boolean(),
  birthDate: z.string(),
  /** What this patient may be booked for, the usual first, with the fee at the clinic. */
  types: z.array(z.object({ code: z.string(), description: z.string(), feeCents: z.int().min(0) })),
  /** A fee may be paid by a link in an email. */
  mayLink: z.boolean(),
  providers: z.array(z.object({ id, name: z.string() })),
  upcoming: z.array(
    z.object({ id, start: epochSeconds, description: z.string(), provider: z.string() }),
  ),
});

/** a place on a provider's time, and what staff say of it. */
const place = {
  providerId: id,
  start: epochSeconds.multipleOf(300),
  /** Left out, it is as long as the clinic's rules say. */
  minutes: wholeNumber(5, 480).multipleOf(5).optional(),
  /** Why it is booked against a rule. */
  overrideReason: z.enum(OVERRIDE_REASONS).optional(),
};

const placed = envelope({
  id,
  providerId: id,
  start: epochSeconds,
  end: epochSeconds,
  /** Whether the patient is told by email; without an account they are not. */
  isTold: z.boolean(),
  /** What is to be taken at the clinic. */
  feeCents: z.int().min(0),
  /** Until when it is held for its payment link; null where it is booked. */
  linkUntil: epochSeconds.nullable(),
});

export type ApiFoundPatient = z.infer<typeof foundPatient>;
export type ApiFreeTime = z.infer<typeof freeTime>;
export type ApiBookingOptions = z.infer<typeof bookingOptions>;

/** An account, or the number of a record without one. */
const personParams = z.object({ id });
const appointmentParams = z.object({ id: uuid });

/** Finding a patient, and booking and moving appointments for them. */
export const deskBookingCalls = {
  deskFindPatients: call('deskFindPatients', {
    summary:
      'Patients by name, birth date, phone or card number, or several of them; on the trail without what was typed.',
    section: 'S-18 (ours)',
    limit: 'changes',
    idempotency: 'none',
    body: z.strictObject({ text: text(100) }),
    answer: envelope({
      patients: z.array(foundPatient),
      /** There are more: what was typed fits too many. */
      hasMore: z.boolean(),
    }),
  }),
  deskBookingOptions: call('deskBookingOptions', {
    summary:
      'What a patient may be booked for, with whom, and what they have booked; on the trail.',
    section: 'S-18, R-98 (ours)',
    limit: 'changes',
    idempotency: 'none',
    params: personParams,
    body: z.strictObject({}),
    answer: envelope(bookingOptions.shape),
  }),
  deskFreeTimes: call('deskFreeTimes', {
    summary: 'The first free times of a type from a day on, and where a walk-in can be seen now.',
    section: 'S-18, R-98 (ours)',
    limit: 'changes',
    idempotency: 'natural',
    params: personParams,
    body: z.strictObject({
      type: appointmentTypeCode,
      /** Left out for whoever is free first. */
      providerId: id.optional(),
      from: clinicDate,
    }),
    answer: envelope({ times: z.array(freeTime), walkIns: z.array(freeTime) }),
  }),
  deskBook: call('deskBook', {
    summary:
      'Book for a patient, who is mailed where they have an account; a rule that keeps patients from it is overridden with a reason.',
    section: 'S-18, R-98 (ours)',
    limit: 'changes',
    idempotency: 'key',
    headers: keyHeader,
    params: personParams,
    body: z.strictObject({
      type: appointmentTypeCode,
      ...place,
      /** held until its fee is paid by the link that its patient is mailed. Left out, it is due at the clinic. */
      feeBy: z.enum(['clinic', 'link']).optional(),
    }),
    answer: placed,
    refusals: [402, 409],
  }),
  deskMoveAppointment: call('deskMoveAppointment', {
    summary:
      'Move an appointment to another time or provider; its patient is mailed where they have an account.',
    section: 'S-18, R-98 (ours)',
    limit: 'changes',
    idempotency: 'key',
    headers: keyHeader,
    params: appointmentParams,
    body: z.strictObject({
      ...place,
      /** whom the clinic moves may cancel until the start. Left out, its patient asked for it. */
      wantedBy: z.enum(['patient', 'clinic']).optional(),
    }),
    answer: placed,
    refusals: [402, 409],
  }),
  deskPayAtClinic: call('deskPayAtClinic', {
    summary:
      'Book what is held for a payment link, and take its fee at the clinic; its patient is mailed.',
    section: 'S-18, R-98 (ours)',
    limit: 'changes',
    idempotency: 'natural',
    params: appointmentParams,
    body: z.strictObject({}),
    answer: placed,
    refusals: [402, 409],
  }),
  deskTakeFee: call('deskTakeFee', {
    summary: 'Note that the fee of an appointment was taken at the clinic, how, and by whom.',
    section: 'S-18, R-98 (ours)',
    limit: 'changes',
    idempotency: 'natural',
    params: appointmentParams,
    body: z.strictObject({ means: z.enum(FEE_MEANS) }),
    answer: done,
    refusals: [409],
  }),
  deskFeeBack: call('deskFeeBack', {
    summary:
      'Note once that a fee that was taken at the clinic was given back there, how, why, and by whom.',
    section: 'S-18, R-98 (ours)',
    limit: 'changes',
    idempotency: 'natural',
    params: appointmentParams,
    body: z.strictObject({ means: z.enum(FEE_MEANS), reason: z.enum(REFUND_REASONS) }),
    answer: done,
    refusals: [409],
  }),
};
