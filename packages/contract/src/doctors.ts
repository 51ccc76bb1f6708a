import { z } from 'zod';
import { call } from './call.ts';
import { envelope } from './envelope.ts';
import { doctor } from './me.ts';
import { appointmentTypeCode, clinicDate, epochSeconds, id, slotCode, text } from './api-types.ts';

/** §3 Doctor status map, one entry. */
export const doctorStatusEntry = z.object({
  scheduledisable: z.boolean(),
  scheduledcomment: z.string(),
  noscheduledisplay: z.boolean(),
  onlyFamilyDoctor: z.boolean(),
  noPCP: z.boolean(),
});

/** §3 Schedule entry per day. `booked` never says by whom. */
export const scheduleDay = z.object({
  date: clinicDate,
  providers: z.array(
    z.object({
      doctor: id,
      schedule: z.array(z.object({ code: slotCode, start: epochSeconds, end: epochSeconds })),
      booked: z.array(z.object({ doctor: id, start: epochSeconds })),
    }),
  ),
});

export const listDoctors = call('listDoctors', {
  summary: 'Doctors and nurse practitioners that patients may be shown.',
  section: '§7, R-22',
  limit: 'reads',
  idempotency: 'natural',
  answer: z.array(doctor),
});

export const getProvider = call('getProvider', {
  summary: "A provider's status in the clinic's records; '1' is active.",
  section: '§3 Doctor, §7',
  limit: 'reads',
  idempotency: 'natural',
  params: z.object({ id }),
  answer: z.object({ success: z.literal(true), provider: z.object({ status: z.string() }) }),
});

export const doctorStatus = call('doctorStatus', {
  summary: 'What the clinic says of each doctor, by doctor id.',
  section: '§3 Doctor status map, §7',
  limit: 'reads',
  idempotency: 'natural',
  answer: z.record(id, doctorStatusEntry),
});

/** A provider's id, or -1 for all of them. */
const providerOrAll = text(64).min(1).default('-1');

const scheduleBound = z.string().regex(/^(\d{4}-\d{2}-\d{2}|\d{1,12})$/);

export const doctorSchedule = call('doctorSchedule', {
  summary: 'Slots and bookings by day; `id` -1 for all doctors; at most six days.',
  section: '§7, R-5',
  limit: 'reads',
  idempotency: 'natural',
  query: z.object({
    from: scheduleBound,
    to: scheduleBound,
    id: providerOrAll,
  }),
  answer: z.object({ success: z.literal(true), extras: z.array(scheduleDay) }),
});

export const earliestSlot = call('earliestSlot', {
  summary:
    'The earliest free slot of a type that this patient may book, over the whole booking window; null without one.',
  section: '§4 Slot search, R-12, R-13, R-22 (ours)',
  limit: 'reads',
  idempotency: 'natural',
  query: z.object({ type: appointmentTypeCode, id: providerOrAll }),
  answer: envelope(
    z.object({
      slot: z.object({ doctor: id, start: epochSeconds, end: epochSeconds }).nullable(),
    }),
  ),
});

export const getPatientRecord = call('getPatientRecord', {
  summary: "The caller's own record: primary doctor, and whether that doctor is active.",
  section: '§3 Patient demographic, §7, R-7',
  limit: 'reads',
  idempotency: 'natural',
  params: z.object({ demographicNo: id }),
  answer: z.object({
    success: z.literal(true),
    demographic: z.object({ providerNo: z.string() }),
    provider: z.object({ enabled: z.boolean() }),
  }),
});
