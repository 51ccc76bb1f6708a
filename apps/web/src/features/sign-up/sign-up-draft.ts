import {
  CANADA,
  joinPhone,
  NO_DATE,
  type DateParts,
  type PhoneParts,
  type RegistrationForm,
} from '@clinic/domain';
import type { CallInput } from '@clinic/contract';

/** The form as typed. */
export interface SignUp {
  readonly firstName: string;
  readonly lastName: string;
  readonly gender: string;
  readonly birthDate: DateParts;
  readonly address: string;
  readonly city: string;
  readonly province: string;
  readonly postal: string;
  readonly country: string;
  readonly mobilePhone: PhoneParts;
  readonly phone: PhoneParts;
  readonly internationalPhone: string;
  readonly email: string;
  readonly emailConfirm: string;
  readonly password: string;
  readonly passwordConfirm: string;
  readonly healthCardProvince: string;
  readonly healthCardNumber: string;
  readonly healthCardNumberConfirm: string;
  readonly preferredPharmacy: string | null;
  readonly consent: boolean;
}

const NO_PHONE: PhoneParts = ['', '', ''];

export const EMPTY_SIGN_UP: SignUp = {
  firstName: '',
  lastName: '',
  gender: '',
  birthDate: NO_DATE,
  address: '',
  city: '',
  province: '',
  postal: '',
  country: CANADA,
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
  preferredPharmacy: null,
  consent: false,
};

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
