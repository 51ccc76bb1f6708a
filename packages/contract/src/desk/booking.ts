import { FEE_MEANS, OVERRIDE_REASONS, REFUND_REASONS, WAIVE_REASONS } from '@clinic/domain';
import { z } from 'zod';
import { call } from '../call.ts';
import { agreedText, agreementKind } from '../forms.ts';
import { changedFee } from './changed-fee.ts';
import { CHART_STATES } from './charts.ts';
import { BLOCKS } from './patients.ts';
import {
  appointmentTypeCode,
  clinicDate,
  done,
  envelope,
  epochSeconds,
  foundPatient,
  id,
  keyHeader,
  text,
  undo,
  uuid,
} from '../shapes.ts';

const freeTime = z.object({ doctor: id, start: epochSeconds, end: epochSeconds });

const bookingOptions = z.object({
  name: z.string(),
  /** A patient without an account gets no emails about bookings. */
  hasAccount: z.boolean(),
  birthDate: z.string(),
  /** Types that the patient may be booked for, the usual first, with the fee at the clinic. */
  types: z.array(z.object({ code: z.string(), description: z.string(), feeCents: z.int().min(0) })),
  /** What keeps the patient from booking, unless staff override it; absent from an older service. */
  block: z.enum(BLOCKS).optional(),
  /** True when the patient can be mailed a link to pay the fee. */
  mayLink: z.boolean(),
  providers: z.array(z.object({ id, name: z.string() })),
  /** Alerts of the patient's card; absent from an older service. */
  alerts: z.array(z.string()).optional(),
  upcoming: z.array(
    z.object({
      id,
      start: epochSeconds,
      description: z.string(),
      provider: z.string(),
      /** The cents that are due at the clinic, or null; left out by an older service. */
      feeDue: z.int().nullable().optional(),
    }),
  ),
});

/** a time of a provider, and how staff want it booked. */
const place = {
  providerId: id,
  start: epochSeconds.multipleOf(300),
  /** When left out, the clinic's rules decide the length. */
  minutes: z.int().min(5).max(480).multipleOf(5).optional(),
  /** Why staff book against a rule. */
  overrideReason: z.enum(OVERRIDE_REASONS).optional(),
};

const placed = envelope({
  id,
  providerId: id,
  start: epochSeconds,
  end: epochSeconds,
  /** Whether the patient is told by email; one without an account is not. */
  isTold: z.boolean(),
  /** The fee to be taken at the clinic. */
  feeCents: z.int().min(0),
  /** Until when it is held for its payment link; null when it is booked. */
  linkUntil: epochSeconds.nullable(),
  undo,
});

/** A text to read out to a patient: in English, with its placeholders filled. */
const textToRead = z.object({
  kind: agreementKind,
  version: z.string(),
  hash: z.string(),
  title: z.string(),
  paragraphs: z.array(z.string()),
});

/** A chart of the EMR that stands. */
const foundChart = z.object({
  /** Its number in the EMR. */
  chart: z.string(),
  name: z.string(),
  /** '' where the chart has none. */
  birthDate: z.string(),
  /** Only an active chart can be booked. */
  state: z.enum(CHART_STATES),
  /** Who has it here, if anybody. */
  known: foundPatient.nullable(),
});

export type ApiFoundChart = z.infer<typeof foundChart>;
export type ApiTextToRead = z.infer<typeof textToRead>;
export type ApiFoundPatient = z.infer<typeof foundPatient>;
export type ApiFreeTime = z.infer<typeof freeTime>;
export type ApiBookingOptions = z.infer<typeof bookingOptions>;

/** The id of an account, or of a record for a patient without one. */
const personParams = z.object({ id });
const appointmentParams = z.object({ id: uuid });

/** A whole name fits: both parts in full. */
export const MOST_SEARCH = 250;

