import {
  ELIGIBILITY_RULES,
  centsOf,
  needsDocuments,
  nextConfirmStep,
  whyOverLimit,
  type AppointmentType,
  type ConfirmFacts,
  type ConfirmStep,
  type CountedAppointment,
  type Eligibility,
  type LimitRefusal,
} from '@clinic/domain';
import type { QueryClient } from '@tanstack/react-query';
import type {
  AgreementKind,
  ApiAnswers,
  ApiAppointment,
  ApiUser,
  ClinicConfig,
} from '@clinic/contract';
import { text } from '@clinic/contract/told-by-pages';
import { formHeaders } from '@clinic/ui/changed-elsewhere';
import { locale, t } from '../../../messages/t.ts';
import { ApiError, messageOf, UserFacingError } from '@clinic/app/api-error';
import { appointmentsQuery } from '../../../api/appointments.ts';
import { clinicNow } from '@clinic/app/clock';
import { configQuery } from '../../../api/config.ts';
import { callService, request } from '../../../api/service.ts';
import type { DocumentKind } from '../../../shared/files/upload-document-dialog.tsx';
import { callUntilKnown } from '../../../api/until-known.ts';
import type { Draft, PickedSlot, RescheduleOf } from '../journey.ts';
import { isSlotLost } from '../hold/hold-calls.ts';
import { type Refusal } from '../hold/hold-time.ts';
import { appStateQuery, noPcpQuery } from '../booking-data.ts';
import { problemsFromApi, type AnswerProblems } from './answers.ts';

/**
 * Calls to the clinic between Next and the booking. Each throws an error with the patient's words.
 */
export interface ConfirmAsks {
  readonly uploads: () => Promise<NonNullable<ConfirmFacts['uploads']>>;
  readonly demographics: () => Promise<'found' | 'noEntry'>;
  readonly limits: () => Promise<'kept' | 'broken'>;
  readonly stateChargeCents: () => Promise<number>;
}

/** A step at which the patient is asked something, in a dialog. */
export type Question = Extract<
  ConfirmStep,
  | 'warnOfFee'
  | 'uploadHealthCard'
  | 'uploadPictureId'
  | 'confirmIcbc'
  | 'choosePharmacy'
  | 'askFamilyDoctor'
  | 'showNotice'
  | 'agreeToDetails'
  | 'fillImmigrationForm'
>;

/** Where the sequence waits for the patient, or how it ends. */
type ConfirmStop = Question | 'showProblems' | 'refuseOverLimit' | 'book' | 'pay';

export interface Pause {
  readonly facts: ConfirmFacts;
  readonly stop: ConfirmStop;
}

/** What is known when Next is pressed. */
export interface KnownAtNext {
  readonly type: AppointmentType;
  readonly eligibility: Eligibility;
  readonly answersValid: boolean;
  /** staff hold the time for the patient, and have decided about limits and documents. */
  readonly isDecided: boolean;
  readonly isReschedule: boolean;
  readonly feeAccepted: boolean;
  readonly pharmacyPrompt: boolean;
  readonly pharmacyAnswered: boolean;
  /** The clinic's policy has an Important Notice for this type and patient. */
  readonly noticeNeeded: boolean;
}

export function factsAtNext({ type, eligibility, isDecided, ...known }: KnownAtNext): ConfirmFacts {
  return {
    ...known,
    form: type.form,
    chargeCents: type.chargeCents,
    documentsNeeded: !isDecided && needsDocuments(type, eligibility),
    uploads: null,
    icbcConfirmed: false,
    demographics: null,
    noticeUnderstood: false,
    detailsAgreed: false,
    limits: isDecided ? 'kept' : null,
    stateChargeCents: null,
    immigrationFormDone: false,
  };
}

/** Runs the sequence after Next or an answer, calling the clinic, until it needs the patient. */
export async function goOn(facts: ConfirmFacts, asks: ConfirmAsks): Promise<Pause> {
  const step = nextConfirmStep(facts);
  switch (step) {
    case 'checkUploads':
      return goOn({ ...facts, uploads: await asks.uploads() }, asks);
    case 'checkDemographics':
      return goOn({ ...facts, demographics: await asks.demographics() }, asks);
    case 'checkLimits':
      return goOn({ ...facts, limits: await asks.limits() }, asks);
    case 'fetchState':
      return goOn({ ...facts, stateChargeCents: await asks.stateChargeCents() }, asks);
    default:
      return { facts, stop: step };
  }
}

