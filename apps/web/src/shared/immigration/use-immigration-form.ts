import { useQueryClient, queryOptions } from '@tanstack/react-query';
import {
  MEDICAL_PROFILE_FIELDS,
  tidyMedicalProfile,
  whyMedicalProfileRefused,
  digitsOf,
  emptyMedicalProfile,
  type MedicalProfile,
  type MedicalProfileField,
} from '@clinic/domain';
import type { ApiUser } from '@clinic/contract';
import { choose, formHeaders, overNow, type, type KeptForm } from '@clinic/ui/changed-elsewhere';
import { t } from '../../messages/t.ts';
import { ApiError, messageOf } from '@clinic/app/api-error';
import { clinicToday } from '../../api/clinic-today.ts';
import { takeAnswer } from '../../api/query-client.ts';
import { request } from '../../api/service.ts';
import { useFormErrors, type FoundError } from '../forms/form-errors.ts';
import { useAction } from '../use-action.ts';
import { useDraft } from '../use-draft.ts';
import { refusalWords } from './immigration-words.ts';

/** The profile saved last time, with which the form starts, or null when there is none; and its version. */
export const profileQuery = queryOptions({
  queryKey: ['medicalProfile'],
  queryFn: async ({ signal, client, queryKey }): Promise<KeptProfile> => {
    // The first read is the patient's own; later ones are the page's.
    const background = client.getQueryData(queryKey) !== undefined;
    return (await request('readMedicalProfile', {}, { signal, background })).extras;
  },
});

interface KeptProfile {
  readonly profile: MedicalProfile | null;
  readonly formVersion?: string | undefined;
}

/** State of the form over the profile as it is now: what is typed, its errors, and saving. */
export function useImmigrationForm(
  now: MedicalProfile,
  formVersion: string | undefined,
  onDone: () => void,
) {
  const queryClient = useQueryClient();
  const errors = useFormErrors<MedicalProfileField>('immigration');
  const [kept, keep] = useDraft<KeptForm<MedicalProfile>>('medicalProfile');
  const { base, typed } = kept ?? { base: now, typed: now };
  const over = overNow({ base, typed }, now);
  const { draft: profile, changed, conflicts } = over;

  const change = (part: Partial<MedicalProfile>) => {
    keep(type({ base, typed }, now, part));
    errors.edited(...MEDICAL_PROFILE_FIELDS.filter((field) => field in part));
  };

  const saving = useAction({
    work: () =>
      request('saveMedicalProfile', {
        headers: formHeaders(formVersion, over.typed),
        body: { eMedProfile: tidyMedicalProfile(profile) },
      }),
    onDone: ({ extras }) => {
      takeAnswer(queryClient, profileQuery, extras);
      keep(null);
      onDone();
    },
    onFailed(error) {
      // Another device has saved the same field: it is shown, to choose.
      if (error instanceof ApiError && error.status === 409)
        void queryClient.invalidateQueries({ queryKey: profileQuery.queryKey });
      errors.show(fieldErrors(error));
    },
  });

  const save = () => {
    const found = [
      ...conflicts.map((field) => ({ field, message: t('ui.chooseFirst') })),
      ...whyMedicalProfileRefused(profile, clinicToday(), now.phone).map((refusal) => ({
        field: refusal.field,
        message: refusalWords(refusal),
      })),
    ];
    errors.show(found);
    if (found.length > 0) saving.forget();
    else saving.run();
  };
  const { error } = saving;
  const problem = error === null || fieldErrors(error).length > 0 ? null : problemWords(error);
  const summary = MEDICAL_PROFILE_FIELDS.flatMap((field) => {
    const message = errors.errorOf(field);
    if (message === null) return [];
    const label = t(`immigration.${field}`);
    // Without the label, several lines of the summary could read the same.
    const named = message.startsWith(label) ? message : `${label}: ${message}`;
    return [{ fieldId: errors.idOf(field), message: named }];
  });
  const { pending, press } = saving;
  const onChoose = (field: MedicalProfileField, choice: 'mine' | 'saved') => {
    keep(choose({ base, typed }, now, field, choice));
    errors.edited(...conflicts);
  };
  const outcome = { pending, press, problem, summary };
  return { profile, changed, conflicts, onChoose, errors, ...outcome, change, save };
}

/** The errors of the service's refusal, field by field. */
function fieldErrors(error: unknown): FoundError<MedicalProfileField>[] {
  if (!(error instanceof ApiError)) return [];
  return error.fieldErrors.flatMap(({ field, message }) => {
    const name = MEDICAL_PROFILE_FIELDS.find((one) => field.replace('eMedProfile.', '') === one);
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
