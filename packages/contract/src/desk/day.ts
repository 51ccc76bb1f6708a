import {
  APPOINTMENT_STATES,
  ATTENDANCES,
  FEE_MEANS,
  LOOK_REASONS,
  REFUND_REASONS,
} from '@clinic/domain';
import { z } from 'zod';
import { call } from '../call.ts';
import { clinicDate, done, envelope, epochSeconds, id, uuid } from '../shapes.ts';

const nothing = z.strictObject({});
const appointmentParams = z.object({ id: uuid });

/** An appointment as a day sheet shows it: no contact, no reason. */
const sheetAppointment = z.object({
  id,
  /** Null of a hold, which is nobody's appointment yet; of one for a payment link it is said. */
  patient: z.string().nullable(),
  type: z.string(),
  description: z.string(),
  start: epochSeconds,
  end: epochSeconds,
  state: z.enum(APPOINTMENT_STATES),
  attendance: z.enum(ATTENDANCES),
  fee: z.enum(['none', 'paid', 'underWay', 'due', 'taken', 'givenBack']),
  /** Until when it is held for its payment link; null of any other. */
  linkUntil: epochSeconds.nullable(),
  /** What may be noted now, and whether the clinic may cancel it. */
  next: z.array(z.enum(ATTENDANCES)),
  isCancellable: z.boolean(),
  /** Its patient has an account, and is told by email what becomes of it. */
  hasAccount: z.boolean(),
  /** Whose it is, an account or a record without one, where it may be moved. */
  movesFor: id.nullable(),
});

const sheetSpan = z.object({ start: epochSeconds, end: epochSeconds });

const daySheet = z.object({
  date: z.string(),
  /** The working hours of the day over all providers; null where nobody works. */
  hours: sheetSpan.nullable(),
  providers: z.array(
    z.object({
      id,
      name: z.string(),
      /** Time within the hours at which this provider does not work. */
      closed: z.array(sheetSpan),
      /** Time that the EMR alone knows to be taken. */
      busy: z.array(sheetSpan),
      appointments: z.array(sheetAppointment),
    }),
  ),
});

const openedAppointment = z.object({
  id,
  patient: z.object({
    name: z.string(),
    birthDate: z.string(),
    recordId: z.string(),
    /** Null for a patient without an account. */
    email: z.string().nullable(),
    phone: z.string().nullable(),
  }),
  reason: z.string().nullable(),
  bookingNumber: z.string().nullable(),
  checkin: z.string().nullable(),
  bookedAt: epochSeconds,
  arrivedAt: epochSeconds.nullable(),
  inRoomAt: epochSeconds.nullable(),
  paidCents: z.int().min(0),
  /** what is, or was, to be taken at the clinic. */
  feeAtClinic: z
    .object({
      cents: z.int().min(0),
      taken: z.object({ means: z.enum(FEE_MEANS), at: epochSeconds }).optional(),
      givenBack: z
        .object({
          means: z.enum(FEE_MEANS),
          reason: z.enum(REFUND_REASONS),
          at: epochSeconds,
        })
        .optional(),
    })
    .nullable(),
});

export type ApiDaySheet = z.infer<typeof daySheet>;
export type ApiSheetAppointment = z.infer<typeof sheetAppointment>;
export type ApiOpenedAppointment = z.infer<typeof openedAppointment>;

/** The sheet of a day, and what is done to its appointments. */
export const deskDayCalls = {
  deskDay: call('deskDay', {
    summary: 'The appointments, holds and taken time of a day, by provider.',
    section: 'S-18 (ours)',
    limit: 'reads',
    idempotency: 'natural',
    params: z.object({ date: clinicDate }),
    answer: envelope(daySheet.shape),
  }),
  deskOpenAppointment: call('deskOpenAppointment', {
    summary:
      'Who comes, how to reach them, and why; on the trail. A look at somebody without an appointment within a day says its reason.',
    section: 'S-18 (ours)',
    limit: 'changes',
    idempotency: 'none',
    params: appointmentParams,
    body: z.strictObject({ lookReason: z.enum(LOOK_REASONS).optional() }),
    answer: envelope(openedAppointment.shape),
  }),
  deskNoteAttendance: call('deskNoteAttendance', {
    summary: 'Note that a patient has come, is in the room, was seen, or did not come.',
    section: 'S-18 (ours)',
    limit: 'changes',
    idempotency: 'natural',
    params: appointmentParams,
    body: z.strictObject({ to: z.enum(ATTENDANCES) }),
    answer: done,
    refusals: [409],
  }),
  deskCancelAppointment: call('deskCancelAppointment', {
    summary: 'Cancel an appointment for the clinic: the patient is told, and the fee given back.',
    section: 'S-18, R-44 (ours)',
    limit: 'changes',
    idempotency: 'natural',
    params: appointmentParams,
    body: nothing,
    answer: envelope({ isSent: z.boolean() }),
    refusals: [409],
  }),
};
