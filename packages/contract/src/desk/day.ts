import {
  APPOINTMENT_STATUSES,
  ATTENDANCES,
  CANCEL_REASONS,
  OVERRIDE_REASONS,
  FEE_MEANS,
  LOOK_REASONS,
  REFUND_REASONS,
  TYPE_HUES,
  TYPE_SHAPES,
  WAIVE_REASONS,
} from '@clinic/domain';
import { z } from 'zod';
import { call } from '../call.ts';
import { clinicDate, done, envelope, epochSeconds, id, undo, uuid } from '../shapes.ts';

const appointmentParams = z.object({ id: uuid });

const sheetSpan = z.object({ start: epochSeconds, end: epochSeconds });

const fee = z.enum(['none', 'paid', 'underWay', 'due', 'taken', 'waived', 'givenBack']);

/** An appointment on the day sheet, without contact details or reason. */
const sheetAppointment = z.object({
  id,
  /** Null for a hold, which is no appointment yet, except one for a payment link. */
  patient: z.string().nullable(),
  type: z.string(),
  description: z.string(),
  start: epochSeconds,
  end: epochSeconds,
  state: z.enum(APPOINTMENT_STATUSES),
  attendance: z.enum(ATTENDANCES),
  fee,
  /** Until when it is held for its payment link; null for all others. */
  linkUntil: epochSeconds.nullable(),
  /** Which attendance may be noted now, and whether the clinic may cancel it. */
  next: z.array(z.enum(ATTENDANCES)),
  isCancellable: z.boolean(),
  /** Its row in the EMR is gone, and nobody has decided yet; left out by a version that does not say so. */
  isGone: z.boolean().optional(),
  /** the clinic moved it, so the patient may cancel until the start and is refunded. */
  movedByClinic: z.boolean(),
  /** why the patient could not cancel it, or null. Staff may cancel for them, with a reason. */
  patientCannotCancel: z.enum(['tooLate', 'paid', 'notCancellable']).nullable(),
  /** The patient has an account and is told of changes by email. */
  hasAccount: z.boolean(),
  /** The patient's account or record id when it may be moved; else null. */
  movesFor: id.nullable(),
  /** When something else is that staff put over it, or it over that; a version that does not look leaves it out. */
  overlap: sheetSpan.nullish(),
  // A version that does not know these leaves them out.
  /** When its patient arrived; null before. */
  arrivedAt: epochSeconds.nullish(),
  /** The patient has not been here before; left out where an EMR may know better. */
  isFirst: z.boolean().optional(),
  hasAlert: z.boolean().optional(),
  /** Where the same patient is expected on this day with another provider; a clinician sees their own only. */
  otherProvider: z.object({ name: z.string(), start: epochSeconds }).nullish(),
  /** The labels on the patient's card. */
  labels: z.array(z.string()).optional(),
});

const daySheet = z.object({
  date: z.string(),
  /** The working hours of the day over all providers; null when nobody works. Of a week, those of all its days. */
  hours: sheetSpan.nullable(),
  /** The clinic's types that are offered, or on this sheet, in its order. */
  types: z
    .array(
      z.object({
        code: z.string(),
        description: z.string(),
        /** The sign of the type; a version that does not know it leaves it out. */
        sign: z.object({ hue: z.enum(TYPE_HUES), shape: z.enum(TYPE_SHAPES) }).optional(),
      }),
    )
    .optional(),
  providers: z.array(
    z.object({
      id,
      name: z.string(),
      /** By how many minutes they said today that they are running late. A version that does not know leaves it out. */
      lateMinutes: z.int().min(1).optional(),
      /** Times within these hours at which this provider does not work. */
      closed: z.array(sheetSpan),
      /** Times that are taken in the EMR only. */
      busy: z.array(sheetSpan),
      /** The working time, with the codes of the types that may be booked in it. */
      open: z.array(sheetSpan.extend({ types: z.array(z.string()) })).optional(),
      /** Closings of this time that were not opened again. */
      closings: z.array(sheetSpan.extend({ id })).optional(),
      appointments: z.array(sheetAppointment),
    }),
  ),
});

/** A cancelled appointment, and to whom its place can be given. */
const cancelledAppointment = z.object({
  id,
  patient: z.string(),
  description: z.string(),
  providerId: id,
  provider: z.string(),
  start: epochSeconds,
  end: epochSeconds,
  cancelledAt: epochSeconds,
  /** At whose wish. */
  wantedBy: z.enum(['patient', 'clinic']),
  /** The name of whoever of the staff cancelled it here; null for anybody else. */
  by: z.string().nullable(),
  /** Why staff did it at the patient's wish though the patient could not. */
  overrideReason: z.enum(OVERRIDE_REASONS).nullable(),
  /** Whether somebody can be booked there. */
  place: z.enum(['free', 'taken', 'closed', 'over']),
  /** Whoever wishes for such a time; nobody for a place that is not free, or to who may not book them. */
  wishes: z.array(
    z.object({
      id: uuid,
      recordId: z.string(),
      name: z.string(),
      phone: z.string().nullable(),
      kind: z.enum(['followUp', 'earlier']),
      /** What is to be booked there. */
      type: z.string(),
      description: z.string(),
    }),
  ),
});

