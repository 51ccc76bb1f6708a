import { type ClinicDate, calendarDate } from '../clinic-time.ts';
import { isCountryName } from '../medical/countries.ts';
import { hasUnseen, isBlank } from '../unseen-text.ts';
import {
  CARD_NUMBER_MINIMUM,
  type Province,
  isProvince,
  normaliseCardNumber,
  whyCardRefused,
} from './health-number.ts';
import { isBirthDate, normaliseEmail, whyEmailRefused, wrongSymbolIn } from './identity.ts';
import { PASSWORD_MINIMUM, isOwnNameOrEmail, whyPasswordRefused } from './password-rules.ts';
import { type PhoneCode, type Phones, whyPhoneRefused, whyPhonesRefused } from './phone.ts';

/** The country that a new form starts with. Only its residents are asked for a health card. */
export const CANADA = 'Canada';

export const SIGN_UP_GENDERS = ['Male', 'Female', 'Other'] as const;
export const ACCOUNT_GENDERS = ['Male', 'Female', 'Transgendered', 'Other'] as const;

/** Where somebody lives and their phones; both forms ask for them. */
interface ContactForm extends Phones {
  readonly address: string;
  readonly city: string;
  readonly province: string;
  readonly postal: string;
  readonly country: string;
}

/** What the sign-up form holds; empty fields are '' or 0. */
export interface RegistrationForm extends ContactForm {
  readonly firstName: string;
  readonly lastName: string;
  readonly gender: string;
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

/** What a patient may change in their account. */
export interface ProfileForm extends ContactForm {
  readonly sex: string;
}

/** A field that can be marked as wrong. The birth date counts as one field, and so do missing phones. */
export type RegistrationField =
  | Exclude<keyof RegistrationForm, 'birthYear' | 'birthMonth' | 'birthDay' | 'captcha'>
  | 'birthDate'
  | 'phones'
  | 'recaptcha';
export type ProfileField = keyof ProfileForm | 'phones';

export interface ProfileProblem {
  readonly field: ProfileField;
  readonly code: 'missing' | 'invalid' | 'invalidSymbol' | 'unseen' | 'notInList' | PhoneCode;
}

export interface RegistrationProblem {
  readonly field: RegistrationField;
  /** 'tooCommon' here means the patient's own name or email; only the service has the list of common ones. */
  readonly code:
    | ProfileProblem['code']
    | 'notAscii'
    | 'doNotMatch'
    | 'tooShort'
    | 'tooLong'
    | 'tooCommon'
    | 'bcInvalid';
  /** For 'tooShort': the number shown in the text. */
  readonly minimum?: number;
}

/** Whether the form asks for a health card. */
export function asksForCard(form: Pick<RegistrationForm, 'country'>): boolean {
  return form.country.trim() === CANADA;
}

/** The card that a form states; 'Other' with no number for a patient outside Canada.. */
export function cardOf(
  form: Pick<RegistrationForm, 'country' | 'healthCardProvince' | 'healthCardNumber'>,
): { readonly province: Province; readonly number: string } {
  const { healthCardProvince: province } = form;
  if (!asksForCard(form) || !isProvince(province)) return { province: 'Other', number: '' };
  return { province, number: normaliseCardNumber(province, form.healthCardNumber) };
}

const wrongIf = <const F, const C>(isWrong: boolean, field: F, code: C) =>
  isWrong ? [{ field, code }] : [];

function firstOfField<P extends { readonly field: string }>(problems: readonly P[]): P[] {
  const seen = new Set<string>();
  return problems.filter(({ field }) => !seen.has(field) && seen.add(field));
}

const isOneOf = (list: readonly string[], text: string) => list.includes(text);
const isCountry = ({ country }: ContactForm) => isCountryName(country.trim());

const wrongSymbols = <const F extends string>(
  form: Readonly<Record<F, string>>,
  fields: readonly F[],
) =>
  fields.flatMap((field) => {
    const code = wrongSymbolIn(form[field]);
    return code === null ? [] : [{ field, code }];
  });

const PLACES = ['address', 'city', 'postal', 'country'] as const;

/**
 * Everything wrong with an account form, one problem a field. `kept` is the saved account: where somebody
 * lives and their phone numbers may stay whatever they are, until they are changed..
 */
export function whyProfileRefused(
  form: ProfileForm,
  kept: Pick<ProfileForm, (typeof PLACES)[number] | keyof Phones>,
  whyPhone = whyPhoneRefused,
): ProfileProblem[] {
  const required = ['address', 'city', 'postal', 'country', 'sex'] as const;
  // §5 Sign-up, R-62: the account allows no symbols where sign-up allowed none.
  const isChanged = (field: (typeof PLACES)[number]) => form[field] !== kept[field];
  const noSymbols = (['city', 'postal', 'country'] as const).filter(isChanged);
  return firstOfField<ProfileProblem>([
    ...required.flatMap((field) => wrongIf(isBlank(form[field]), field, 'missing')),
    ...wrongSymbols(form, noSymbols),
    ...wrongIf(isChanged('address') && hasUnseen(form.address), 'address', 'unseen'),
    ...wrongIf(!isProvince(form.province), 'province', 'notInList'),
    ...wrongIf(!isCountry(form) && isChanged('country'), 'country', 'notInList'),
    ...wrongIf(!isOneOf(ACCOUNT_GENDERS, form.sex), 'sex', 'notInList'),
    ...whyPhonesRefused(form, kept, whyPhone),
  ]);
}

const NAMES = ['firstName', 'lastName', 'gender'] as const;
const PLACE = ['city', 'province', 'postal', 'country'] as const;
const LOGIN = ['email', 'emailConfirm', 'password', 'passwordConfirm'] as const;
/** In the order of the form. */
const REQUIRED = [...NAMES, 'address', ...PLACE, ...LOGIN] as const;
/** §5: every field except password, address, email and pharmacy. */
const NO_SYMBOLS = [...NAMES, ...PLACE, 'healthCardProvince', 'healthCardNumber'] as const;

/** Everything wrong with a sign-up form, one problem a field, in order. */
export function whyRegistrationRefused(
  form: RegistrationForm,
  today: ClinicDate,
  whyPhone = whyPhoneRefused,
): RegistrationProblem[] {
  const wrongEmail = whyEmailRefused(form.email);
  const confirmed = normaliseEmail(form.emailConfirm);
  // Passwords count as typed, the other fields when something of them can be seen.
  const isEmpty = (field: (typeof REQUIRED)[number]) =>
    field.startsWith('password') ? form[field] === '' : isBlank(form[field]);
  return firstOfField<RegistrationProblem>([
    ...REQUIRED.flatMap((field) => wrongIf(isEmpty(field), field, 'missing')),
    ...wrongSymbols(form, NO_SYMBOLS),
    ...wrongIf(hasUnseen(form.address), 'address', 'unseen'),
    ...wrongIf(!isOneOf(SIGN_UP_GENDERS, form.gender), 'gender', 'notInList'),
    ...wrongIf(!isProvince(form.province), 'province', 'notInList'),
    ...wrongIf(!isCountry(form), 'country', 'notInList'),
    ...(wrongEmail === null ? [] : [{ field: 'email', code: wrongEmail } as const]),
    ...wrongIf(normaliseEmail(form.email) !== confirmed, 'emailConfirm', 'doNotMatch'),
    ...passwordProblems(form),
    ...wrongIf(form.password !== form.passwordConfirm, 'passwordConfirm', 'doNotMatch'),
    ...(asksForCard(form) ? cardProblems(form) : []),
    ...birthProblems(form, today),
    ...whyPhonesRefused(form, {}, whyPhone),
    ...wrongIf(!form.consent, 'consent', 'missing'),
    ...wrongIf(!form.captcha, 'recaptcha', 'missing'),
  ]);
}

function passwordProblems(form: RegistrationForm): RegistrationProblem[] {
  const field = 'password';
  const code = whyPasswordRefused(form.password);
  if (code === 'empty') return [{ field, code: 'missing' }];
  if (code === null) return wrongIf(isOwnNameOrEmail(form.password, form), field, 'tooCommon');
  return [{ field, code, ...(code === 'tooShort' ? { minimum: PASSWORD_MINIMUM } : {}) }];
}

function cardProblems(form: RegistrationForm): RegistrationProblem[] {
  const { healthCardProvince: province } = form;
  if (province.trim() === '') return [{ field: 'healthCardProvince', code: 'missing' }];
  if (!isProvince(province)) return [{ field: 'healthCardProvince', code: 'notInList' }];
  const number = normaliseCardNumber(province, form.healthCardNumber);
  const confirmed = normaliseCardNumber(province, form.healthCardNumberConfirm);
  return [
    ...cardNumberProblems(province, number),
    ...wrongIf(number !== confirmed, 'healthCardNumberConfirm', 'doNotMatch'),
  ];
}

/** What is wrong with a normalised card number. */
export function cardNumberProblems(province: Province, number: string): RegistrationProblem[] {
  const field = 'healthCardNumber';
  const code = whyCardRefused(province, number);
  if (code === null) return [];
  if (code === 'empty') return [{ field, code: 'missing' }];
  return [{ field, code, ...(code === 'tooShort' ? { minimum: CARD_NUMBER_MINIMUM } : {}) }];
}

function birthProblems(form: RegistrationForm, today: ClinicDate): RegistrationProblem[] {
  const { birthYear, birthMonth, birthDay } = form;
  if (!birthYear || !birthMonth || !birthDay) return [{ field: 'birthDate', code: 'missing' }];
  const date = calendarDate(birthYear, birthMonth, birthDay);
  return wrongIf(date === null || !isBirthDate(date, today), 'birthDate', 'invalid');
}