/** Adds a document that was just uploaded to those the clinic has. */
export function withUpload({ uploads }: ConfirmFacts, document: 'healthCard' | 'pictureId') {
  const had = uploads === null || uploads === 'failed' ? null : uploads;
  return {
    uploads: {
      healthCard: document === 'healthCard' || had?.healthCard === true,
      pictureId: document === 'pictureId' || had?.pictureId === true,
    },
  };
}

async function orSay<T>(call: Promise<T>, fallback: string, mayBeDone?: string): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw new UserFacingError(messageOf(error, fallback, mayBeDone), { cause: error });
  }
}

/** The calls that follow Next on confirm, each with its text for a failure. */
export function confirmAsks(
  queryClient: QueryClient,
  user: ApiUser,
  type: ApiAppointment['code'],
  slot: PickedSlot,
): ConfirmAsks {
  return {
    uploads: askUploads,
    demographics: async () => {
      const { careCard, birthday } = user;
      const headers = {
        id: user.demographicNo,
        hin: careCard.number,
        province: careCard.province,
        ...birthday,
      };
      const failed = t('booking.demographicFailed');
      const { extras } = await orSay(request('findDemographics', { headers }), failed);
      return extras.code === 'noEntryFound' ? 'noEntry' : 'found';
    },
    limits: async () => {
      const list = queryClient.fetchQuery({ ...appointmentsQuery(), staleTime: 0 });
      const { appointments } = await orSay(list, t('booking.secondValidation'));
      return brokenLimit(appointments, user, slot) ? 'broken' : 'kept';
    },
    stateChargeCents: async () => {
      const state = queryClient.fetchQuery(appStateQuery(type, user));
      const { chargeAmount } = await orSay(state, t('booking.stateFailed'));
      return centsOf(chargeAmount) ?? 0;
    },
  };
}

/** Asks which documents the clinic has; 'failed' when the call fails. */
async function askUploads(): ReturnType<ConfirmAsks['uploads']> {
  const result = await callService('shouldUploadDocument', {});
  if (result.kind !== 'answer') return 'failed';
  const { healthcardUploaded: healthCard, pictureIdUploaded: pictureId } = result.answer;
  return { healthCard, pictureId };
}

/**
 * Documents to upload after the service refused for want of documents; empty when the clinic has
 * them all, as an upload would not help. A check that fails again counts as having none, so that a
 * refused patient still has a way on.
 */
export async function missingUploads(): Promise<readonly DocumentKind[]> {
  const uploads = await askUploads();
  const kinds = ['healthCard', 'pictureId'] as const;
  return uploads === 'failed' ? kinds : kinds.filter((kind) => !uploads[kind]);
}

/** The clinic's configuration, which some questions need; usually already in the cache. */
export function askConfig(queryClient: QueryClient): Promise<ClinicConfig> {
  return orSay(queryClient.ensureQueryData(configQuery), t('ui.unreachable'));
}

/** Records that the patient agreed to the text of a kind that was shown. */
export function saveAgreement(queryClient: QueryClient, kind: AgreementKind): Promise<unknown> {
  const save = async () => {
    // The texts load with the dialogs that show them, so they are imported here only on use.
    const { currentAgreement } = await import('@clinic/contract/agreements');
    const config = queryClient.getQueryData(configQuery.queryKey);
    const { version, hash } = currentAgreement(kind, config?.agreements);
    try {
      return await request('saveAgreement', { body: { kind, version, hash } });
    } catch (error) {
      // The clinic has published a new version: load it, so that the next press shows it.
      if (error instanceof ApiError && error.code === 'agreementOutdated')
        await queryClient.refetchQueries({ queryKey: configQuery.queryKey });
      throw error;
    }
  };
  return orSay(save(), t('booking.serverError'));
}

/** Creates the patient's record with the answer to the family-doctor question. */
export async function openRecord(
  queryClient: QueryClient,
  { id }: Pick<ApiUser, 'id'>,
  hasFamilyDoc: boolean,
): Promise<void> {
  const { familyDoctorIds } = await askConfig(queryClient);
  const familyDoc = hasFamilyDoc ? familyDoctorIds.yes : familyDoctorIds.no;
  const result = await callService('createDemographics', { body: { id, familyDoc, hasFamilyDoc } });
  if (result.kind !== 'answer') {
    const error = new ApiError(result);
    const broken = error.unreachable || error.status >= 500;
    const words = t(broken ? 'booking.serverErrorRecord' : 'booking.recordFailed');
    throw new UserFacingError(messageOf(error, words), { cause: error });
  }
  // The account now has a record number, and perhaps a family doctor.
  void queryClient.invalidateQueries({ queryKey: ['me'] });
  void queryClient.invalidateQueries({ queryKey: noPcpQuery.queryKey });
}

