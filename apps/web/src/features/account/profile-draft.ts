import type { CallInput, ApiUser } from '@clinic/contract';
import { formatPhone, isProvince, whyProfileRefused, type ProfileForm } from '@clinic/domain';
import { profileText } from '@clinic/contract/identity-texts';
import type { FoundError } from '../../shared/forms/form-errors.ts';
import { formHeaders, type KeptForm } from '@clinic/ui/changed-elsewhere';
import { locale } from '../../messages/t.ts';

/** Content of the profile form; phone numbers contain dashes, as they are typed. */
export interface ProfileDraft extends ProfileForm {
  readonly familyDoctor: boolean;
  readonly pharmacy: string | null;
}

export type DraftField = keyof ProfileForm;

export function draftOf(user: ApiUser): ProfileDraft {
  const { address, city, province, postal, country, sex, internationalPhone } = user;
  return {
    address,
    city,
    // A province that is not in the list has to be chosen again.
    province: isProvince(province) ? province : '',
    postal,
    country,
    sex,
    mobilePhone: formatPhone(user.mobilePhone),
    phone: formatPhone(user.phone),
    // A number that is understood stands with its +, so that nobody takes it for one of Canada.
    internationalPhone: user.e164?.internationalPhone ?? internationalPhone,
    familyDoctor: user.familyDoc,
    pharmacy: user.preferredPharmacy,
  };
}

export type KeptProfile = KeptForm<ProfileDraft>;

export function differs(one: ProfileDraft, other: ProfileDraft): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}

/**
 * Problems of the form in its own words; a form without any phone shows the problem at the first
 * one.
 */
export function wrongIn(draft: ProfileDraft, user: ApiUser): FoundError<DraftField>[] {
  return whyProfileRefused(draft, user).map((problem) => ({
    field: problem.field === 'phones' ? 'mobilePhone' : problem.field,
    message: profileText(locale(), problem),
  }));
}

/** Fields that the API names differently. */
const API_FIELDS = {
  mobilePhone: 'mobile',
  familyDoctor: 'familyDoc',
  pharmacy: 'preferredPharmacy',
} as const;
const apiNameOf = (name: keyof ProfileDraft) =>
  name in API_FIELDS ? API_FIELDS[name as keyof typeof API_FIELDS] : name;

/**
 * POST /me. What the patient did not change is named as such, so that it stays as another device may have saved
 * it. The body includes name and birth date, for which the service keeps its own values.
 */
export function updateOf(
  user: ApiUser,
  draft: ProfileDraft,
  changed: readonly (keyof ProfileDraft)[],
): CallInput<'updateMe'> {
  const { familyDoctor, pharmacy, mobilePhone, ...form } = draft;
  return {
    headers: formHeaders(user.formVersion, changed.map(apiNameOf)),
    body: {
      ...form,
      mobile: mobilePhone,
      firstName: user.firstName,
      lastName: user.lastName,
      birthYear: user.birthday.year,
      birthMonth: user.birthday.month,
      birthDay: user.birthday.day,
      ...(changed.includes('familyDoctor') && {
        familyDoc: familyDoctor,
        hasFamilyDoc: familyDoctor,
      }),
      ...(changed.includes('pharmacy') && { preferredPharmacy: pharmacy ?? '' }),
      shouldUpdate: false,
    },
  };
}

/** Problems that the service found, assigned to the fields of the form. */
export function wrongByService(
  errors: readonly { readonly field: string; readonly message: string }[],
): FoundError<DraftField>[] {
  const known: readonly string[] = [
    'address',
    'city',
    'province',
    'postal',
    'country',
    'sex',
    'mobilePhone',
    'phone',
    'internationalPhone',
  ] satisfies DraftField[];
  return errors.map(({ field, message }) => {
    const named = field === API_FIELDS.mobilePhone ? 'mobilePhone' : field;
    return { field: known.includes(named) ? (named as DraftField) : null, message };
  });
}

/** Name of the draft that holds an unsaved profile. */
export const PROFILE = 'profile';
