import type {
  ProfileField,
  ProfileProblem,
  RegistrationField,
  RegistrationProblem,
} from '@clinic/domain';

/**
 * What the forms of sign-up, recovery and account say to a field, in the browser and from the
 * server alike: texts of the specification letter for letter.
 */
export const identityTexts = {
  missing: '{field} is required',
  invalidSymbol: 'Invalid symbol detected in {field} field',
  doNotMatch: '{field} and Confirm {field} do not match',
  tooShort: 'The length of {field} must be greater than {n}',
  tooLong: '{field} is too long',
  notInList: 'Please choose one of the listed values for {field}',
  invalid: '{field} is not valid',
  phonesMissing:
    'Either Mobile Phone, Home Phone or International Phone is required for registration.',
  mobilePhoneInvalid: 'The Mobile Phone Number you entered is invalid',
  homePhoneInvalid: 'The Home Phone Number you entered is invalid.',
  internationalPhoneInvalid: 'The International Phone Number you entered is invalid.',
  bcInvalid: 'The BC healthcard number is invalid.',
  consentMissing: 'Please mark checkbox below to continue.',
  captchaMissing: 'Please validate you are not a bot.',

  passwordEmpty: 'Password input cannot be empty',
  passwordTooShort: 'The length of password must be greater than 8',
  tooCommon: 'This password is too common. Please choose another.',
  passwordTooLong: 'The length of password must not be greater than 128',

  profileMissing: 'Highlighted input field cannot be empty',
  profileProvince: 'Please choose a Province from the drop down menu',
} as const;

/** What a field is called in the form and in the texts about it. */
export const fieldLabels: Readonly<Record<RegistrationField | ProfileField, string>> = {
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
};

type Problem = Pick<RegistrationProblem | ProfileProblem, 'field' | 'code'> & {
  readonly minimum?: number;
};

const ownTexts: Readonly<Partial<Record<`${Problem['field']} ${Problem['code']}`, string>>> = {
  'emailConfirm missing': 'Confirm Email is required',
  'passwordConfirm missing': 'Confirm Password is required',
  'phones missing': identityTexts.phonesMissing,
  'mobilePhone invalid': identityTexts.mobilePhoneInvalid,
  'phone invalid': identityTexts.homePhoneInvalid,
  'internationalPhone invalid': identityTexts.internationalPhoneInvalid,
  'consent missing': identityTexts.consentMissing,
  'recaptcha missing': identityTexts.captchaMissing,
};

/** What the sign-up form says to a field. */
export function registrationText(problem: RegistrationProblem): string {
  return textOf(problem);
}

/** What the account form says to a field. */
export function profileText(problem: ProfileProblem): string {
  const { field, code } = problem;
  if (field === 'province' && code === 'notInList') return identityTexts.profileProvince;
  if (code === 'missing' && field !== 'phones') return identityTexts.profileMissing;
  return textOf(problem);
}

/** What a new password is refused with. */
export function passwordText(code: 'empty' | 'tooShort' | 'tooLong' | 'tooCommon'): string {
  if (code === 'tooCommon') return identityTexts.tooCommon;
  if (code === 'empty') return identityTexts.passwordEmpty;
  return code === 'tooShort' ? identityTexts.passwordTooShort : identityTexts.passwordTooLong;
}

function textOf({ field, code, minimum }: Problem): string {
  return (ownTexts[`${field} ${code}`] ?? identityTexts[code])
    .replaceAll('{field}', fieldLabels[field])
    .replaceAll('{n}', String(minimum ?? ''));
}
