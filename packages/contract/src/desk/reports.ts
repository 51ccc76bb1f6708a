import { WEEKDAYS } from '@clinic/domain';
import { z } from 'zod';
import { call } from '../call.ts';
import { dateRange, envelope, epochSeconds } from '../shapes.ts';

const count = z.int().min(0);

const reports = z.object({
  /** Bookings by the day or month in which they were made, and by who made them. */
  bookings: z.array(z.object({ period: z.string(), patient: count, desk: count })),
  /** How many bookings were made at least `fromDays` days ahead, and less than the next step. */
  leadTimes: z.array(z.object({ fromDays: count, bookings: count })),
  /** The median of the days between booking and appointment; null without bookings. */
  medianLeadDays: z.number().nullable(),
  /** Each active provider's appointments on these days; 'all' is the whole clinic. */
  providers: z.array(
    z.object({
      provider: z.string(),
      name: z.string(),
      bookings: count,
      patients: count,
      offeredMinutes: count,
      bookedMinutes: count,
      registered: count,
      noShows: count,
      cancelledByPatient: count,
      cancelledByClinic: count,
      rescheduledByPatient: count,
      rescheduledByClinic: count,
    }),
  ),
  /** What came in and went back by the same days or months, in cents; a version that does not know it leaves it out. */
  revenue: z
    .array(z.object({ period: z.string(), online: count, atClinic: count, refunded: count }))
    .optional(),
  /** How many appointments were wanted, cancelled ones too, by weekday and hour of their start. */
  demand: z
    .array(z.object({ weekday: z.enum(WEEKDAYS), hour: count, appointments: count }))
    .optional(),
  /** As of now: the third free time of each provider and type; null when the window has fewer. */
  thirdNext: z.array(
    z.object({
      provider: z.string(),
      name: z.string(),
      type: z.string(),
      description: z.string(),
      start: epochSeconds.nullable(),
    }),
  ),
});

export type ApiReports = z.infer<typeof reports>;

const range = z.strictObject(dateRange);

/** How the clinic is booked and used. */
export const deskReportCalls = {
  deskReports: call('deskReports', {
    summary: 'Bookings, lead time, use of the time, no-shows and cancellations of some days.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'reads',
    idempotency: 'natural',
    query: range,
    answer: envelope(reports.shape),
  }),
  deskStatistics: call('deskStatistics', {
    summary: 'The figures of some days by month and provider, as a CSV file; on the trail.',
    section: 'S-18, S-17 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    body: range,
    answer: envelope({ name: z.string(), csv: z.string() }),
  }),
};
