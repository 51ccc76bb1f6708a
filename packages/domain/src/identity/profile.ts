import { isCountryName } from '../medical/countries.ts';
import { isProvince } from './health-number.ts';
import { hasInvalidSymbol } from './name.ts';
import { type Phones, whyPhonesRefused } from './phone.ts';

export const ACCOUNT_GENDERS = ['Male', 'Female', 'Transgendered', 'Other'] as const;

/** What a patient may change of their account. */
export interface ProfileForm extends Phones {
  readonly address: string;
  readonly city: string;
  readonly province: string;
  readonly postal: string;
  readonly country: string;
  readonly sex: string;
}

export type ProfileField = keyof ProfileForm | 'phones';

export interface ProfileProblem {
  readonly field: ProfileField;
  readonly code: 'missing' | 'invalid' | 'invalidSymbol' | 'notInList';
}

const REQUIRED = ['address', 'city', 'postal', 'country', 'sex'] as const;
/** §5 Sign-up, R-62: what an account began with, it keeps to. */
const NO_SYMBOLS = ['city', 'postal', 'country'] as const;

/**
 * Everything that keeps an account form from being saved, one problem a field. `kept` is what the
 * account says now: a country that is in no list may stay until another is chosen..
 */
export function whyProfileRefused(
  form: ProfileForm,
  kept: Pick<ProfileForm, 'country'>,
): ProfileProblem[] {
  const genders: readonly string[] = ACCOUNT_GENDERS;
  const all: ProfileProblem[] = [
    ...REQUIRED.flatMap((field) =>
      form[field].trim() === '' ? [{ field, code: 'missing' } as const] : [],
    ),
    ...NO_SYMBOLS.flatMap((field) =>
      hasInvalidSymbol(form[field]) ? [{ field, code: 'invalidSymbol' } as const] : [],
    ),
    ...(isProvince(form.province) ? [] : [{ field: 'province', code: 'notInList' } as const]),
    ...(isCountryName(form.country.trim()) || form.country === kept.country
      ? []
      : [{ field: 'country', code: 'notInList' } as const]),
    ...(genders.includes(form.sex) ? [] : [{ field: 'sex', code: 'notInList' } as const]),
    ...whyPhonesRefused({
      ...form,
      // The account asks only that an international number be numeric.
      internationalPhone: '',
    }).filter(({ code }) => code === 'invalid'),
    ...(/^\d*$/.test(form.internationalPhone)
      ? []
      : [{ field: 'internationalPhone', code: 'invalid' } as const]),
    ...(form.phone || form.mobilePhone || form.internationalPhone
      ? []
      : [{ field: 'phones', code: 'missing' } as const]),
  ];
  const seen = new Set<ProfileField>();
  return all.filter(({ field }) => !seen.has(field) && seen.add(field));
}
