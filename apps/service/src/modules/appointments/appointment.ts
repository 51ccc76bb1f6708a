import type { ApiAnswers } from '@clinic/contract';
import {
  type AppointmentMode,
  type AppointmentType,
  type ByStaff,
  type Translations,
  type ClinicDate,
  type ContactPreference,
  type Doctor,
  type EpochSeconds,
  type FeeAtClinic,
  type OverrideReason,
  type OwnAppointment,
  type ReservationRefusal,
  type ReservationRequest,
  type SlotFacts,
  type SlotRequest,
  type Take,
  appointmentMode,
  ELIGIBILITY_RULES,
  holdIdOfKey,
  isCancellableBy,
  hasPaymentLink,
  toClinic,
} from '@clinic/domain';

import type { Keyring } from '../../security/keyring.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import type { Ids } from '../../server/ports.ts';
import type { FieldProblem, RefusalDetails } from '../../server/refusal.ts';
import { answersContext, answersToKeep } from './answers.ts';

/** An appointment on a provider's time: a hold, a booking, or what became of one. */
export interface StoredAppointment extends OwnAppointment {
  readonly recordId: string;
  readonly clinicDate: ClinicDate;
  readonly checkin: string | null;
  readonly ticklers: readonly string[];
  readonly sequence: number;
  /** How the patient of a type I appointment asked to be seen. */
  readonly contactPreference: ContactPreference | null;
  /** When its state or time, or the hold that it is, was changed last. */
  readonly changedAt: EpochSeconds;
  /** While the EMR is asked and was sent nothing: until when; see the schema. */
  readonly unsentUntil: EpochSeconds | null;
  readonly feeAtClinic: FeeAtClinic | null;
  readonly beyondLimits: boolean;
}

/** A hold as its patient is shown it, with the answers given so far. */
export interface ShownHold {
  readonly appointment: Pick<
    StoredAppointment,
    'id' | 'providerId' | 'start' | 'end' | 'type' | 'holdExpiresAt' | 'state' | 'rescheduledFrom'
  >;
  readonly draft: ApiAnswers | null;
}

/** What the clinic offers one patient on a slot, with the details needed to book and display it. */
export interface Offer extends SlotFacts {
  readonly recordId: string;
  readonly type:
    | (NonNullable<SlotFacts['type']> &
        Pick<AppointmentType, 'description' | 'translations' | 'mode' | 'isPrivate'>)
    | null;
}

/**
 * The owner of an appointment: an account, or a record where the patient has no account
 * (docs/adr/0027-booked-without-an-account.md).
 */
export type Whose = PatientId | { readonly recordId: string };

export const isAccount = (whose: Whose): whose is PatientId => typeof whose === 'string';

/** Null for a record without an account. */
export const accountOf = (whose: Whose): PatientId | null => (isAccount(whose) ? whose : null);

/** The account that an appointment is of; null for a record without an account. */
export interface Owned {
  readonly patientId: PatientId | null;
}

/** What names a stored appointment and its owner. */
export type OwnedAppointment = Owned & Pick<StoredAppointment, 'id' | 'recordId'>;

export const whoseOf = ({ patientId, recordId }: Omit<OwnedAppointment, 'id'>): Whose =>
  patientId ?? { recordId };

/** What a patient sends to hold a slot. */
export interface HoldRequest extends Pick<Reservation, 'slot' | 'rescheduleOf' | 'forPayment'> {
  readonly patientId: PatientId;
}

/** What a patient sends to book, to pay for or to move an appointment. */
export interface BookingRequest extends Pick<Reservation, 'slot' | 'answers' | 'asserted'> {
  readonly patientId: PatientId;
  /** Names the request for ever. */
  readonly requestKey: string;
}

/** what staff send to book for a patient, or to move an appointment of theirs. */
export interface StaffRequest
  extends
    Omit<NonNullable<Reservation['byStaff']>, 'overrides'>,
    Pick<Reservation, 'whose' | 'slot' | 'rescheduleOf'> {
  readonly requestKey: string;
}

/** A slot to be reserved. A `rescheduleOf` of a hold skips limits, fee and documents. */
export interface Reservation extends Omit<ReservationRequest, 'heldAs'> {
  readonly whose: Whose;
  readonly answers: ApiAnswers;
  /** Values that the client sent but may not decide. */
  readonly asserted: { readonly ticklers: readonly string[]; readonly paymentToken: string | null };
  readonly byStaff?: ByStaff & {
    readonly staffId: string;
    /** Null where no rule is to be overridden. */
    readonly overrideReason: OverrideReason | null;
    /** True when the clinic, not the patient, wants another time for the appointment. */
    readonly movedByClinic: boolean;
  };
}

