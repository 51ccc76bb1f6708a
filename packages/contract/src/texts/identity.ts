import type { ProfileProblem, RegistrationProblem } from '@clinic/domain';
import { fill } from './fill.ts';

/** What a field is called in the forms of sign-up and account, and in the texts about it. */
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
} as const;

type Problem = RegistrationProblem | (ProfileProblem & { readonly minimum?: undefined });

/**
 * What the forms say to a field, in the browser and from the server alike: texts of the
 * specification letter for letter.
 */
const texts: Readonly<Record<Problem['code'], string>> = {
  missing: '{field} is required',
  invalidSymbol: 'Invalid symbol detected in {field} field',
  doNotMatch: '{field} and Confirm {field} do not match',
  tooShort: 'The length of {field} must be greater than {n}',
  tooLong: '{field} is too long',
  notInList: 'Please choose one of the listed values for {field}',
  invalid: '{field} is not valid',
  bcInvalid: 'The BC healthcard number is invalid.',
  tooCommon: 'This password is too common. Please choose another.',
};

/** In place of these. */
const ownTexts: Readonly<Partial<Record<`${Problem['field']} ${Problem['code']}`, string>>> = {
  'emailConfirm missing': 'Confirm Email is required',
  'passwordConfirm missing': 'Confirm Password is required',
  'phones missing':
    'Either Mobile Phone, Home Phone or International Phone is required for registration.',
  'mobilePhone invalid': 'The Mobile Phone Number you entered is invalid',
  'phone invalid': 'The Home Phone Number you entered is invalid.',
  'internationalPhone invalid': 'The International Phone Number you entered is invalid.',
  'consent missing': 'Please mark checkbox below to continue.',
  'recaptcha missing': 'Please validate you are not a bot.',
};

/** What the sign-up form says to a field. */
export function registrationText({ field, code, minimum }: Problem): string {
  const said = ownTexts[`${field} ${code}`] ?? texts[code];
  return fill(said, { field: fieldLabels[field], n: minimum });
}

/** What the account form says to a field. */
export function profileText(problem: ProfileProblem): string {
  const { field, code } = problem;
  if (field === 'province' && code === 'notInList')
    return 'Please choose a Province from the drop down menu';
  if (code === 'missing' && field !== 'phones') return 'Highlighted input field cannot be empty';
  return registrationText(problem);
}

const passwordTexts = {
  empty: 'Password input cannot be empty',
  tooShort: 'The length of password must be greater than 8',
  tooLong: 'The length of password must not be greater than 128',
  tooCommon: texts.tooCommon,
} as const;

/** What a new password is refused with. */
export const passwordText = (code: keyof typeof passwordTexts): string => passwordTexts[code];
