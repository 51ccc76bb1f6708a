import { z } from 'zod';
import { call } from './call.ts';
import { appointmentTypeCode, envelope, epochSeconds, id, text } from './shapes.ts';

export const doctor = z.object({ id, firstName: z.string(), lastName: z.string() });

/** §3 Doctor status map: one entry. */
const doctorStatusEntry = z.object({
  scheduledisable: z.boolean(),
  scheduledcomment: z.string(),
  noscheduledisplay: z.boolean(),
  onlyFamilyDoctor: z.boolean(),
  noPCP: z.boolean(),
});

/** §3 Schedule entry per day. `booked` never says who booked. */
const scheduleDay = z.object({
  /** `YYYY-MM-DD`, a date on the clinic's calendar. */
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
 * S-12: a time that was taken or freed. It says nothing about whom it is for: no patient, no type, no reason.
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

/** Events that the service sends over its socket; browsers send none. */
export interface LiveEvents {
  readonly slots: (changes: readonly SlotChange[]) => void;
  /** The clinic's records cannot be reached, or the clinic announced maintenance. */
  readonly oscarOffline: () => void;
  readonly oscarOnline: () => void;
  /** Nothing can be booked until `oscarOnline`. The page must ask as of when the shown times are. */
  readonly bookingPaused: () => void;
  /** Sent only to the front desk: a day may have changed. */
  readonly desk: () => void;
  /**
   * This and the two below are sent to all sockets of one patient, and to nobody else, whoever made the change:
   * the patient on any device, staff, a job, the card company or the EMR. They have no content; the page asks
   * again. One of the patient's messages changed.
   */
  readonly messages: () => void;
  /** The patient's hold, its draft, an appointment or a payment changed. */
  readonly appointments: () => void;
  /** The patient's profile, documents, sessions or what they are offered changed. */
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
       * Ours: lists the starts of this type that the caller may book, with their ends, and no `booked`.
       * Refuses a type that the caller may not book, as holding does.
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
