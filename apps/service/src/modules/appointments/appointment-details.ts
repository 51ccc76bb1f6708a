import type { ApiAnswers } from '@clinic/contract';
import { ELIGIBILITY_RULES, isCancellableByPolicy } from '@clinic/domain';
import type { Doctor, EpochSeconds } from '@clinic/domain';

import type { PatientId } from '../../security/sessions.ts';
import { answersToKeep } from './answers.ts';
import type { StoredAppointment, SlotRequest } from './appointment.ts';
import type { AppointmentDetails } from './appointments.ts';
import type { Offer } from './offer.ts';
import type { BookingPorts } from './ports.ts';

/** What a patient asks for when booking or moving an appointment. */
export interface AppointmentRequest {
  readonly patientId: PatientId;
  readonly slot: SlotRequest;
  readonly answers: ApiAnswers;
  /** Names the request for ever. */
  readonly requestKey: string;
  /** What the client sent and may not decide. */
  readonly asserted: { readonly ticklers: readonly string[]; readonly paymentToken: string | null };
}

/** An appointment that stands, and what it takes to show it. */
export interface BookedAppointment {
  readonly kind: 'booked' | 'rescheduled';
  readonly appointment: StoredAppointment;
  readonly description: string;
  readonly doctor: Doctor;
}

/** The context under which an appointment's answers are sealed (S-13). */
export const answersContext = (appointmentId: string) => `claim.answers:${appointmentId}`;

/**
 * Everything that an appointment carries. A moved appointment keeps its number, payment and ticklers, and
 * its calendar event goes on under the same number with the next sequence.
 */
export function detailsOf(
  { keyring, ids }: Pick<BookingPorts, 'keyring' | 'ids'>,
  offer: Offer,
  request: AppointmentRequest,
  appointmentId: string,
  moved: StoredAppointment | null,
): AppointmentDetails {
  const { eligibility } = offer.patient;
  const { slot } = request;
  const answers = JSON.stringify(answersToKeep(slot.type, request.answers));
  const policy = { eligibilities: ELIGIBILITY_RULES };
  return {
    onceADay: ELIGIBILITY_RULES[eligibility].oncePerDay,
    requestKey: request.requestKey,
    bookingNumber: moved?.bookingNumber ?? newBookingNumber(ids),
    answersSealed: keyring.seal(answersContext(appointmentId), answers),
    isCancellable: moved?.isCancellable ?? isCancellableByPolicy(policy, slot.type, eligibility),
    rescheduledFrom: moved?.id ?? null,
    paidCents: moved?.paidCents ?? 0,
    ticklers: moved?.ticklers ?? [],
    checkin: null,
    sequence: moved ? moved.sequence + 1 : 0,
    contactPreference: (slot.type === 'I' ? request.answers.contactPreference : null) ?? null,
  };
}

function newBookingNumber(ids: BookingPorts['ids']): string {
  return ids.uuid().replaceAll('-', '').slice(0, 12).toUpperCase();
}

/** Names of what a client may not decide, where it differs from what is true. */
export function ignoredOf(
  { asserted }: AppointmentRequest,
  moved: StoredAppointment | null,
): string[] {
  const ticklers = asserted.ticklers.join('\n') !== (moved?.ticklers ?? []).join('\n');
  return [
    ...(ticklers && asserted.ticklers.length > 0 ? ['previousTicklers'] : []),
    ...(asserted.paymentToken === null ? [] : ['stripePaymentToken']),
  ];
}

/** The appointment as it stands once it carries its details. */
export function asAppointment(
  slot: SlotRequest,
  ids: { readonly id: string; readonly recordId: string; readonly clinicDate: string },
  details: AppointmentDetails,
  changedAt: EpochSeconds,
): StoredAppointment {
  return {
    ...slot,
    ...ids,
    ...details,
    changedAt,
    state: 'booked',
    holdPlacedAt: null,
    holdExpiresAt: null,
    confirming: false,
    paying: false,
    isReschedulable: true,
  };
}
