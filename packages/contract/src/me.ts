import { CONTACT_PREFERENCES } from '@clinic/domain';
import { z } from 'zod';
import { call } from './call.ts';
import {
  appointmentTypeCode,
  dollars,
  eligibility,
  epochSeconds,
  id,
  plainDateParts,
} from './api-types.ts';

/** §3: an entry of the user's appointment types. `status` is 'enabled' for those to show. */
export const appointmentTypeEntry = z.object({
  code: appointmentTypeCode,
  description: z.string(),
  status: z.enum(['enabled', 'disabled']),
  enforceMRP: z.boolean(),
  enforceNoPCP: z.boolean(),
  chargeAmount: dollars,
  requiresDocumentUpload: z.boolean(),
  /** Ours: the Important Notice of the policy for this type and patient. */
  notice: z.string().optional(),
});

/** §3 User. `role` and `token` are ours: staff, and the token sign-in's session. */
export const user = z.object({
  id,
  demographicNo: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  address: z.string(),
  city: z.string(),
  province: z.string(),
  postal: z.string(),
  phone: z.string(),
  mobilePhone: z.string(),
  internationalPhone: z.string(),
  birthday: plainDateParts,
  careCard: z.object({ number: z.string(), province: z.string() }),
  sex: z.string(),
  email: z.string(),
  country: z.string(),
  preferredPharmacy: z.string().nullable(),
  eligibility,
  shouldUpdate: z.boolean(),
  appointmentType: z.array(appointmentTypeEntry),
  familyDoc: z.boolean(),
  blockedProviders: z.array(id),
  isBlocked: z.boolean(),
  blocked: z.boolean(),
  appVisibility: z.array(z.string()),
  isChanged: z.boolean(),
  role: z.enum(['patient', 'staff']),
  token: z.string().optional(),
});

export const doctor = z.object({ id, firstName: z.string(), lastName: z.string() });

/** §3 Appointment (list call). `startTime` and `endTime` in epoch seconds, `paidAmount` in CAD. */
export const appointment = z.object({
  id,
  doctor: id,
  startTime: epochSeconds,
  endTime: epochSeconds,
  isEditable: z.boolean(),
  isCancellable: z.boolean(),
  checkin: z.string().nullable(),
  description: z.string(),
  paidAmount: dollars,
  bookingId: z.string().nullable(),
  code: appointmentTypeCode,
  isReschedulable: z.boolean(),
  ticklers: z.array(z.string()),
  stripePaymentToken: z.string().nullable(),
  status: z.enum(['booked', 'registered', 'cancelled', 'rescheduled', 'no-show', 'completed']),
  providerId: id.optional(),
  displayInfo: z.object({ doctorFirstName: z.string(), doctorLastName: z.string() }).nullable(),
  /** Ours: when an appointment that stands was booked. */
  bookedAt: epochSeconds.optional(),
  /** Ours: how the patient of a type I appointment asked to be seen; null for other types. */
  contactPreference: z.enum(CONTACT_PREFERENCES).nullish(),
  /** Ours: the number of the appointment's last change in its calendar file. */
  sequence: z.int().min(0).optional(),
});

export const getMe = call('getMe', {
  summary: 'The signed-in patient.',
  section: '§3 User, §7',
  limit: 'reads',
  idempotency: 'natural',
  answer: user,
});

export const checkNoPcp = call('checkNoPcp', {
  summary: 'Whether the patient has a family doctor of their own; failure is silent.',
  section: '§7, R-23',
  limit: 'reads',
  idempotency: 'natural',
  answer: z.object({ success: z.literal(true), noPCP: z.boolean() }),
});

export const listAppointments = call('listAppointments', {
  summary: "The patient's appointments, with the doctors they name.",
  section: '§3 Appointment, §7, R-52, R-55',
  limit: 'reads',
  idempotency: 'natural',
  query: z.object({ all: z.enum(['true', 'false']).optional() }),
  answer: z.object({
    doctors: z.array(doctor),
    appointments: z.array(appointment),
    /** Ours: older appointments exist that `all=true` would add. */
    hasOlder: z.boolean(),
  }),
});
