import { calendarDate } from '../calendar-date.ts';
import type { ClinicDate } from '../clinic-time.ts';
import { isCountryName } from '../medical/countries.ts';
import { isBirthDate } from './birth-date.ts';
import { isEmail, normaliseEmail } from './email.ts';
import {
  CARD_NUMBER_MINIMUM,
  type Province,
  isProvince,
  normaliseCardNumber,
  whyCardRefused,
} from './health-number.ts';
import { hasInvalidSymbol } from './name.ts';
import { PASSWORD_MINIMUM, isOwnNameOrEmail, whyPasswordRefused } from './password.ts';
import { type Phones, whyPhonesRefused } from './phone.ts';

/** The country that a new form starts with, and the only one whose health cards count. */
export const CANADA = 'Canada';

export const SIGN_UP_GENDERS = ['Male', 'Female', 'Other'] as const;

/** What the sign-up form holds; what is not filled is '' or 0. */
export interface RegistrationForm extends Phones {
  readonly firstName: string;
  readonly lastName: string;
  readonly gender: string;
  readonly address: string;
  readonly city: string;
  readonly province: string;
  readonly postal: string;
  readonly country: string;
  readonly email: string;
  readonly emailConfirm: string;
  readonly password: string;
  readonly passwordConfirm: string;
  readonly healthCardProvince: string;
  readonly healthCardNumber: string;
  readonly healthCardNumberConfirm: string;
  readonly birthYear: number;
  readonly birthMonth: number;
  readonly birthDay: number;
  readonly consent: boolean;
  readonly captcha: boolean;
}

/** A field as it is marked; a birth date is one field, and so are the phones when none is there. */
export type RegistrationField =
  | Exclude<keyof RegistrationForm, 'birthYear' | 'birthMonth' | 'birthDay' | 'captcha'>
  | 'birthDate'
  | 'phones'
  | 'recaptcha';

export type RegistrationCode =
  | 'missing'
  | 'invalidSymbol'
  | 'notInList'
  | 'doNotMatch'
  | 'tooShort'
  | 'tooLong'
  /** The own name or e-mail; the commonest passwords are known to the service alone. */
  | 'tooCommon'
  | 'invalid'
  | 'bcInvalid';

export interface RegistrationProblem {
  readonly field: RegistrationField;
  readonly code: RegistrationCode;
  /** Of 'tooShort': the figure in the text. */
  readonly minimum?: number;
}

/** Whether the form asks for a health card at all. */
export function asksForCard(form: Pick<RegistrationForm, 'country'>): boolean {
  return form.country.trim() === CANADA;
}

/** The card that a form stands for; nobody outside Canada has one here.. */
export function cardOf(
  form: Pick<RegistrationForm, 'country' | 'healthCardProvince' | 'healthCardNumber'>,
): { readonly province: Province; readonly number: string } {
  const { healthCardProvince: province } = form;
  if (!asksForCard(form) || !isProvince(province)) return { province: 'Other', number: '' };
  return { province, number: normaliseCardNumber(province, form.healthCardNumber) };
}

type Text = Exclude<
  {
    [K in keyof RegistrationForm]: RegistrationForm[K] extends string ? K : never;
  }[keyof RegistrationForm],
  keyof Phones
>;

/** In the order of the form; passwords are taken as typed, the others without space around them. */
const REQUIRED: readonly Text[] = [
  'firstName',
  'lastName',
  'gender',
  'address',
  'city',
  'province',
  'postal',
  'country',
  'email',
  'emailConfirm',
  'password',
  'passwordConfirm',
];
/** §5: every field but password, address, e-mail and pharmacy. */
const NO_SYMBOLS: readonly Text[] = [
  'firstName',
  'lastName',
  'gender',
  'city',
  'province',
  'postal',
  'country',
  'healthCardProvince',
  'healthCardNumber',
];

