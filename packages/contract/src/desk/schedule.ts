import { CALL_OUTCOMES, CLOSING_OUTCOMES } from '@clinic/domain';
import { z } from 'zod';
import { call } from '../call.ts';
import { formHeaders, formVersion } from '../older-forms.ts';
import {
  clinicDate,
  done,
  envelope,
  epochSeconds,
  id,
  keyHeader,
  previewVersion,
  uuid,
} from '../shapes.ts';

/** A span of time of providers, on the clinic's 5-minute grid. */
const timeToClose = z.strictObject({
  providerIds: z.array(id).min(1).max(500),
  from: epochSeconds.multipleOf(300),
  // The last day of the calendar has no next day, so it cannot be asked for.
  to: epochSeconds.multipleOf(300).max(253_402_214_400),
});

/** An appointment or a hold within the time. */
const inClosedTime = {
  appointmentId: z.uuid(),
  /** 'Morgan, Casey'. */
  patient: z.string(),
  /** Null for a patient without an account. */
  phone: z.string().nullable(),
  providerId: id,
  description: z.string(),
  start: epochSeconds,
  end: epochSeconds,
  /** The amount that the patient is refunded. */
  paidCents: z.int().min(0),
};

/** How the patient is told; staff must `call` those whom no email reaches. */
const told = z.enum(['email', 'call']);

const count = z.int().min(0);

const foreseen = z.object({
  ...inClosedTime,
  becomes: z.enum(['cancelled', 'released', 'underWay']),
  told,
  /** The email that the patient will get; null for a hold, and when there is no address. */
  email: z.object({ subject: z.string(), text: z.string() }).nullable(),
});

const closing = z.object({
  id: z.uuid(),
  providerIds: z.array(id),
  from: epochSeconds,
  to: epochSeconds,
  /** The member of staff who closed the time; null when the operator did. */
  askedBy: z.string().nullable(),
  askedAt: epochSeconds,
  /** Null until every appointment and hold of it is dealt with. */
  doneAt: epochSeconds.nullable(),
  /** Until when it can be stopped before anybody is told; null or absent where it does not wait. */
  waitsUntil: epochSeconds.nullable().optional(),
  /** From when on it is open again, when it was reopened, and by whom; null while it is closed. */
  reopened: z
    .object({ from: epochSeconds, at: epochSeconds, by: z.string().nullable() })
    .nullable(),
  /** How many appointments and holds it affects, and for how many of them the outcome is known. */
  total: z.int().min(0),
  known: z.int().min(0),
});

/** A call to a patient; `by` is null when whoever called is no more known. */
const closingCall = z.object({
  id: z.uuid(),
  outcome: z.enum(CALL_OUTCOMES),
  by: z.string().nullable(),
  at: epochSeconds,
  /** Who has taken it back as a mistake, and when; null while it counts. */
  takenBack: z.object({ by: z.string().nullable(), at: epochSeconds }).nullable(),
});

const closingEntry = z.object({
  ...inClosedTime,
  /**
   * `waiting` is next. `underWay` is being paid for or booked, and waits for that. `kept` was not cancelled
   * because the time was reopened.
   */
  outcome: z.enum([...CLOSING_OUTCOMES, 'waiting', 'underWay', 'kept']),
  /**
   * The state of the email. `call`: there is no address. `none`: there is nothing to tell. `past`: it was
   * over so long ago that the outcome is no longer kept.
   */
  email: z.enum(['sent', 'waiting', 'failed', 'past', 'call', 'none']),
  /** The state of the refund. */
  refund: z.enum(['none', 'coming', 'done', 'failed']),
  /** The number of the patient's record, and the code of the type. */
  recordId: id,
  type: id,
  /** Every number at which the patient may be reached, each once, and where it is kept. */
  phones: z.array(z.object({ number: z.string(), keptIn: z.array(z.enum(['card', 'account'])) })),
  /** The newest first. */
  calls: z.array(closingCall),
  /** What the patient has booked since; null while nothing. */
  rebooked: z
    .object({
      appointmentId: z.uuid(),
      providerId: id,
      description: z.string(),
      start: epochSeconds,
      /** True while it is held until a payment link is paid. */
      isHeld: z.boolean(),
    })
    .nullable(),
});

const slotCodes = z.array(
  z.object({ code: z.string(), description: z.string(), types: z.array(z.string()) }),
);

/** One code for each five minutes of a day, `_` for none. */
const dayCodes = z.string().regex(/^[A-Za-z0-9_]{288}$/);

/** An appointment that would be outside the schedule, or would have another length. */
const outside = z.object({
  appointmentId: z.uuid(),
  patient: z.string(),
  phone: z.string().nullable(),
  description: z.string(),
  start: epochSeconds,
  end: epochSeconds,
  /** When an appointment booked there under the new schedule would end; null when none could be. */
  endsThen: epochSeconds.nullable(),
  /** True when it is held until a payment link is paid, and is not booked yet. */
  isHeld: z.boolean(),
});

const singleDay = z.object({ providerId: id, date: clinicDate });

export type ApiForeseen = z.infer<typeof foreseen>;
export type ApiClosing = z.infer<typeof closing>;
export type ApiClosingEntry = z.infer<typeof closingEntry>;
export type ApiClosingCall = z.infer<typeof closingCall>;
export type ApiOutside = z.infer<typeof outside>;