/** A slot that is held: for the patient to continue booking, or while its fee is paid. */
export interface Held {
  readonly kind: 'held';
  readonly appointmentId: string;
  /** The fee of the slot for this patient. */
  readonly chargeCents: number;
  /** A new hold, which has no answers yet; a hold that was renewed or moves one must be read for them. */
  readonly shown?: ShownHold;
}

/** A booked appointment, with what is needed to display it. */
export interface BookedAppointment {
  readonly kind: 'booked' | 'rescheduled';
  readonly appointment: StoredAppointment;
  readonly description: string;
  readonly translations: Translations | null;
  /** How the patient is seen; null when the clinic no longer has the type. */
  readonly mode: AppointmentMode | 'either' | null;
  /** Null when the records do not know the provider (any more). */
  readonly doctor: Doctor | null;
}

/** What an appointment carries from the moment it is booked, or held for its payment. */
export interface AppointmentDetails {
  readonly onceADay: boolean;
  readonly requestKey: string | null;
  readonly bookingNumber: string;
  readonly answersSealed: Uint8Array;
  readonly isCancellable: boolean;
  readonly rescheduledFrom: string | null;
  /** What is paid, or with the hold for a payment is to be: the copy for instances of version 0.2.0. */
  readonly paidCents: number;
  readonly ticklers: readonly string[];
  readonly checkin: string | null;
  readonly sequence: number;
  readonly contactPreference: ContactPreference | null;
  readonly feeAtClinic: FeeAtClinic | null;
  readonly bookedBy: string | null;
  readonly beyondLimits: boolean;
  readonly movedByClinic: boolean;
}

/** A booking call's refusal; `code` names the text that the patient reads. */
export interface BookingRefusal {
  readonly kind: 'refused';
  readonly code:
    | ReservationRefusal
    | 'notCancellable'
    | 'changedByClinic'
    | 'invalidInput'
    | 'clinicUnreachable'
    | 'clinicRefuses'
    | 'recordMissing';
  /** Fields that cannot be accepted, with the words to show beside them. */
  readonly errors?: readonly FieldProblem[];
  /** Seconds, of `tooManyRequests`. */
  readonly retryAfter?: number;
  /** The patient's own appointments that are the reason. */
  readonly because?: readonly Pick<StoredAppointment, 'id'>[];
}

/** What the answer to a refusal says besides its code. */
export function refusalDetails({
  code,
  errors,
  retryAfter,
  because,
}: Omit<BookingRefusal, 'kind' | 'code'> & { readonly code: string }): RefusalDetails {
  const isOwn = because !== undefined && because.length > 0;
  return {
    ...(errors && { errors }),
    ...(retryAfter && { retryAfter }),
    ...(isOwn && { appointments: because.map(({ id }) => id) }),
    // The time is the patient's own: no one else took it.
    ...(isOwn && code === 'slotTaken' && { says: 'timeAlreadyYours' }),
  };
}

export function refused(
  code: BookingRefusal['code'],
  details: Omit<BookingRefusal, 'kind' | 'code'> = {},
): BookingRefusal {
  return { kind: 'refused', code, ...details };
}

/**
 * Identifies a booking request for ever, so that a double click or a retry after a lost answer gives
 * the same booking. Without an Idempotency-Key it is derived from provider and start; it is unique
 * for each patient. A derived key is cleared when the appointment ends, so that the same time can be
 * booked again.
 */
export function requestKey(
  sent: string | undefined,
  slot: { readonly providerId: string; readonly start: EpochSeconds },
): string {
  return sent === undefined ? `${DERIVED}${slot.providerId}:${slot.start}` : sentKey(sent);
}

export const DERIVED = 'slot:';
const SENT = 'sent:';

/** A key that a client sent, as it is stored. */
export const sentKey = (sent: string) => `${SENT}${sent}`;

/** The hold that a stored key names, or null. */
export function holdNamedBy(stored: string | null): string | null {
  return stored?.startsWith(SENT) ? holdIdOfKey(stored.slice(SENT.length)) : null;
}