/** Keeps the pharmacy as the patient's preferred one. */
export async function preferPharmacy(
  queryClient: QueryClient,
  { id, demographicNo, formVersion }: Pick<ApiUser, 'id' | 'demographicNo' | 'formVersion'>,
  pharmacy: string,
): Promise<void> {
  // A patient without a record yet is identified by the account's id.
  const body = { demographicNo: demographicNo || id, pharmacy };
  const headers = formHeaders(formVersion, ['preferredPharmacy']);
  const kept = request('addPreferredPharmacy', { headers, body });
  try {
    await orSay(kept, t('booking.pharmacyFailed'), t('booking.pharmacyUnknown'));
  } finally {
    // Also where another device has chosen one since.
    void queryClient.invalidateQueries({ queryKey: ['me'] });
  }
}

/**
 * The limit that the new appointment would break, or null; the service checks again under a lock.
 * An appointment at this very slot does not count: an earlier request booked it and its answer was
 * lost.
 */
export function brokenLimit(
  appointments: readonly ApiAppointment[],
  { eligibility }: Pick<ApiUser, 'eligibility'>,
  { doctor, start }: PickedSlot,
): LimitRefusal | null {
  const others = appointments.filter((one) => one.doctor !== doctor || one.startTime !== start);
  const counted = others.flatMap(({ startTime, status }): CountedAppointment[] =>
    status === 'booked' || status === 'registered' || status === 'cancelling'
      ? [{ start: startTime, state: status === 'cancelling' ? 'booked' : status }]
      : [],
  );
  return whyOverLimit(start, counted, ELIGIBILITY_RULES[eligibility].oncePerDay, clinicNow());
}

export function limitWords(limit: LimitRefusal): string {
  return text(locale(), limit);
}

type RefusedKind = 'documentsMissing' | 'changedByClinic' | 'refused';

/** Outcome of sending the booking. */
type BookOutcome =
  | { readonly kind: 'booked'; readonly appointment: ApiAppointment; readonly moved: boolean }
  | { readonly kind: 'answersRefused'; readonly problems: AnswerProblems }
  | ({ readonly kind: RefusedKind } & Refusal)
  /** The appointment may or may not have been booked. */
  | { readonly kind: 'unknown'; readonly message: string };

/**
 * Books the slot in hand. The request key makes a repetition after a lost answer the same booking;
 * the call repeats until the outcome is known. A reschedule also ends the old appointment.
 */
export async function bookAppointment(
  draft: Extract<Draft, { step: 'confirm' }>,
  answers: ApiAnswers,
  rescheduleOf: RescheduleOf | null,
  onChecking: () => void,
): Promise<BookOutcome> {
  const { slot, search, requestKey } = draft;
  const moving = rescheduleOf
    ? { isReschedule: true, rescheduleOf: rescheduleOf.appointmentId }
    : {};
  const body = { ...slot, selectedType: search.type, ...answers, ...moving };
  const headers = { 'idempotency-key': requestKey };
  const known = await callUntilKnown('createBooking', { headers, body }, onChecking);
  if (known.kind === 'unknown')
    return { kind: 'unknown', message: known.message ?? t('booking.outcomeUnknown') };
  if (known.kind === 'done') {
    const { appointment, code } = known.answer.extras;
    // This request booked the appointment, and it was cancelled elsewhere before the answer arrived.
    if (appointment.status === 'cancelled')
      return { kind: 'refused', code: null, message: t('booking.createFailed') };
    return { kind: 'booked', appointment, moved: code === 'rescheduled' };
  }
  const error = new ApiError(known.refused);
  const problems = problemsFromApi(error.fieldErrors);
  if (problems.length > 0) return { kind: 'answersRefused', problems };
  const { code, own } = error;
  const lost = isSlotLost(code);
  const message = messageOf(error, t(lost ? 'booking.slotLost' : 'booking.createFailed'));
  const kind = code === 'documentsMissing' || code === 'changedByClinic' ? code : 'refused';
  return { kind, code, message, own };
}

/**
 * Sends the browser's own DELETE of the moved appointment, which the specification asks for. The
 * service already ended it with the booking. Returns false only when the call fails and the list
 * still shows the old appointment standing.
 */
export async function endOldAppointment(queryClient: QueryClient, id: string): Promise<boolean> {
  const result = await callService('cancelAppointment', { params: { id } });
  if (result.kind === 'answer') return true;
  try {
    const list = await queryClient.fetchQuery({
      ...appointmentsQuery(),
      staleTime: 0,
    });
    const old = list.appointments.find((appointment) => appointment.id === id);
    return old?.status !== 'booked' && old?.status !== 'registered';
  } catch {
    // The list failed too, but the service ends the old appointment in the booking's transaction.
    return true;
  }
}
