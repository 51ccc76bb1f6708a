import type { QueryClient } from '@tanstack/react-query';
import { centsOf, ELIGIBILITY_RULES, whyOverLimit } from '@clinic/domain';
import type { CountedAppointment, LimitRefusal } from '@clinic/domain';
import type { AgreementKind, ClinicConfig, ApiAppointment, ApiUser } from '@clinic/contract';
import { refusals } from '@clinic/contract/texts';
import { t } from '../../../messages/t.ts';
import { ApiError, messageOf } from '../../../api/api-error.ts';
import { appointmentsQuery } from '../../../api/appointments.ts';
import { clinicNow } from '../../../api/clock.ts';
import { configQuery } from '../../../api/config.ts';
import { callService, request } from '../../../api/service.ts';
import type { PickedSlot } from '../journey.ts';
import type { DocumentKind } from '../../../shared/files/upload-document-dialog.tsx';
import type { ConfirmAsks } from './confirm-sequence.ts';
import { appStateQuery, noPcpQuery } from '../slots/slot-queries.ts';

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

/** Records that the patient agreed to the current text of a kind. */
export function saveAgreement(kind: AgreementKind): Promise<unknown> {
  const save = async () => {
    // The texts come with the dialogs that show them.
    const { currentAgreement } = await import('@clinic/contract/agreements');
    const { version, hash } = currentAgreement(kind);
    return request('saveAgreement', { body: { kind, version, hash } });
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
    status === 'booked' || status === 'registered' ? [{ start: startTime, state: status }] : [],
  );
  return whyOverLimit(start, counted, ELIGIBILITY_RULES[eligibility].oncePerDay, clinicNow());
}

export function limitWords(limit: LimitRefusal): string {
  return limit === 'oneEachDay' ? refusals.oneEachDay : refusals.twoUpcoming;
}
