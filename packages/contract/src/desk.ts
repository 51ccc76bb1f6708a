import {
  APPOINTMENT_STATES,
  ATTENDANCES,
  LOOK_REASONS,
  STAFF_ROLES,
  isClinicDate,
} from '@clinic/domain';
import { z } from 'zod';
import { call } from './call.ts';
import { done, envelope, epochSeconds, id, personName, text } from './shapes.ts';

const token = text(200).min(16);
const password = text(128).min(1);
/** A one-time code, or a recovery code, as it was typed. */
const factor = text(40).min(1);
const nothing = z.strictObject({});
const appointmentParams = z.object({ id: z.uuid() });

const session = z.object({
  name: z.string(),
  roles: z.array(z.enum(STAFF_ROLES)),
  /** Signed in, and covered until an own password or code is shown. */
  isLocked: z.boolean(),
  /** From when on the screen locks if nothing is done, and when the session ends in any case. */
  locksAt: epochSeconds,
  endsAt: epochSeconds,
});

/** An appointment as a day sheet shows it: no contact, no reason. */
const sheetAppointment = z.object({
  id,
  /** Null of a hold, which is nobody's appointment yet. */
  patient: z.string().nullable(),
  type: z.string(),
  description: z.string(),
  start: epochSeconds,
  end: epochSeconds,
  state: z.enum(APPOINTMENT_STATES),
  attendance: z.enum(ATTENDANCES),
  fee: z.enum(['none', 'paid', 'underWay']),
  /** What may be noted now, and whether the clinic may cancel it. */
  next: z.array(z.enum(ATTENDANCES)),
  isCancellable: z.boolean(),
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
});

export type ApiDeskSession = z.infer<typeof session>;
export type ApiDaySheet = z.infer<typeof daySheet>;
export type ApiSheetAppointment = z.infer<typeof sheetAppointment>;
export type ApiOpenedAppointment = z.infer<typeof openedAppointment>;

export const deskCalls = {
  deskSignIn: call('deskSignIn', {
    summary: 'Sign in with e-mail, password and a one-time code, or a recovery code in its place.',
    section: 'S-18 (ours)',
    limit: 'shared',
    idempotency: 'none',
    body: z.strictObject({ email: text(254).min(1), password, code: factor }),
    answer: envelope(session.shape),
    refusals: [401, 403],
  }),
  deskReadInvitation: call('deskReadInvitation', {
    summary: 'Whom an invitation is for, and the key that goes into the app of one-time codes.',
    section: 'S-18 (ours)',
    limit: 'shared',
    idempotency: 'natural',
    body: z.strictObject({ token }),
    answer: envelope({ name: z.string(), email: z.string(), secret: z.string(), uri: z.string() }),
    refusals: [403, 409],
  }),
  deskAcceptInvitation: call('deskAcceptInvitation', {
    summary: 'Set the password and the second factor, once; answers ten recovery codes.',
    section: 'S-18 (ours)',
    limit: 'shared',
    idempotency: 'natural',
    body: z.strictObject({ token, password, code: factor }),
    answer: envelope({ recoveryCodes: z.array(z.string()) }),
    refusals: [403, 409],
  }),
  deskSession: call('deskSession', {
    summary: 'Who is signed in, and whether the screen is locked.',
    section: 'S-18 (ours)',
    limit: 'reads',
    idempotency: 'natural',
    answer: envelope(session.shape),
  }),
  deskLock: call('deskLock', {
    summary: 'Lock the screen: nothing is told until an own password or code is shown.',
    section: 'S-18 (ours)',
    limit: 'changes',
    idempotency: 'natural',
    body: nothing,
    answer: done,
  }),
  deskUnlock: call('deskUnlock', {
    summary:
      'Show the password or a one-time code: opens a locked screen, and a code counts as a recent factor.',
    section: 'S-18 (ours)',
    limit: 'shared',
    idempotency: 'none',
    body: z.strictObject({ secret: password }),
    answer: envelope(session.shape),
  }),
  deskSignOut: call('deskSignOut', {
    summary: 'End this session.',
    section: 'S-18 (ours)',
    limit: 'changes',
    idempotency: 'natural',
    body: nothing,
    answer: done,
  }),
  deskDay: call('deskDay', {
    summary: 'The appointments, holds and taken time of a day, by provider.',
    section: 'S-18 (ours)',
    limit: 'reads',
    idempotency: 'natural',
    params: z.object({ date: z.string().refine(isClinicDate) }),
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
  deskInvite: call('deskInvite', {
    summary: 'Invite a colleague, who is mailed a link for 24 hours.',
    section: 'S-18 (ours)',
    limit: 'changes',
    idempotency: 'none',
    body: z.strictObject({
      email: text(254).min(3),
      name: personName(100).min(1),
      roles: z.array(z.enum(STAFF_ROLES)).min(1).max(4),
      providerId: id.nullish(),
    }),
    answer: done,
    refusals: [409],
  }),
};
