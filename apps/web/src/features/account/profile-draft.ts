import type { CallInput, ApiUser } from '@clinic/contract';
import { formatPhone, isProvince, whyProfileRefused, type ProfileForm } from '@clinic/domain';
import { profileText } from '@clinic/contract/identity-texts';
import type { FoundError } from '../../shared/forms/form-errors.ts';
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
    internationalPhone,
    familyDoctor: user.familyDoc,
    pharmacy: user.preferredPharmacy,
  };
}

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

/** The body of POST /me. It includes name and birth date, for which the service keeps its own values. */
export function updateOf(user: ApiUser, draft: ProfileDraft): CallInput<'updateMe'> {
  const { familyDoctor, pharmacy, mobilePhone, ...form } = draft;
  return {
    body: {
      ...form,
      mobile: mobilePhone,
      firstName: user.firstName,
      lastName: user.lastName,
      birthYear: user.birthday.year,
      birthMonth: user.birthday.month,
      birthDay: user.birthday.day,
      familyDoc: familyDoctor,
      hasFamilyDoc: familyDoctor,
      preferredPharmacy: pharmacy ?? '',
      shouldUpdate: false,
    },
  };
}

const API_FIELDS: Readonly<Record<string, DraftField>> = { mobile: 'mobilePhone' };

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
    const named = API_FIELDS[field] ?? field;
    return { field: known.includes(named) ? (named as DraftField) : null, message };
  });
}

/** Name of the draft that holds an unsaved profile. */
export const PROFILE = 'profile';
