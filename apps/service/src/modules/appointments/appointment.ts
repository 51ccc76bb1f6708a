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
  type ReservationGrant,
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

/** The patient and what the clinic offers them on a slot: all that is needed to decide, book and display it. */
export interface BookingContext extends SlotFacts {
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
export type Owner = PatientId | { readonly recordId: string };

export const isAccount = (owner: Owner): owner is PatientId => typeof owner === 'string';

/** Null for a record without an account. */
export const accountOf = (owner: Owner): PatientId | null => (isAccount(owner) ? owner : null);

export interface AccountRef {
  /** The account of the owner; null for a record without an account. */
  readonly patientId: PatientId | null;
}

/** The ids of a stored appointment and of its owner. */
export type AppointmentRef = AccountRef & Pick<StoredAppointment, 'id' | 'recordId'>;

export const ownerOf = ({ patientId, recordId }: Omit<AppointmentRef, 'id'>): Owner =>
  patientId ?? { recordId };

/** What a patient sends to hold a slot. */
export interface HoldRequest extends Pick<ReserveRequest, 'slot' | 'rescheduleOf' | 'forPayment'> {
  readonly patientId: PatientId;
}

/** What a patient sends to book, to pay for or to move an appointment. */
export interface BookingRequest extends Pick<ReserveRequest, 'slot' | 'answers' | 'claimed'> {
  readonly patientId: PatientId;
  /** Names the request for ever. */
  readonly requestKey: string;
}

/** What staff send to book for a patient, or to move an appointment of theirs. */
export interface StaffRequest
  extends
    Omit<NonNullable<ReserveRequest['byStaff']>, 'overrides'>,
    Pick<ReserveRequest, 'owner' | 'slot' | 'rescheduleOf'> {
  readonly requestKey: string;
}

/** A request to reserve a slot, for any purpose. A hold with a `rescheduleOf` skips limits, fee and documents. */
export interface ReserveRequest extends Omit<ReservationRequest, 'keyHoldId'> {
  readonly owner: Owner;
  readonly answers: ApiAnswers;
  /** Values that a client sends but may not decide: they are only named in the audit trail. */
  readonly claimed: {
    readonly ticklers: readonly string[];
    readonly paymentToken: string | null;
  };
  readonly byStaff?: ByStaff & {
    readonly staffId: string;
    /** Null where no rule is to be overridden. */
    readonly overrideReason: OverrideReason | null;
    /** True when the clinic, not the patient, wants another time for the appointment. */
    readonly movedByClinic: boolean;
  };
}

/** The answer of a reservation that only holds the slot: to continue booking, or while its fee is paid. */
export interface HoldResult {
  readonly kind: 'held';
  readonly appointmentId: string;
  /** The fee of the slot for this patient. */
  readonly chargeCents: number;
  /** Set for a new hold, which has no answers yet; of an extended hold, or one that moves an appointment, they must be read. */
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

/** The details of an appointment from the moment it is booked, or held for its payment or the EMR. */
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
  /** The patient's own appointments that stand against it. */
  readonly conflicts?: readonly Pick<StoredAppointment, 'id'>[];
}

/** What the answer to a refusal says besides its code. */
export function refusalDetails({
  code,
  errors,
  retryAfter,
  conflicts,
}: Omit<BookingRefusal, 'kind' | 'code'> & { readonly code: string }): RefusalDetails {
  const isOwn = conflicts !== undefined && conflicts.length > 0;
  return {
    ...(errors && { errors }),
    ...(retryAfter && { retryAfter }),
    ...(isOwn && { appointments: conflicts.map(({ id }) => id) }),
    // The time is the patient's own: no one else took it.
    ...(isOwn && code === 'slotTaken' && { says: 'timeAlreadyYours' }),
  };
}

export const refusal = (
  code: BookingRefusal['code'],
  details: Omit<BookingRefusal, 'kind' | 'code'> = {},
): BookingRefusal => ({ kind: 'refused', code, ...details });

/**
 * Identifies a booking request for ever, so that a double click or a retry after a lost answer gives
 * the same booking. Without an Idempotency-Key it is derived from provider and start; it is unique
 * for each patient. A derived key is cleared when the appointment ends, so that the same time can be
 * booked again.
 */
export const requestKey = (
  sent: string | undefined,
  slot: { readonly providerId: string; readonly start: EpochSeconds },
): string =>
  sent === undefined ? `${DERIVED_PREFIX}${slot.providerId}:${slot.start}` : sentKey(sent);

export const DERIVED_PREFIX = 'slot:';
const SENT_PREFIX = 'sent:';

/** A key that a client sent, as it is stored. */
export const sentKey = (sent: string) => `${SENT_PREFIX}${sent}`;

/** The id of the hold that a stored key names, or null. */
export const holdIdOfStoredKey = (stored: string | null): string | null =>
  stored?.startsWith(SENT_PREFIX) ? holdIdOfKey(stored.slice(SENT_PREFIX.length)) : null;

/**
 * All details of a new appointment. A moved appointment keeps its number, payment and ticklers;
 * its calendar event continues under the same number with the next sequence.
 */
export function newDetails(
  { keyring, ids }: { readonly keyring: Pick<Keyring, 'seal'>; readonly ids: Ids },
  { answers, requestKey, byStaff }: Pick<ReserveRequest, 'answers' | 'requestKey' | 'byStaff'>,
  {
    context,
    hold,
    oldAppointment,
    paidCents,
    overridden,
  }: Omit<ReservationGrant<StoredAppointment>, 'kind'> & { readonly context: BookingContext },
): (appointmentId: string) => AppointmentDetails {
  const { type } = context;
  if (type === null) throw new Error('Booked what is not offered');
  const { eligibility } = context.patient;
  const storedAnswers = JSON.stringify(answersToKeep(type.form, answers));
  // A patient who pays by a payment link books the time that staff hold for them.
  const linkHold = hold !== null && hasPaymentLink(hold) ? hold : null;
  const bookedBy = byStaff?.staffId ?? linkHold?.bookedBy ?? null;
  const isDue = byStaff !== undefined && !byStaff.withPaymentLink && type.chargeCents > 0;
  const feeDue = isDue ? { cents: type.chargeCents } : null;
  return (appointmentId) => ({
    onceADay: ELIGIBILITY_RULES[eligibility].oncePerDay && !overridden.includes('oneEachDay'),
    bookedBy,
    beyondLimits:
      (oldAppointment?.beyondLimits ?? linkHold?.beyondLimits ?? false) ||
      overridden.some((rule) => rule === 'oneEachDay' || rule === 'twoUpcoming'),
    movedByClinic: oldAppointment !== null && byStaff?.movedByClinic === true,
    // A moved appointment keeps its fee at the clinic, due or taken.
    feeAtClinic: oldAppointment ? oldAppointment.feeAtClinic : feeDue,
    requestKey,
    bookingNumber: oldAppointment?.bookingNumber ?? newBookingNumber(ids),
    answersSealed: keyring.seal(answersContext(appointmentId), storedAnswers),
    isCancellable: oldAppointment?.isCancellable ?? isCancellableBy(eligibility, type),
    rescheduledFrom: oldAppointment?.id ?? null,
    paidCents,
    ticklers: oldAppointment?.ticklers ?? [],
    checkin: null,
    sequence: oldAppointment ? oldAppointment.sequence + 1 : 0,
    contactPreference: (type.form === 'injuryClaim' ? answers.contactPreference : null) ?? null,
  });
}

const newBookingNumber = (ids: Ids): string =>
  ids.uuid().replaceAll('-', '').slice(0, 12).toUpperCase();

/** The names of fields that were sent, may not be decided by a client, and differ from what counts. */
export function ignoredFields(
  { slot, claimed }: Pick<ReserveRequest, 'slot' | 'claimed'>,
  { end, oldAppointment }: Pick<ReservationGrant<StoredAppointment>, 'end' | 'oldAppointment'>,
): string[] {
  const ticklers = claimed.ticklers.join('\n') !== (oldAppointment?.ticklers ?? []).join('\n');
  return [
    ...(ticklers && claimed.ticklers.length > 0 ? ['previousTicklers'] : []),
    ...(claimed.paymentToken === null ? [] : ['stripePaymentToken']),
    ...(slot.end === end ? [] : ['end']),
  ];
}

/** 'rescheduled' for an appointment that was made by moving another, else 'booked'. */
export const bookingKind = ({ rescheduledFrom }: StoredAppointment): BookedAppointment['kind'] =>
  rescheduledFrom === null ? 'booked' : 'rescheduled';

export const holdResult = (appointmentId: string, { type }: BookingContext): HoldResult => ({
  kind: 'held',
  appointmentId,
  chargeCents: type?.chargeCents ?? 0,
});

/** The appointment as it will be once it is booked with its details. */
export function bookedAppointment(
  { slot, context }: { readonly slot: SlotRequest; readonly context: BookingContext },
  { id, details }: { readonly id: string; readonly details: AppointmentDetails },
  now: EpochSeconds,
): BookedAppointment {
  const { type, provider } = context;
  if (type === null || provider === null) throw new Error('Booked what is not offered');
  const appointment: StoredAppointment = {
    ...slot,
    ...details,
    id,
    recordId: context.recordId,
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
  return { kind: bookingKind(appointment), appointment, description, translations, mode, doctor };
}
