import type { ApiAnswers } from '@clinic/contract';
import { type TextCode, text } from '@clinic/contract/texts';
import {
  type AppointmentForm,
  type AppointmentMode,
  type AppointmentType,
  type Translations,
  type ClinicDate,
  type ContactPreference,
  type CrashReport,
  type CrashReportRefusal,
  type Doctor,
  type EpochSeconds,
  type Experiencing,
  type FeeAtClinic,
  type OverrideReason,
  type OwnAppointment,
  type ReasonLabel,
  type ReservationRefusal,
  type SlotFacts,
  type SlotRequest,
  type Take,
  type Treatment,
  appointmentMode,
  ELIGIBILITY_RULES,
  EXPERIENCING,
  holdOfKey,
  isCancellableBy,
  isLinked,
  MEDICATION_LENGTH,
  OTHER_TREATMENT_LENGTH,
  reasonRule,
  SYMPTOM_LENGTH,
  toClinic,
  TREATMENTS,
  whyCrashReportRefused,
  whyReasonRefused,
} from '@clinic/domain';

import type { Keyring } from '../../security/keyring.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import type { Ids } from '../../server/ports.ts';
import { type FieldProblem, type RefusalDetails, type Said, said } from '../../server/refusal.ts';

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

/** The owner of a stored appointment. */
export const whoseOf = ({
  patientId,
  recordId,
}: {
  readonly patientId: PatientId | null;
  readonly recordId: string;
}): Whose => patientId ?? { recordId };

/** What a patient sends to book, to pay for or to move an appointment. */
export interface BookingRequest {
  readonly patientId: PatientId;
  readonly slot: SlotRequest;
  readonly answers: ApiAnswers;
  /** Names the request for ever. */
  readonly requestKey: string;
  /** Values that the client sent but may not decide. */
  readonly asserted: { readonly ticklers: readonly string[]; readonly paymentToken: string | null };
}

export interface HoldRequest {
  readonly purpose: 'hold';
  readonly patientId: PatientId;
  readonly slot: SlotRequest;
  /** The appointment that this hold is to move: such a hold skips limits, fee and documents. */
  readonly rescheduleOf: string | null;
  /** The patient enters payment: the hold on the same slot then lasts longer. */
  readonly forPayment: boolean;
}

export type BookRequest =
  | (BookingRequest & { readonly purpose: 'book' })
  | (BookingRequest & { readonly purpose: 'reschedule'; readonly rescheduleOf: string | null })
  | StaffRequest;

/** staff book for a patient, or move an appointment of theirs. */
export interface StaffRequest extends Omit<BookingRequest, 'patientId'> {
  readonly purpose: 'staff';
  readonly whose: Whose;
  readonly rescheduleOf: string | null;
  readonly staffId: string;
  /** Null leaves the length to the clinic's rules. */
  readonly minutes: number | null;
  /** Null where no rule is to be overridden. */
  readonly overrideReason: OverrideReason | null;
  /** True when the clinic, not the patient, wants another time for the appointment. */
  readonly movedByClinic: boolean;
  /** The patient is to pay by a link: until then the time is only held. */
  readonly byLink: boolean;
  /** The payment-link hold to book with its fee due at the clinic; refused when that hold is gone. */
  readonly link: string | null;
}

/** For `reserveIn`: a slot is held for a payment only in the transaction that begins the payment. */
export type PayRequest = BookingRequest & { readonly purpose: 'pay' };

export type ReserveRequest = HoldRequest | BookRequest | PayRequest;

/** A standing appointment, with what is needed to display it. */
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
  readonly requestKey: string;
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
    // Nobody else took a time that is the patient's own.
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
  return stored?.startsWith(SENT) ? holdOfKey(stored.slice(SENT.length)) : null;
}

/** The sealing context of an appointment's answers: stored rows are bound to this exact text. */
export const answersContext = (appointmentId: string) => `claim.answers:${appointmentId}`;

interface Decided extends Pick<
  Take<StoredAppointment>,
  'hold' | 'moves' | 'paidCents' | 'overridden'
> {
  readonly offer: Offer;
}

/**
 * Everything that an appointment carries. A moved appointment keeps its number, payment and ticklers;
 * its calendar event continues under the same number with the next sequence.
 */
