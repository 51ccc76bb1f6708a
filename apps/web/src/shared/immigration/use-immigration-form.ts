import { useQueryClient, queryOptions } from '@tanstack/react-query';
import {
  tidyMedicalProfile,
  whyMedicalProfileRefused,
  digitsOf,
  emptyMedicalProfile,
  type MedicalProfile,
  type MedicalProfileField,
} from '@clinic/domain';
import type { ApiUser } from '@clinic/contract';
import { t } from '../../messages/t.ts';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { clinicToday } from '../../api/clinic-today.ts';
import { request } from '../../api/service.ts';
import { useFormErrors, type FoundError } from '../forms/form-errors.ts';
import { useAction } from '../use-action.ts';
import { useDraft } from '../use-draft.ts';
import { refusalWords } from './immigration-words.ts';

/** The profile saved last time, with which the form starts; null when there is none. */
export const profileQuery = queryOptions({
  queryKey: ['medicalProfile'],
  queryFn: async ({ signal }): Promise<MedicalProfile | null> =>
    (await request('readMedicalProfile', {}, { signal })).extras.profile,
});

/** Fields in the order of the form, which the summary follows. */
const ASKED: readonly MedicalProfileField[] = [
  'firstName',
  'lastName',
  'address',
  'city',
  'postal',
  'phone',
  'gender',
  'dob',
  'countryOfBirth',
  'passportNumber',
  'issuingCountry',
  'dateOfIssue',
  'dateOfExpiry',
  'applicationDetails',
  'identityDocument',
  'preferredLanguage',
  'hearAboutUs',
];

/** State of the form: the typed profile, its errors, and saving. */
export function useImmigrationForm(start: MedicalProfile, onDone: () => void) {
  const queryClient = useQueryClient();
  const errors = useFormErrors<MedicalProfileField>('immigration');
  const [typed, keepTyped] = useDraft<MedicalProfile>('medicalProfile');
  const profile = typed ?? start;

  const change = (part: Partial<MedicalProfile>) => {
    keepTyped({ ...profile, ...part });
    errors.edited(...ASKED.filter((field) => field in part));
  };

  const saving = useAction(
    () => request('saveMedicalProfile', { body: { eMedProfile: tidyMedicalProfile(profile) } }),
    {
      onDone: ({ extras }) => {
        queryClient.setQueryData(profileQuery.queryKey, extras.profile);
        keepTyped(null);
        onDone();
      },
      onFailed: (error) => errors.show(fieldErrors(error)),
    },
  );

  const save = () => {
    const found = whyMedicalProfileRefused(profile, clinicToday()).map((refusal) => ({
      field: refusal.field,
      message: refusalWords(refusal),
    }));
    errors.show(found);
    if (found.length > 0) saving.forget();
    else saving.run();
  };
  const { error } = saving;
  const problem = error === null || fieldErrors(error).length > 0 ? null : problemWords(error);
  const summary = ASKED.flatMap((field) => {
    const message = errors.errorOf(field);
    if (message === null) return [];
    const label = t(`immigration.${field}`);
    // Without the label, several lines of the summary could read the same.
    const named = message.startsWith(label) ? message : `${label}: ${message}`;
    return [{ fieldId: errors.idOf(field), message: named }];
  });
  const { pending, press } = saving;
  return { profile, errors, summary, pending, press, problem, change, save };
}

/** The errors of the service's refusal, field by field. */
function fieldErrors(error: unknown): FoundError<MedicalProfileField>[] {
  if (!(error instanceof ApiError)) return [];
  return error.fieldErrors.flatMap(({ field, message }) => {
    const name = ASKED.find((one) => field === `eMedProfile.${one}`);
    return name === undefined ? [] : [{ field: name, message }];
  });
}

/** Words for a refusal, or for a call without an answer. */
function problemWords(error: unknown): string {
  const refused = error instanceof ApiError && !error.unreachable && error.status < 500;
  return messageOf(error, t(refused ? 'immigration.refused' : 'immigration.failed'));
}

const GENDERS: Readonly<Record<string, MedicalProfile['gender']>> = { Female: 'F', Male: 'M' };

/** The form of a patient without a saved profile: the account's data and the specified defaults. */
export function firstProfile(user: ApiUser): MedicalProfile {
  const { firstName, lastName, address, city, postal } = user;
  const { mobilePhone, phone, internationalPhone } = user;
  return {
    ...emptyMedicalProfile,
    firstName,
    lastName,
    address,
    city,
    postal,
    phone: digitsOf(mobilePhone || phone || internationalPhone),
    gender: GENDERS[user.sex] ?? '',
    dob: user.birthday,
  };
}