/** Everything that keeps a sign-up form from being sent, one problem a field, in order. */
export function whyRegistrationRefused(
  form: RegistrationForm,
  today: ClinicDate,
): RegistrationProblem[] {
  const all: RegistrationProblem[] = [
    ...REQUIRED.flatMap((field) =>
      isEmpty(form, field) ? [{ field, code: 'missing' } as const] : [],
    ),
    ...NO_SYMBOLS.flatMap((field) =>
      hasInvalidSymbol(form[field]) ? [{ field, code: 'invalidSymbol' } as const] : [],
    ),
    ...listProblems(form),
    ...emailProblems(form),
    ...passwordProblems(form),
    ...(asksForCard(form) ? cardProblems(form) : []),
    ...birthProblems(form, today),
    ...whyPhonesRefused(form),
    ...(form.consent ? [] : [{ field: 'consent', code: 'missing' } as const]),
    ...(form.captcha ? [] : [{ field: 'recaptcha', code: 'missing' } as const]),
  ];
  const seen = new Set<RegistrationField>();
  return all.filter(({ field }) => !seen.has(field) && seen.add(field));
}

function isEmpty(form: RegistrationForm, field: Text): boolean {
  const typed = form[field];
  return (field.startsWith('password') ? typed : typed.trim()) === '';
}

function listProblems(form: RegistrationForm): RegistrationProblem[] {
  const genders: readonly string[] = SIGN_UP_GENDERS;
  return [
    ...(genders.includes(form.gender) ? [] : [{ field: 'gender', code: 'notInList' } as const]),
    ...(isProvince(form.province) ? [] : [{ field: 'province', code: 'notInList' } as const]),
    ...(isCountryName(form.country.trim())
      ? []
      : [{ field: 'country', code: 'notInList' } as const]),
  ];
}

function emailProblems(form: RegistrationForm): RegistrationProblem[] {
  const email = normaliseEmail(form.email);
  return [
    ...(isEmail(email) ? [] : [{ field: 'email', code: 'invalid' } as const]),
    ...(email === normaliseEmail(form.emailConfirm)
      ? []
      : [{ field: 'emailConfirm', code: 'doNotMatch' } as const]),
  ];
}

function passwordProblems(form: RegistrationForm): RegistrationProblem[] {
  const code = whyPasswordRefused(form.password);
  return [
    ...(code === 'tooShort'
      ? [{ field: 'password', code, minimum: PASSWORD_MINIMUM } as const]
      : []),
    ...(code === 'tooLong' ? [{ field: 'password', code } as const] : []),
    ...(code === null && isOwnNameOrEmail(form.password, form)
      ? [{ field: 'password', code: 'tooCommon' } as const]
      : []),
    ...(form.password === form.passwordConfirm
      ? []
      : [{ field: 'passwordConfirm', code: 'doNotMatch' } as const]),
  ];
}

function cardProblems(form: RegistrationForm): RegistrationProblem[] {
  const { healthCardProvince: province } = form;
  if (province.trim() === '') return [{ field: 'healthCardProvince', code: 'missing' }];
  if (!isProvince(province)) return [{ field: 'healthCardProvince', code: 'notInList' }];
  if (province === 'Other') return [];
  const field = 'healthCardNumber';
  const number = normaliseCardNumber(province, form.healthCardNumber);
  const same = number === normaliseCardNumber(province, form.healthCardNumberConfirm);
  const problems: Record<'empty' | 'tooShort' | 'bcInvalid', RegistrationProblem> = {
    empty: { field, code: 'missing' },
    tooShort: { field, code: 'tooShort', minimum: CARD_NUMBER_MINIMUM },
    bcInvalid: { field, code: 'bcInvalid' },
  };
  const code = whyCardRefused(province, number);
  return [
    ...(code === null ? [] : [problems[code]]),
    ...(same ? [] : [{ field: 'healthCardNumberConfirm', code: 'doNotMatch' } as const]),
  ];
}

function birthProblems(form: RegistrationForm, today: ClinicDate): RegistrationProblem[] {
  const { birthYear, birthMonth, birthDay } = form;
  if (!birthYear || !birthMonth || !birthDay) return [{ field: 'birthDate', code: 'missing' }];
  const date = calendarDate(birthYear, birthMonth, birthDay);
  const fits = date !== null && isBirthDate(date, today);
  return fits ? [] : [{ field: 'birthDate', code: 'invalid' }];
}
