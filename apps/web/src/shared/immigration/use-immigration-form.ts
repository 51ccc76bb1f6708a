import { ApiError, fieldErrorsOf, isRefused, messageOf } from '@clinic/app/api-error';
import { useForm } from '@clinic/app/form';
import { useFormOver } from '@clinic/app/form-over';
import type { ApiUser } from '@clinic/contract';
import {
  tidyMedicalProfile,
  whyMedicalProfileRefused,
  digitsOf,
  emptyMedicalProfile,
  type MedicalProfile,
} from '@clinic/domain';
import type { KeptForm } from '@clinic/ui/changed-elsewhere';
import { useQueryClient, queryOptions } from '@tanstack/react-query';
import { t } from '../../messages/t.ts';
import { clinicToday } from '../../api/clinic-today.ts';
import { takeAnswer } from '../../api/query-client.ts';
import { request } from '../../api/service.ts';
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
  const [kept, keep] = useDraft<KeptForm<MedicalProfile> | null>('medicalProfile', null);
  const over = useFormOver(now, formVersion, [kept, keep]);
  const form = useForm(over.state, (field) => t(`immigration.${field}`));

  const saving = useAction({
    work: () =>
      request('saveMedicalProfile', {
        headers: over.headers(),
        body: { eMedProfile: tidyMedicalProfile(over.draft) },
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
      form.failed(error, null, (field) => field.replace('eMedProfile.', ''));
    },
  });
  const check = () => {
    saving.forget();
    return [
      ...over.toChoose,
      ...whyMedicalProfileRefused(over.draft, clinicToday(), now.phone).map((refusal) => ({
        field: refusal.field,
        message: refusalWords(refusal),
      })),
    ];
  };
  return { form, over, saving, check, problem: problemOf(saving.error) };
}

/** Words for a refusal that names no field, or for a call without an answer. */
const problemOf = (error: Error | null): string | null =>
  error === null || fieldErrorsOf(error).length > 0
    ? null
    : messageOf(error, t(isRefused(error) ? 'immigration.refused' : 'immigration.failed'));

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
