import { z } from 'zod';
import { call } from './call.ts';
import { appointmentTypeCode, envelope, epochSeconds, id, text } from './shapes.ts';

export const doctor = z.object({ id, firstName: z.string(), lastName: z.string() });

/** §3 Doctor status map, one entry. */
const doctorStatusEntry = z.object({
  scheduledisable: z.boolean(),
  scheduledcomment: z.string(),
  noscheduledisplay: z.boolean(),
  onlyFamilyDoctor: z.boolean(),
  noPCP: z.boolean(),
});

/** §3 Schedule entry per day. `booked` never says by whom. */
const scheduleDay = z.object({
  /** `YYYY-MM-DD`, a day of the clinic's calendar. */
  date: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  providers: z.array(
    z.object({
      doctor: id,
      schedule: z.array(z.object({ code: text(4).min(1), start: epochSeconds, end: epochSeconds })),
      booked: z.array(z.object({ doctor: id, start: epochSeconds })),
    }),
  ),
});

/** A provider's id, or -1 for all of them. */
const providerOrAll = text(64).min(1).default('-1');

const scheduleBound = z.string().regex(/^(\d{4}-\d{2}-\d{2}|\d{1,12})$/);

/**
 * S-12: a time that was taken or became free. Which one, and nothing of whom it is for: no patient,
 * no type, no reason.
 */
export const slotChange = z.strictObject({
  doctor: id,
  start: epochSeconds,
  end: epochSeconds,
  state: z.enum(['taken', 'freed']),
});

export type ApiDoctor = z.infer<typeof doctor>;
export type ApiDoctorStatus = z.infer<typeof doctorStatusEntry>;
export type ApiScheduleDay = z.infer<typeof scheduleDay>;
export type SlotChange = z.infer<typeof slotChange>;

/** What the service says over its socket; browsers say nothing. */
export interface LiveEvents {
  readonly slots: (changes: readonly SlotChange[]) => void;
  /** The clinic's records went away, or the clinic announced maintenance. */
  readonly oscarOffline: () => void;
  readonly oscarOnline: () => void;
  /** Nothing can be booked until `oscarOnline`; as of when the times are is to be asked. */
  readonly bookingPaused: () => void;
  /** To the sockets of one patient alone: a message of theirs changed. Nothing of it is said. */
  readonly messages: () => void;
  /** To the front desk alone: a day may have changed. */
  readonly desk: () => void;
  /** The same of an appointment, that the clinic's staff changed. */
  readonly appointments: () => void;
  /** The same of what the clinic keeps about them: their documents, what they are offered. */
  readonly account: () => void;
}

export const doctorCalls = {
  listDoctors: call('listDoctors', {
    summary: 'Doctors and nurse practitioners that patients may be shown.',
    section: '§7, R-22',
    limit: 'reads',
    idempotency: 'natural',
    answer: z.array(doctor),
  }),
  getProvider: call('getProvider', {
    summary: "A provider's status in the clinic's records; '1' is active.",
    section: '§3 Doctor, §7',
    limit: 'reads',
    idempotency: 'natural',
    params: z.object({ id }),
    answer: z.object({ success: z.literal(true), provider: z.object({ status: z.string() }) }),
  }),
  doctorStatus: call('doctorStatus', {
    summary: 'What the clinic says of each doctor, by doctor id.',
    section: '§3 Doctor status map, §7',
    limit: 'reads',
    idempotency: 'natural',
    answer: z.record(id, doctorStatusEntry),
  }),
  doctorSchedule: call('doctorSchedule', {
    summary: 'Slots and bookings by day; `id` -1 for all doctors; at most six days.',
    section: '§7, R-5, R-91',
    limit: 'reads',
    idempotency: 'natural',
    query: z.object({
      from: scheduleBound,
      to: scheduleBound,
      id: providerOrAll,
      /**
       * Ours: then the caller's starts of this type are listed with their ends, and nothing is booked.
       * A type that is not open to the caller is refused, as hold refuses it.
       */
      type: appointmentTypeCode.optional(),
    }),
    answer: z.object({ success: z.literal(true), extras: z.array(scheduleDay) }),
  }),
  earliestSlot: call('earliestSlot', {
    summary:
      'The earliest free slot of a type that this patient may book, over the whole booking window; null without one.',
    section: '§4 Slot search, R-12, R-13, R-22 (ours)',
    limit: 'reads',
    idempotency: 'natural',
    query: z.object({ type: appointmentTypeCode, id: providerOrAll }),
    answer: envelope({
      slot: z.object({ doctor: id, start: epochSeconds, end: epochSeconds }).nullable(),
    }),
  }),
};