/** Who works when, and calls to close a day, half a day, or a provider's absence. */
export const deskScheduleCalls = {
  deskClosings: call('deskClosings', {
    summary: 'Whose time can be closed, and what was closed last.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'reads',
    idempotency: 'natural',
    answer: envelope({
      providers: z.array(z.object({ id, name: z.string() })),
      closings: z.array(closing),
    }),
  }),
  deskForeseeClosing: call('deskForeseeClosing', {
    summary: 'How many patients closing a time would affect. Nothing is changed.',
    section: 'S-18, R-44 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    body: timeToClose,
    answer: envelope({
      /** Appointments that are cancelled, holds that are released, and what is being paid for. */
      cancelled: count,
      released: count,
      underWay: count,
      /** Of these, how many patients no email reaches. */
      toCall: count,
      /** How many fees go back, and how much in all. */
      refunds: count,
      refundedCents: count,
      /** What would become of it: done at once, stoppable for five minutes, or left to a manager. */
      verdict: z.enum(['atOnce', 'waits', 'refused']).optional(),
      /** True where all of it is closed already. */
      isClosed: z.boolean().optional(),
    }),
  }),
  deskForeseenPatients: call('deskForeseenPatients', {
    summary:
      'A page of the patients whom closing a time would affect, what they would read, and what goes back to them; on the trail.',
    section: 'S-18, R-44 (ours)',
    shows: 'patients',
    limit: 'changes',
    idempotency: 'natural',
    body: timeToClose.extend({ page: z.int().min(1).max(10_000) }),
    answer: envelope({ affected: z.array(foreseen), pages: count }),
  }),
  deskCloseTime: call('deskCloseTime', {
    summary:
      'Close time of providers: nothing of it is offered any more, and what is booked in it is cancelled by a job, with a mail and the money back.',
    section: 'S-18, R-44, R-93 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'key',
    headers: keyHeader,
    body: timeToClose,
    answer: envelope({ id: z.uuid() }),
    refusals: [409],
  }),
  deskClosing: call('deskClosing', {
    summary: 'How far a closing is, and what became of each patient; a look is on the trail.',
    section: 'S-18 (ours)',
    shows: 'patients',
    limit: 'reads',
    idempotency: 'natural',
    params: z.object({ id: uuid }),
    answer: envelope({ closing, entries: z.array(closingEntry) }),
  }),
  deskNoteCall: call('deskNoteCall', {
    summary: 'Note, under an id that the page makes, what came of calling a patient of a closing.',
    section: 'R-124 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: z.object({ id: uuid, callId: uuid }),
    body: z.strictObject({ appointmentId: uuid, outcome: z.enum(CALL_OUTCOMES) }),
    answer: done,
    refusals: [409],
  }),
  deskTakeBackCall: call('deskTakeBackCall', {
    summary: 'Take back a call that was noted by mistake: both stay known.',
    section: 'R-124 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: z.object({ id: uuid, callId: uuid }),
    body: z.strictObject({}),
    answer: done,
  }),
  deskReopenTime: call('deskReopenTime', {
    summary:
      'Open what still lies ahead of closed time again: it is offered as before. What was cancelled stays cancelled.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: z.object({ id: uuid }),
    body: z.strictObject({}),
    answer: done,
    refusals: [409],
  }),
  deskWeek: call('deskWeek', {
    summary: "A provider's working week as it holds on a date, and what its codes stand for.",
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'reads',
    idempotency: 'natural',
    params: z.object({ providerId: id }),
    query: z.object({ on: clinicDate }),
    answer: envelope({
      week: z.array(z.string()),
      /** The date from which the week holds, and the date of the next one; null without one. */
      since: z.string().nullable(),
      next: z.string().nullable(),
      /** Days from today on that differ from the week. */
      days: z.array(z.string()),
      codes: slotCodes,
      /** True when the EMR keeps the weeks: here they are read-only. */
      isInEmr: z.boolean(),
      formVersion: formVersion.optional(),
    }),
  }),
  deskSaveWeek: call('deskSaveWeek', {
    summary:
      'Say which appointments would stand outside of a working week; with the version of that, save it, as an import does.',
    section: 'S-18, R-93 (ours)',
    shows: 'patients',
    limit: 'changes',
    idempotency: 'natural',
    params: z.object({ providerId: id }),
    headers: formHeaders,
    body: z.strictObject({
      validFrom: clinicDate,
      /** The date whose week the form was made of. */
      madeOn: clinicDate.optional(),
      /** One for each weekday, Sunday first. */
      week: z.array(dayCodes).length(7),
      /** When left out, nothing is changed. */
      version: previewVersion.optional(),
    }),
    answer: envelope({
      isSaved: z.boolean(),
      version: z.string(),
      /** How many lines of the week are added or removed. */
      changed: z.int().min(0),
      outside: z.array(outside),
    }),
    refusals: [409],
  }),
  deskSingleDay: call('deskSingleDay', {
    summary: 'What is said of a single day of a provider, what its week says, and what is closed.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'reads',
    idempotency: 'natural',
    params: singleDay,
    answer: envelope({
      /** Null when the day is as the week has it. */
      said: z.string().nullable(),
      week: z.string(),
      /** Closed times. They stay closed whatever is set for the day. */
      closed: z.array(z.object({ from: epochSeconds, to: epochSeconds })),
      codes: slotCodes,
      isInEmr: z.boolean(),
      formVersion: formVersion.optional(),
    }),
  }),
  deskSaveDay: call('deskSaveDay', {
    summary:
      'Say which appointments would stand outside of a single day as it is to be; with the version of that, save it.',
    section: 'S-18, R-93 (ours)',
    shows: 'patients',
    limit: 'changes',
    idempotency: 'natural',
    params: singleDay,
    headers: formHeaders,
    body: z.strictObject({
      /** Null returns the day to the week. */
      codes: dayCodes.nullable(),
      /** When left out, nothing is changed. */
      version: previewVersion.optional(),
    }),
    answer: envelope({
      isSaved: z.boolean(),
      version: z.string(),
      outside: z.array(outside),
    }),
    refusals: [409],
  }),
};