/** Calls to find patients, and to book and move appointments for them. */
export const deskBookingCalls = {
  deskFindPatients: call('deskFindPatients', {
    summary:
      'Patients by name, birth date, phone or card number, or several of them, or by the beginning of an email; names also by near spelling and by sound. On the trail without what was typed.',
    section: 'S-18 (ours)',
    shows: 'patients',
    limit: 'changes',
    idempotency: 'none',
    body: z.strictObject({ text: text(MOST_SEARCH) }),
    answer: envelope({
      /** Who matches; then whose name is spelt nearly as was typed. */
      patients: z.array(foundPatient),
      /** True when more patients match than are listed. */
      hasMore: z.boolean(),
      /** Whose name only sounds like what was typed. Left out by a version that does not listen. */
      soundsLike: z.array(foundPatient).optional(),
      /** An EMR may know others: ask it with `deskFindCharts`. Left out by a version that does not. */
      hasEmr: z.boolean().optional(),
    }),
  }),
  deskFindCharts: call('deskFindCharts', {
    summary:
      'Charts of the EMR by name, birth date, phone, card number or their own number, or several of them, each once and with who has it here; on the trail without what was typed. Refused where the EMR does not answer.',
    section: 'S-18 (ours)',
    shows: 'patients',
    limit: 'changes',
    idempotency: 'none',
    body: z.strictObject({ text: text(MOST_SEARCH) }),
    answer: envelope({
      charts: z.array(foundChart),
      /** True when more charts match than are listed, or may. */
      hasMore: z.boolean(),
      /** True when too little was typed for the EMR to be asked. */
      isTooLittle: z.boolean(),
    }),
    refusals: [503],
  }),
  deskBookingOptions: call('deskBookingOptions', {
    summary:
      'What a patient may be booked for, with whom, and what they have booked; on the trail.',
    section: 'S-18, R-98 (ours)',
    shows: 'patients',
    limit: 'changes',
    idempotency: 'none',
    params: personParams,
    body: z.strictObject({}),
    answer: envelope(bookingOptions.shape),
  }),
  deskFreeTimes: call('deskFreeTimes', {
    summary: 'The first free times of a type from a day on, and where a walk-in can be seen now.',
    section: 'S-18, R-98 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: personParams,
    body: z.strictObject({
      type: appointmentTypeCode,
      /** Leave out to ask for any provider, the earliest first. */
      providerId: id.optional(),
      from: clinicDate,
      /** Leaves out the times before, such as those of a morning. */
      notBefore: epochSeconds.optional(),
    }),
    answer: envelope({ times: z.array(freeTime), walkIns: z.array(freeTime) }),
  }),
  deskBook: call('deskBook', {
    summary:
      'Book for a patient, who is mailed where they have an account; a rule that keeps patients from it is overridden with a reason.',
    section: 'S-18, R-98 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'key',
    headers: keyHeader,
    params: personParams,
    body: z.strictObject({
      type: appointmentTypeCode,
      ...place,
      /** 'link' holds the time until the patient pays by a mailed link. Left out, it means 'clinic'. */
      feeBy: z.enum(['clinic', 'link']).optional(),
    }),
    answer: placed,
    refusals: [402, 409],
  }),
  deskMoveAppointment: call('deskMoveAppointment', {
    summary:
      'Move an appointment to another time or provider; its patient is mailed where they have an account.',
    section: 'S-18, R-98 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'key',
    headers: keyHeader,
    params: appointmentParams,
    body: z.strictObject({
      ...place,
      /** after 'clinic' the patient may cancel until the start. Left out, it means 'patient'. */
      wantedBy: z.enum(['patient', 'clinic']).optional(),
    }),
    answer: placed,
    refusals: [402, 409],
  }),
  deskPayAtClinic: call('deskPayAtClinic', {
    summary:
      'Book what is held for a payment link, and take its fee at the clinic; its patient is mailed.',
    section: 'S-18, R-98 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: appointmentParams,
    body: z.strictObject({}),
    answer: placed,
    refusals: [402, 409],
  }),
  deskConsents: call('deskConsents', {
    summary:
      'The texts that the patient of an appointment would agree to online for its type and fee, to be read out; none where it waits for its payment link, or does not stand.',
    section: 'R-98, R-104 (ours)',
    shows: 'noPatient',
    limit: 'reads',
    idempotency: 'natural',
    params: appointmentParams,
    answer: envelope({ texts: z.array(textToRead) }),
  }),
  deskNoteConsents: call('deskNoteConsents', {
    summary:
      'Note that texts were read out to the patient of an appointment, who agreed, and by whom; what is noted already is not noted again.',
    section: 'R-98, R-104 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: appointmentParams,
    body: z.strictObject({ texts: z.array(agreedText).min(1).max(3) }),
    answer: done,
    refusals: [409],
  }),
  deskTakeFee: call('deskTakeFee', {
    summary: 'Note that the fee of an appointment was taken at the clinic, how, and by whom.',
    section: 'S-18, R-98 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: appointmentParams,
    body: z.strictObject({ means: z.enum(FEE_MEANS) }),
    answer: done,
    refusals: [409],
  }),
  deskWaiveFee: call('deskWaiveFee', {
    summary: 'Note that a fee that is due at the clinic is asked no more, why, and by whom.',
    section: 'S-18, R-126 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: appointmentParams,
    body: z.strictObject({ reason: z.enum(WAIVE_REASONS) }),
    answer: done,
    refusals: [409],
  }),
  deskFeeBack: call('deskFeeBack', {
    summary:
      'Note once that a fee that was taken at the clinic was given back there, how, why, and by whom.',
    section: 'S-18, R-98 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: appointmentParams,
    body: z.strictObject({ means: z.enum(FEE_MEANS), reason: z.enum(REFUND_REASONS) }),
    answer: done,
    refusals: [409],
  }),
  deskStrikeFee: call('deskStrikeFee', {
    summary:
      'Strike that a fee was taken at the clinic, or waived, on the day on which it was noted: it is due again.',
    section: 'S-18, R-126 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: appointmentParams,
    /** When what is struck was noted: nothing else is. */
    body: z.strictObject({ at: epochSeconds }),
    answer: done,
    refusals: [409],
  }),
  deskApplyFees: call('deskApplyFees', {
    summary:
      'Give appointments ahead the fees of the eligibility that their patient has now, where they are due at the clinic. Says which fees of the patient still differ, and which of those asked were paid.',
    section: 'S-18, R-127 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    body: z.strictObject({ appointmentIds: z.array(uuid).min(1).max(100) }),
    answer: envelope({ fees: z.array(changedFee), paid: z.array(z.string()) }),
  }),
};