export function detailsOf(
  { keyring, ids }: { readonly keyring: Pick<Keyring, 'seal'>; readonly ids: Ids },
  {
    answers,
    requestKey,
    ...by
  }: Omit<BookingRequest, 'patientId'> &
    Partial<Pick<StaffRequest, 'staffId' | 'movedByClinic' | 'byLink'>>,
  { offer, hold, moves, paidCents, overridden }: Decided,
): (appointmentId: string) => AppointmentDetails {
  const { type } = offer;
  if (type === null) throw new Error('Booked what is not offered');
  const { eligibility } = offer.patient;
  const kept = JSON.stringify(answersToKeep(type.form, answers));
  // A patient who pays by a link books the time that staff hold for them.
  const linked = hold !== null && isLinked(hold) ? hold : null;
  const bookedBy = by.staffId ?? linked?.bookedBy ?? null;
  const isDue = by.staffId !== undefined && by.byLink !== true && type.chargeCents > 0;
  return (appointmentId) => ({
    onceADay: ELIGIBILITY_RULES[eligibility].oncePerDay && !overridden.includes('oneEachDay'),
    bookedBy,
    beyondLimits:
      (moves?.beyondLimits ?? linked?.beyondLimits ?? false) ||
      overridden.some((rule) => rule === 'oneEachDay' || rule === 'twoUpcoming'),
    movedByClinic: moves !== null && by.movedByClinic === true,
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
export function ignoredOf(
  { asserted }: Pick<BookingRequest, 'asserted'>,
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

interface JustBooked {
  readonly slot: SlotRequest;
  readonly offer: Offer;
  readonly id: string;
  readonly details: AppointmentDetails;
  readonly now: EpochSeconds;
}

/** The appointment as it will stand once it is booked with its details. */
export function booked({ slot, offer, id, details, now }: JustBooked): BookedAppointment {
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

const LABELS: Record<ReasonLabel, TextCode> = {
  reason: 'labelReason',
  claimNumber: 'labelClaimNumber',
  licenceNumber: 'labelLicenceNumber',
};

/** Everything wrong with the answers of an appointment, in the words of §5, by field. */
export function whyAnswersRefused(
  form: AppointmentForm,
  answers: ApiAnswers,
  today: ClinicDate,
): FieldProblem[] {
  const reason = reasonProblem(form, answers.reason);
  const problems = reason === null ? [] : [{ field: 'reason', message: reason }];
  return form === 'injuryClaim' ? [...problems, ...crashProblems(answers, today)] : problems;
}

function reasonProblem(form: AppointmentForm, reason: string): Said | null {
  const { label, minimum, maximum } = reasonRule(form);
  const withLabel =
    (code: TextCode, n?: number): Said =>
    (locale) =>
      text(locale, code, { label: text(locale, LABELS[label]), n });
  switch (whyReasonRefused(form, reason)) {
    case 'empty':
      return withLabel('reasonMissing');
    case 'tooShort':
      return withLabel('reasonTooShort', minimum);
    case 'tooLong':
      return withLabel('reasonTooLong', maximum);
    case null:
      return null;
  }
}

function crashProblems(answers: ApiAnswers, today: ClinicDate): FieldProblem[] {
  const unknown = unknownKeys(answers);
  if (unknown.length > 0) return unknown;
  return whyCrashReportRefused(crashReport(answers), today).map((refusal) => ({
    field: refusal.field === 'crashDate' ? 'crashYear' : apiField(refusal),
    message: wordsOf(refusal),
  }));
}

function apiField({ field }: CrashReportRefusal): string {
  return field === 'otherTreatment' ? 'treatmentList' : field;
}

function wordsOf(refusal: CrashReportRefusal): Said {
  switch (refusal.field) {
    case 'crashDate':
      return said('crashDateInvalid');
    case 'contactPreference':
      return said('contactPreferenceMissing');
    case 'symptom':
      return said('symptomLength', SYMPTOM_LENGTH);
    case 'experiencingList':
      return said('experiencingMissing');
    case 'treatmentList':
      return said('treatmentMissing');
    case 'otherTreatment':
      return said('otherTreatmentLength', OTHER_TREATMENT_LENGTH);
    case 'medicationTaken':
      return refusal.code === 'missing'
        ? said('medicationMissing')
        : said('medicationLength', MEDICATION_LENGTH);
  }
}

const isExperiencing = (key: string): key is Experiencing =>
  (EXPERIENCING as readonly string[]).includes(key);
const isTreatment = (item: string | { key: 'other'; text: string }): item is Treatment =>
  typeof item !== 'string' ||
  (item !== 'other' && (TREATMENTS as readonly string[]).includes(item));

function unknownKeys(answers: ApiAnswers): FieldProblem[] {
  const message = said('notInTheList');
  const problems: FieldProblem[] = [];
  if (!(answers.experiencingList ?? []).every(isExperiencing))
    problems.push({ field: 'experiencingList', message });
  if (!(answers.treatmentList ?? []).every(isTreatment))
    problems.push({ field: 'treatmentList', message });
  return problems;
}

/** The injury-claim answers as the rules read them. */
function crashReport(answers: ApiAnswers): CrashReport {
  return {
    crashYear: answers.crashYear ?? null,
    crashMonth: answers.crashMonth ?? null,
    crashDay: answers.crashDay ?? null,
    contactPreference: answers.contactPreference ?? null,
    symptom: answers.symptom ?? '',
    experiencingList: (answers.experiencingList ?? []).filter(isExperiencing),
    treatmentList: (answers.treatmentList ?? []).filter(isTreatment),
    medicationTaken: answers.medicationTaken ?? null,
  };
}

/** The answers to store: the trimmed reason, and for an injury claim the crash report. */
export function answersToKeep(form: AppointmentForm, answers: ApiAnswers): ApiAnswers {
  const reason = answers.reason.trim();
  return form === 'injuryClaim' ? { ...answers, reason } : { reason };
}