/**
 * Everything that a new appointment carries. A moved appointment keeps its number, payment and ticklers;
 * its calendar event continues under the same number with the next sequence.
 */
export function newDetails(
  { keyring, ids }: { readonly keyring: Pick<Keyring, 'seal'>; readonly ids: Ids },
  { answers, requestKey, byStaff }: Pick<Reservation, 'answers' | 'requestKey' | 'byStaff'>,
  {
    offer,
    hold,
    moves,
    paidCents,
    overridden,
  }: Omit<Take<StoredAppointment>, 'kind'> & { readonly offer: Offer },
): (appointmentId: string) => AppointmentDetails {
  const { type } = offer;
  if (type === null) throw new Error('Booked what is not offered');
  const { eligibility } = offer.patient;
  const kept = JSON.stringify(answersToKeep(type.form, answers));
  // A patient who pays by a link books the time that staff hold for them.
  const linked = hold !== null && hasPaymentLink(hold) ? hold : null;
  const bookedBy = byStaff?.staffId ?? linked?.bookedBy ?? null;
  const isDue = byStaff !== undefined && !byStaff.byLink && type.chargeCents > 0;
  return (appointmentId) => ({
    onceADay: ELIGIBILITY_RULES[eligibility].oncePerDay && !overridden.includes('oneEachDay'),
    bookedBy,
    beyondLimits:
      (moves?.beyondLimits ?? linked?.beyondLimits ?? false) ||
      overridden.some((rule) => rule === 'oneEachDay' || rule === 'twoUpcoming'),
    movedByClinic: moves !== null && byStaff?.movedByClinic === true,
    // A moved appointment keeps its fee at the clinic, due or taken.
    feeAtClinic: moves ? moves.feeAtClinic : isDue ? { cents: type.chargeCents } : null,
    requestKey,
    bookingNumber: moves?.bookingNumber ?? newBookingNumber(ids),
    answersSealed: keyring.seal(answersContext(appointmentId), kept),
    isCancellable: moves?.isCancellable ?? isCancellableBy(eligibility, type),
    rescheduledFrom: moves?.id ?? null,
    paidCents,
    ticklers: moves?.ticklers ?? [],
    checkin: null,
    sequence: moves ? moves.sequence + 1 : 0,
    contactPreference: (type.form === 'injuryClaim' ? answers.contactPreference : null) ?? null,
  });
}

function newBookingNumber(ids: Ids): string {
  return ids.uuid().replaceAll('-', '').slice(0, 12).toUpperCase();
}

/** The names of sent fields that a client may not decide and that differ from the stored values. */
export function ignoredFields(
  { asserted }: Pick<Reservation, 'asserted'>,
  moves: StoredAppointment | null,
): string[] {
  const ticklers = asserted.ticklers.join('\n') !== (moves?.ticklers ?? []).join('\n');
  return [
    ...(ticklers && asserted.ticklers.length > 0 ? ['previousTicklers'] : []),
    ...(asserted.paymentToken === null ? [] : ['stripePaymentToken']),
  ];
}

/** 'rescheduled' for an appointment that was made by moving another, else 'booked'. */
export function codeOf({ rescheduledFrom }: StoredAppointment): BookedAppointment['kind'] {
  return rescheduledFrom === null ? 'booked' : 'rescheduled';
}

/** The appointment as it will be once it is booked with its details. */
export function booked(
  { slot, offer }: { readonly slot: SlotRequest; readonly offer: Offer },
  { id, details }: { readonly id: string; readonly details: AppointmentDetails },
  now: EpochSeconds,
): BookedAppointment {
  const { type, provider } = offer;
  if (type === null || provider === null) throw new Error('Booked what is not offered');
  const appointment: StoredAppointment = {
    ...slot,
    ...details,
    id,
    recordId: offer.recordId,
    clinicDate: toClinic(slot.start).date,
    changedAt: now,
    state: 'booked',
    paidNow: details.paidCents,
    holdPlacedAt: null,
    holdExpiresAt: null,
    unsentUntil: null,
    cancelAskedAt: null,
    isReschedulable: true,
  };
  const { id: providerId, firstName, lastName } = provider;
  const doctor = { id: providerId, firstName, lastName };
  const mode = appointmentMode(type, appointment.contactPreference);
  const { description, translations = null } = type;
  return { kind: codeOf(appointment), appointment, description, translations, mode, doctor };
}
