import { CANADA, joinPhone, NO_DATE, type PhoneParts, type RegistrationForm } from '@clinic/domain';
import type { CallInput } from '@clinic/contract';

const NO_PHONE: PhoneParts = ['', '', ''];

/** The form before anything is typed, in the order of its fields. */
export const EMPTY_SIGN_UP = {
  firstName: '',
  lastName: '',
  gender: '',
  birthDate: NO_DATE,
  country: CANADA as string,
  address: '',
  city: '',
  province: '',
  postal: '',
  mobilePhone: NO_PHONE,
  phone: NO_PHONE,
  internationalPhone: '',
  email: '',
  emailConfirm: '',
  password: '',
  passwordConfirm: '',
  healthCardProvince: '',
  healthCardNumber: '',
  healthCardNumberConfirm: '',
  preferredPharmacy: null as string | null,
  consent: false,
};

/** The form as typed. */
export type SignUp = Readonly<typeof EMPTY_SIGN_UP>;

/** Converts the typed form to the one that the domain's rules check. */
export function formOf(typed: SignUp, captcha: boolean): RegistrationForm {
  const { birthDate, mobilePhone, phone, preferredPharmacy: _pharmacy, ...rest } = typed;
  return {
    ...rest,
    mobilePhone: phoneOf(mobilePhone),
    phone: phoneOf(phone),
    birthYear: birthDate.year,
    birthMonth: birthDate.month,
    birthDay: birthDate.day,
    captcha,
  };
}

/** The number from its parts; what makes no number goes as it stands in them, for the rules to refuse. */
function phoneOf(parts: PhoneParts): string {
  return joinPhone(parts) ?? parts.filter(Boolean).join('-');
}

/** The body of the registration call. */
export function payloadOf(
  typed: SignUp,
  recaptcha: string,
  consentVersion: string,
): CallInput<'register'>['body'] {
  const { consent, captcha: _captcha, ...form } = formOf(typed, true);
  return {
    ...form,
    preferredPharmacy: typed.preferredPharmacy,
    consent: { given: consent, version: consentVersion },
    recaptcha,
  };
}
