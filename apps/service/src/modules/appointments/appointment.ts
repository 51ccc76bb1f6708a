import type { ApiAnswers, ApiAppointment } from '@clinic/contract';
import {
  ELIGIBILITY_RULES,
  dollarsOf,
  isCancellableBy,
  isEditable,
  toClinic,
} from '@clinic/domain';
import type {
  AppointmentState,
  AppointmentType,
  ClinicDate,
  ContactPreference,
  Doctor,
  Eligibility,
  EpochSeconds,
  OwnAppointment,
  SlotFacts,
  SlotRequest,
  Take,
} from '@clinic/domain';

import type { Keyring } from '../../security/keyring.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import type { Ids } from '../../server/ids.ts';
import { answersToKeep } from './answers.ts';

/** An appointment on a provider's time: a hold, a booking, or what became of one. */
export interface StoredAppointment extends OwnAppointment {
  readonly recordId: string;
  readonly clinicDate: ClinicDate;
  readonly checkin: string | null;
  readonly ticklers: readonly string[];
  readonly sequence: number;
  /** How the patient of a type I appointment asked to be seen. */
  readonly contactPreference: ContactPreference | null;
  /** When it came to its state. */
  readonly changedAt: EpochSeconds;
}

/** What the clinic offers of a slot, with what it takes to book and show it. */
export interface Offer extends SlotFacts {
  readonly recordId: string;
  readonly type: (NonNullable<SlotFacts['type']> & Pick<AppointmentType, 'description'>) | null;
}

/** What a patient sends to book, to pay for or to move an appointment. */
export interface BookingRequest {
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

/** What an appointment carries from the moment it is booked, or held for its payment. */
export interface AppointmentDetails {
  readonly onceADay: boolean;
  readonly requestKey: string;
  readonly bookingNumber: string;
  readonly answersSealed: Uint8Array;
  readonly isCancellable: boolean;
  readonly rescheduledFrom: string | null;
  readonly paidCents: number;
  readonly ticklers: readonly string[];
  readonly checkin: string | null;
  readonly sequence: number;
  readonly contactPreference: ContactPreference | null;
}

/** The context under which an appointment's answers are sealed: older rows are bound to its words. */
export const answersContext = (appointmentId: string) => `claim.answers:${appointmentId}`;

interface Decided extends Pick<Take<StoredAppointment>, 'moves' | 'paidCents'> {
  readonly eligibility: Eligibility;
}

/**
 * Everything that an appointment carries. A moved one keeps its number, payment and ticklers, and
 * its calendar event goes on under the same number with the next sequence.
 */
export function detailsOf(
  { keyring, ids }: { readonly keyring: Pick<Keyring, 'seal'>; readonly ids: Ids },
  { slot, answers, requestKey }: BookingRequest,
  { eligibility, moves, paidCents }: Decided,
): (appointmentId: string) => AppointmentDetails {
  const kept = JSON.stringify(answersToKeep(slot.type, answers));
  return (appointmentId) => ({
    onceADay: ELIGIBILITY_RULES[eligibility].oncePerDay,
    requestKey,
    bookingNumber: moves?.bookingNumber ?? newBookingNumber(ids),
    answersSealed: keyring.seal(answersContext(appointmentId), kept),
    isCancellable: moves?.isCancellable ?? isCancellableBy(eligibility, slot.type),
    rescheduledFrom: moves?.id ?? null,
    paidCents,
    ticklers: moves?.ticklers ?? [],
    checkin: null,
    sequence: moves ? moves.sequence + 1 : 0,
    contactPreference: (slot.type === 'I' ? answers.contactPreference : null) ?? null,
  });
}

function newBookingNumber(ids: Ids): string {
  return ids.uuid().replaceAll('-', '').slice(0, 12).toUpperCase();
}

/** Names of what a client may not decide, where it differs from what is true. */
export function ignoredOf({ asserted }: BookingRequest, moves: StoredAppointment | null): string[] {
  const ticklers = asserted.ticklers.join('\n') !== (moves?.ticklers ?? []).join('\n');
  return [
    ...(ticklers && asserted.ticklers.length > 0 ? ['previousTicklers'] : []),
    ...(asserted.paymentToken === null ? [] : ['stripePaymentToken']),
  ];
}

/** What has made it, in the words of the calls. */
export function codeOf({ rescheduledFrom }: StoredAppointment): BookedAppointment['kind'] {
  return rescheduledFrom === null ? 'booked' : 'rescheduled';
}

/** With what it takes to show it; null when the clinic does not offer that any more. */
export function shownWith(
  appointment: StoredAppointment,
  { type, provider }: Offer,
): BookedAppointment | null {
  if (type === null || provider === null) return null;
  const { id, firstName, lastName } = provider;
  const doctor = { id, firstName, lastName };
  return { kind: codeOf(appointment), appointment, description: type.description, doctor };
}

interface JustBooked {
  readonly slot: SlotRequest;
  readonly offer: Offer;
  readonly id: string;
  readonly details: AppointmentDetails;
  readonly now: EpochSeconds;
}

/** The appointment as it stands once it carries its details. */
export function booked({ slot, offer, id, details, now }: JustBooked): BookedAppointment {
  const appointment: StoredAppointment = {
    ...slot,
    ...details,
    id,
    recordId: offer.recordId,
    clinicDate: toClinic(slot.start).date,
    changedAt: now,
    state: 'booked',
    holdPlacedAt: null,
    holdExpiresAt: null,
    confirming: false,
    paying: false,
    isReschedulable: true,
  };
  const outcome = shownWith(appointment, offer);
  if (outcome === null) throw new Error('Booked what is not offered');
  return outcome;
}

/** To the patient one that moved is a cancelled one, beside the new one. */
function shownStatus(state: AppointmentState): ApiAppointment['status'] {
  if (state === 'held' || state === 'released') throw new Error(`Not booked: it is ${state}`);
  return state === 'rescheduled' ? 'cancelled' : state;
}

/**
 * An appointment as the list call shows it. `isCancellable` and `isReschedulable` say what policy
 * and clinic allow; price and time come on top, in the browser's words.
 */
export function apiAppointment(
  {
    appointment,
    description,
    doctor,
  }: Pick<BookedAppointment, 'appointment' | 'description'> & { doctor: Doctor | null },
  now: EpochSeconds,
): ApiAppointment {
  const status = shownStatus(appointment.state);
  return {
    id: appointment.id,
    doctor: appointment.providerId,
    startTime: appointment.start,
    endTime: appointment.end,
    isEditable: isEditable(appointment, now),
    isCancellable: appointment.isCancellable,
    checkin: appointment.checkin,
    description,
    paidAmount: dollarsOf(appointment.paidCents),
    bookingId: appointment.bookingNumber,
    code: appointment.type,
    isReschedulable: appointment.isReschedulable,
    ticklers: [...appointment.ticklers],
    stripePaymentToken: null,
    status,
    ...(status === 'cancelled' ? { providerId: appointment.providerId } : {}),
    displayInfo: doctor && { doctorFirstName: doctor.firstName, doctorLastName: doctor.lastName },
    ...(status === 'booked' ? { bookedAt: appointment.changedAt } : {}),
    contactPreference: appointment.contactPreference,
    sequence: appointment.sequence,
  };
}
