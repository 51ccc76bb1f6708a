import type { CallInput, ApiUser } from '@clinic/contract';
import { formatPhone, isProvince, whyProfileRefused, type ProfileForm } from '@clinic/domain';
import { profileText } from '@clinic/contract/identity-texts';
import type { FoundError } from '@clinic/app/form';
import type { KeptForm } from '@clinic/ui/changed-elsewhere';
import { locale } from '../../messages/t.ts';

/** Content of the profile form; phone numbers contain dashes, as they are typed. */
export interface ProfileDraft extends ProfileForm {
  readonly familyDoctor: boolean;
  readonly pharmacy: string | null;
}

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
export function wrongIn(draft: ProfileDraft, user: ApiUser): FoundError<keyof ProfileForm>[] {
  return whyProfileRefused(draft, user).map((problem) => ({
    field: problem.field === 'phones' ? 'mobilePhone' : problem.field,
    message: profileText(locale(), problem),
  }));
}

/** Fields that the API names differently. */
const API_FIELDS: Readonly<Partial<Record<keyof ProfileDraft, string>>> = {
  mobilePhone: 'mobile',
  familyDoctor: 'familyDoc',
  pharmacy: 'preferredPharmacy',
};
export const apiNameOf = (name: keyof ProfileDraft): string => API_FIELDS[name] ?? name;

export const formNameOf = (apiName: string): string =>
  Object.entries(API_FIELDS).find(([, name]) => name === apiName)?.[0] ?? apiName;

/**
 * The body of POST /me. It includes name and birth date, for which the service keeps its own values. What the patient
 * did not change stays as another device may have saved it.
 */
export function bodyOf(
  user: ApiUser,
  draft: ProfileDraft,
  changed: readonly (keyof ProfileDraft)[],
): CallInput<'updateMe'>['body'] {
  const { familyDoctor, pharmacy, mobilePhone, ...form } = draft;
  return {
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
  };
}

/** Name of the draft that holds an unsaved profile. */
export const PROFILE = 'profile';