/** An appointment as it is printed, with what staff need when the patient comes. */
const printedAppointment = z.object({
  id,
  start: epochSeconds,
  end: epochSeconds,
  description: z.string(),
  /** 'Morgan, Casey'. */
  patient: z.string(),
  /** On the day of the appointment. */
  age: z.int().nullable(),
  /** Those of the card first. */
  phones: z.array(z.string()),
  reason: z.string().nullable(),
  attendance: z.enum(ATTENDANCES),
  fee,
  /** What was paid, or is to be taken at the clinic. */
  feeCents: z.int().min(0),
  linkUntil: epochSeconds.nullable(),
  /** Nobody here has seen them before that day; never said with an EMR, which alone knows. */
  isFirst: z.boolean(),
  alerts: z.array(z.string()),
});

const printedDay = z.object({
  /** Those who have somebody on that day. */
  providers: z.array(
    z.object({
      id,
      name: z.string(),
      /** Times that are taken in the EMR only. */
      busy: z.array(sheetSpan),
      appointments: z.array(printedAppointment),
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
    /** Whom to call first: the number that the card prefers, or that of the account, or any of the card. */
    phone: z.string().nullable(),
  }),
  reason: z.string().nullable(),
  bookingNumber: z.string().nullable(),
  checkin: z.string().nullable(),
  bookedAt: epochSeconds,
  arrivedAt: epochSeconds.nullable(),
  inRoomAt: epochSeconds.nullable(),
  paidCents: z.int().min(0),
  /** the fee to be taken at the clinic, and how it was taken or refunded. */
  feeAtClinic: z
    .object({
      cents: z.int().min(0),
      taken: z.object({ means: z.enum(FEE_MEANS), at: epochSeconds }).optional(),
      waived: z.object({ reason: z.enum(WAIVE_REASONS), at: epochSeconds }).optional(),
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
export type ApiCancelled = z.infer<typeof cancelledAppointment>;
export type ApiPrintedDay = z.infer<typeof printedDay>;
export type ApiOpenedAppointment = z.infer<typeof openedAppointment>;

/** The day sheet, and calls that change its appointments. */
export const deskDayCalls = {
  deskDay: call('deskDay', {
    summary: 'The appointments, holds and taken time of a day, by provider.',
    section: 'S-18 (ours)',
    shows: 'patients',
    limit: 'reads',
    idempotency: 'natural',
    params: z.object({ date: clinicDate }),
    answer: envelope(daySheet.shape),
  }),
  deskProviderWeek: call('deskProviderWeek', {
    summary:
      'The sheets of a provider for seven days from a day on, each with the hours that hold all of them.',
    section: 'S-18 (ours)',
    shows: 'patients',
    limit: 'reads',
    idempotency: 'natural',
    params: z.object({ providerId: id, date: clinicDate }),
    answer: envelope({ days: z.array(daySheet) }),
  }),
  deskCancelled: call('deskCancelled', {
    summary:
      'The cancelled appointments of a day, and those of later days that were cancelled on it: why and by whom, and who wishes for such a time; on the trail.',
    section: 'S-18, R-136 (ours)',
    shows: 'patients',
    limit: 'reads',
    idempotency: 'natural',
    params: z.object({ date: clinicDate }),
    answer: envelope({ appointments: z.array(cancelledAppointment) }),
  }),
  deskPrintDay: call('deskPrintDay', {
    summary:
      'The appointments of a day to be printed, by provider, with phone numbers, reasons and alerts; on the trail. A day before yesterday, or more than a week ahead, says its reason.',
    section: 'S-18, R-133 (ours)',
    shows: 'patients',
    limit: 'changes',
    idempotency: 'none',
    params: z.object({ date: clinicDate }),
    body: z.strictObject({ lookReason: z.enum(LOOK_REASONS).optional() }),
    answer: envelope(printedDay.shape),
  }),
  deskOpenAppointment: call('deskOpenAppointment', {
    summary:
      'Who comes, how to reach them, and why; on the trail. A look at somebody without an appointment within a day says its reason.',
    section: 'S-18 (ours)',
    shows: 'patients',
    limit: 'changes',
    idempotency: 'none',
    params: appointmentParams,
    body: z.strictObject({ lookReason: z.enum(LOOK_REASONS).optional() }),
    answer: envelope(openedAppointment.shape),
  }),
  deskNoteAttendance: call('deskNoteAttendance', {
    summary:
      'Note that a patient has come, is in the room, was seen, or did not come; until midnight also that they are expected after all.',
    section: 'S-18 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: appointmentParams,
    body: z.strictObject({
      to: z.enum(ATTENDANCES),
      /** What staff saw when they noted it: refused where it is another by now. */
      from: z.enum(ATTENDANCES).optional(),
    }),
    answer: done,
    refusals: [409],
  }),
  deskCancelAppointment: call('deskCancelAppointment', {
    summary:
      'Cancel an appointment; its patient is mailed where they have an account. What the clinic wants cancelled is paid back.',
    section: 'S-18, R-44, R-98 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: appointmentParams,
    body: z.strictObject({
      /**
       * When the patient wishes it, R-44 and R-53 hold and the fee is kept. Absent only for the hold of a
       * payment link.
       */
      wantedBy: z.enum(['patient', 'clinic']).optional(),
      /** Why staff cancel for the patient against R-53; kept in the audit trail. */
      overrideReason: z.enum(CANCEL_REASONS).optional(),
    }),
    answer: envelope({ isSent: z.boolean(), undo }),
    refusals: [409],
  }),
  deskUndo: call('deskUndo', {
    summary:
      'Undo what the same person has just booked, moved or cancelled, within 30 seconds: its email is not sent, and what was stands again. Refused once an email has gone out, the time is taken or the patient has booked.',
    section: 'S-18, R-125 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: z.object({ act: uuid }),
    body: z.strictObject({}),
    answer: done,
    refusals: [409],
  }),
};
