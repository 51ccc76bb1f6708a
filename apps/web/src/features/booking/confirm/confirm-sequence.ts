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
import { text } from '@clinic/contract/texts';
import { locale, t } from '../../../messages/t.ts';
import { ApiError, messageOf } from '../../../api/api-error.ts';
import { appointmentsQuery } from '../../../api/appointments.ts';
import { clinicNow } from '../../../api/clock.ts';
import { configQuery } from '../../../api/config.ts';
import { callService, request } from '../../../api/service.ts';
import type { DocumentKind } from '../../../shared/files/upload-document-dialog.tsx';
import { callUntilKnown } from '../../../api/until-known.ts';
import type { Draft, PickedSlot, RescheduleOf } from '../journey.ts';
import { isSlotLost } from '../hold/hold-calls.ts';
import { appStateQuery, noPcpQuery } from '../booking-data.ts';
import { problemsFromApi, type AnswerProblems } from './answers.ts';

/**
 * What the clinic is asked between Next and the booking. Each throws what the patient then reads.
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

/** Where the sequence waits for the patient, or what it leads to. */
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
  /** staff hold it for the patient, and have decided about limits and documents. */
  readonly isDecided: boolean;
  readonly isReschedule: boolean;
  readonly feeAccepted: boolean;
  readonly pharmacyPrompt: boolean;
  readonly pharmacyAnswered: boolean;
  /** The policy carries an Important Notice for this type and patient. */
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

/** Goes on after Next or after an answer, asking the clinic, until the patient is needed. */
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

/** What an upload that succeeded adds to what the clinic has. */
export function withUpload({ uploads }: ConfirmFacts, document: 'healthCard' | 'pictureId') {
  const had = uploads === null || uploads === 'failed' ? null : uploads;
  return {
    uploads: {
      healthCard: document === 'healthCard' || had?.healthCard === true,
      pictureId: document === 'pictureId' || had?.pictureId === true,
    },
  };
}

/** A step of the sequence that could not be taken, with the words that say so. */
export class SequenceProblem extends Error {
  override readonly name = 'SequenceProblem';
}

async function orSay<T>(call: Promise<T>, fallback: string): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw new SequenceProblem(messageOf(error, fallback), { cause: error });
  }
}

/** The calls that follow Next on confirm, each with the text that is shown when it fails. */
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

/** Which documents the clinic has. */
async function askUploads(): ReturnType<ConfirmAsks['uploads']> {
  const result = await callService('shouldUploadDocument', {});
  if (result.kind !== 'answer') return 'failed';
  const { healthcardUploaded: healthCard, pictureIdUploaded: pictureId } = result.answer;
  return { healthCard, pictureId };
}

/**
 * What to upload once the service has refused for want of documents; nothing where that does not
 * help, as the clinic has them. A check that fails again counts as having none: who was just
 * refused must not end here.
 */
export async function missingUploads(): Promise<readonly DocumentKind[]> {
  const uploads = await askUploads();
  const kinds = ['healthCard', 'pictureId'] as const;
  return uploads === 'failed' ? kinds : kinds.filter((kind) => !uploads[kind]);
}

/** The clinic's facts, which some questions need; usually they came with the page. */
export function askConfig(queryClient: QueryClient): Promise<ClinicConfig> {
  return orSay(queryClient.ensureQueryData(configQuery), t('ui.unreachable'));
}

/** Records that the patient agreed to the text of a kind that was shown. */
export function saveAgreement(queryClient: QueryClient, kind: AgreementKind): Promise<unknown> {
  const save = async () => {
    // The texts come with the dialogs that show them.
    const { currentAgreement } = await import('@clinic/contract/agreements');
    const config = queryClient.getQueryData(configQuery.queryKey);
    const { version, hash } = currentAgreement(kind, config?.agreements);
    try {
      return await request('saveAgreement', { body: { kind, version, hash } });
    } catch (error) {
      // The clinic has published another: asked again, the patient reads it.
      if (error instanceof ApiError && error.code === 'agreementOutdated')
        await queryClient.refetchQueries({ queryKey: configQuery.queryKey });
      throw error;
    }
  };
  return orSay(save(), t('booking.serverError'));
}

/** Opens the record with the answer to the family-doctor question. */
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
    throw new SequenceProblem(messageOf(error, words), { cause: error });
  }
  // The record has a number, and may have a family doctor.
  void queryClient.invalidateQueries({ queryKey: ['me'] });
  void queryClient.invalidateQueries({ queryKey: noPcpQuery.queryKey });
}

/** Keeps the pharmacy as the patient's preferred one. */
export async function preferPharmacy(
  queryClient: QueryClient,
  { id, demographicNo }: Pick<ApiUser, 'id' | 'demographicNo'>,
  pharmacy: string,
): Promise<void> {
  // Who has no record yet is known by the account's number.
  const body = { demographicNo: demographicNo || id, pharmacy };
  await orSay(request('addPreferredPharmacy', { body }), t('booking.pharmacyFailed'));
  void queryClient.invalidateQueries({ queryKey: ['me'] });
}

/**
 * Which limit the new appointment would break; the service decides it again under a lock. An
 * appointment that stands at this very slot is the one in hand: it was booked and the answer was
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

/** What came of sending the booking. */
type BookOutcome =
  | { readonly kind: 'booked'; readonly appointment: ApiAppointment; readonly moved: boolean }
  | { readonly kind: 'slotLost'; readonly error: ApiError }
  | { readonly kind: 'answersRefused'; readonly problems: AnswerProblems }
  | { readonly kind: RefusedKind; readonly message: string }
  /** It may be booked or not. */
  | { readonly kind: 'unknown'; readonly message: string };

/**
 * Books the slot in hand. The request key makes a repetition after a lost answer the same booking,
 * which is asked for until it is known; a reschedule also ends the old appointment.
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
    // Booked by this request, and cancelled elsewhere before its answer came through.
    if (appointment.status === 'cancelled')
      return { kind: 'refused', message: t('booking.createFailed') };
    return { kind: 'booked', appointment, moved: code === 'rescheduled' };
  }
  const error = new ApiError(known.refused);
  if (isSlotLost(error.code)) return { kind: 'slotLost', error };
  const problems = problemsFromApi(error.fieldErrors);
  if (problems.length > 0) return { kind: 'answersRefused', problems };
  const message = messageOf(error, t('booking.createFailed'));
  const { code } = error;
  return {
    kind: code === 'documentsMissing' || code === 'changedByClinic' ? code : 'refused',
    message,
  };
}

/**
 * The browser's own DELETE of the appointment that was moved, which the specification asks for. The
 * service ended it together with the booking; only when the call fails and the list still shows it
 * standing is the answer false.
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
    // The booking was answered, and the service ends the old appointment in the same transaction.
    return true;
  }
}
