import type { ProfileProblem, RegistrationProblem } from '@clinic/domain';
import { type Locale, addPart, translate } from '@clinic/texts';

/** The names of fields in the sign-up and account forms, and in messages about them. */
export const fieldLabels = {
  firstName: 'First Name',
  lastName: 'Last Name',
  gender: 'Gender',
  sex: 'Gender',
  address: 'Address',
  city: 'City',
  province: 'Province',
  postal: 'Postal Code',
  country: 'Country',
  phones: 'Phone',
  mobilePhone: 'Mobile Phone',
  phone: 'Home Phone',
  internationalPhone: 'International Phone',
  email: 'Email',
  emailConfirm: 'Email',
  password: 'Password',
  passwordConfirm: 'Password',
  healthCardProvince: 'Health Card Province',
  healthCardNumber: 'Health Card Number',
  healthCardNumberConfirm: 'Health Card Number',
  birthDate: 'Date of Birth',
  consent: 'Consent',
  recaptcha: 'Captcha',
  name: 'Name',
  title: 'Title',
  other: 'This field',
} as const;

type Problem = RegistrationProblem | (ProfileProblem & { readonly minimum?: undefined });

/**
 * The forms' messages about fields, used by browser and server alike. Those of the specification are
 * letter for letter.
 */
export const problems = {
  missing: '{field} is required',
  invalidSymbol: 'Invalid symbol detected in {field} field',
  unseen:
    '{field} contains a character that cannot be seen. Please type it again instead of pasting it.',
  doNotMatch: '{field} and Confirm {field} do not match',
  tooShort: 'The length of {field} must be greater than {n}',
  tooLong: '{field} is too long',
  notInList: 'Please choose one of the listed values for {field}',
  invalid: '{field} is not valid',
  notAscii:
    'We cannot send email to an address with accented or non-Latin letters before the @. Please enter another address.',
  bcInvalid: 'The BC healthcard number is invalid.',
  abroad:
    'The {field} you entered is not a number of Canada or the United States. Please enter it under International Phone.',
  extension: 'Please enter one number under {field}, without an extension or other words.',
  countryCode:
    'Please begin the {field} with + and the country code, such as +44 for the United Kingdom.',
  tooCommon: 'This password is too common. Please choose another.',

  // These replace the general message, each for one field.
  'emailConfirm missing': 'Confirm Email is required',
  'passwordConfirm missing': 'Confirm Password is required',
  'phones missing':
    'Either Mobile Phone, Home Phone or International Phone is required for registration.',
  'mobilePhone invalid': 'The Mobile Phone Number you entered is invalid',
  'phone invalid': 'The Home Phone Number you entered is invalid.',
  'internationalPhone invalid': 'The International Phone Number you entered is invalid.',
  'healthCardNumber invalid':
    'A card of this province has digits only. Please check the Health Card Number.',
  'consent missing': 'Please mark checkbox below to continue.',
  'recaptcha missing': 'Please validate you are not a bot.',

  // The account form has these messages instead.
  provinceNotChosen: 'Please choose a Province from the drop down menu',
  fieldEmpty: 'Highlighted input field cannot be empty',
  onePhone: 'Please enter at least one phone number.',

  // a new password
  passwordEmpty: 'Password input cannot be empty',
  passwordTooShort: 'The length of password must be greater than 8',
  passwordTooLong: 'The length of password must not be greater than 128',
} as const satisfies Readonly<Record<Problem['code'], string>> & Readonly<Record<string, string>>;

addPart('field', fieldLabels, 'field.');
addPart('problem', problems, 'problem.');

export const fieldLabel = (locale: Locale, field: keyof typeof fieldLabels): string =>
  translate(locale, `field.${field}`);

const problemText = (
  locale: Locale,
  code: keyof typeof problems,
  values?: Readonly<Record<string, string | number | undefined>>,
): string => translate(locale, `problem.${code}`, values);

/** The sign-up form's message about a field. */
export function registrationText(locale: Locale, { field, code, minimum }: Problem): string {
  const own = `${field} ${code}`;
  return problemText(locale, own in problems ? (own as keyof typeof problems) : code, {
    field: fieldLabel(locale, field),
    n: minimum,
  });
}

/** The account form's message about a field. */
export function profileText(locale: Locale, problem: ProfileProblem): string {
  const { field, code } = problem;
  if (field === 'province' && code === 'notInList') return problemText(locale, 'provinceNotChosen');
  if (field === 'phones') return problemText(locale, 'onePhone');
  if (code === 'missing') return problemText(locale, 'fieldEmpty');
  return registrationText(locale, problem);
}

/** What the contract itself finds wrong with a name, an email or a line. */
export type InputProblem = 'missing' | 'unseen' | 'invalidSymbol' | 'notAscii' | 'invalid';

/** The message about a field of any call; `path` is its name there, such as 'eMedProfile.firstName'. */
export function inputText(locale: Locale, path: string, code: InputProblem): string {
  const name = path.split('.').at(-1) ?? '';
  const field = fieldLabel(
    locale,
    Object.hasOwn(fieldLabels, name) ? (name as keyof typeof fieldLabels) : 'other',
  );
  return problemText(locale, code, { field });
}

const passwordProblems = {
  empty: 'passwordEmpty',
  tooShort: 'passwordTooShort',
  tooLong: 'passwordTooLong',
  tooCommon: 'tooCommon',
} as const;

/** Why a new password is refused, in words. */
export const passwordText = (locale: Locale, code: keyof typeof passwordProblems): string =>
  problemText(locale, passwordProblems[code]);
