import { ATTENDANCES, MOST_LATE } from '@clinic/domain';
import { z } from 'zod';
import { call } from '../call.ts';
import { clinicDate, done, envelope, epochSeconds, id } from '../shapes.ts';

/** An appointment of a clinician's own, without contact details or reason. */
const ownAppointment = z.object({
  id,
  patient: z.string(),
  type: z.string(),
  description: z.string(),
  start: epochSeconds,
  end: epochSeconds,
  attendance: z.enum(ATTENDANCES),
  arrivedAt: epochSeconds.nullable(),
  inRoomAt: epochSeconds.nullable(),
  /** Which attendance may be noted now. */
  next: z.array(z.enum(ATTENDANCES)),
});

export type ApiOwnAppointment = z.infer<typeof ownAppointment>;

/** A clinician's own day. */
export const deskOwnDayCalls = {
  deskOwnDay: call('deskOwnDay', {
    summary: 'The own patients of a clinician on a day, in order.',
    section: 'S-18, R-135 (ours)',
    shows: 'patients',
    limit: 'reads',
    idempotency: 'natural',
    params: z.object({ date: clinicDate }),
    answer: envelope({
      /** Which provider they are. */
      providerId: id,
      /** By how many minutes they said today that they are running late; 0 is on time. */
      lateMinutes: z.int().min(0),
      appointments: z.array(ownAppointment),
    }),
  }),
  deskSayLate: call('deskSayLate', {
    summary:
      'Say for the front desk by how many minutes one is running late; 0 is on time. It ends with the day.',
    section: 'S-18, R-135 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    body: z.strictObject({ minutes: z.int().min(0).max(MOST_LATE) }),
    answer: done,
  }),
};
