import { errorOfField, fieldErrorsOf, isRefused, messageOf } from '@clinic/app/api-error';
import type { FoundError } from '@clinic/app/form';
import { registrationText } from '@clinic/contract/identity-texts';
import type { ClinicConfig } from '@clinic/contract';
import { currentAgreement } from '@clinic/contract/agreements';
import { whyRegistrationRefused, type ClinicDate, type RegistrationField } from '@clinic/domain';
import { locale, t } from '../../messages/t.ts';
import { request } from '../../api/service.ts';
import { EMPTY_SIGN_UP, formOf, payloadOf, type SignUp } from './sign-up-draft.ts';

type FoundInForm = FoundError<keyof SignUp | 'phones' | 'recaptcha'>;

/** The fields in the order of the form, which the summary follows. */
const FORM_ORDER = [...(Object.keys(EMPTY_SIGN_UP) as (keyof SignUp)[]), 'recaptcha'] as const;

/** Problems that keep the form from being sent, in the order of the form. */
export function problemsOf(typed: SignUp, captcha: boolean, today: ClinicDate): FoundInForm[] {
  const place = ({ field }: { field: RegistrationField }) =>
    FORM_ORDER.indexOf(field === 'phones' ? 'mobilePhone' : field);
  return whyRegistrationRefused(formOf(typed, captcha), today)
    .toSorted((one, other) => place(one) - place(other))
    .map((problem) => ({ field: problem.field, message: registrationText(locale(), problem) }));
}

export function signUp(typed: SignUp, recaptcha: string, config: ClinicConfig | null) {
  const { version } = currentAgreement('signUp', config?.agreements);
  return request('register', { body: payloadOf(typed, recaptcha, version) });
}

/** True when the service refused the consent: the clinic may have published a new text. */
export const isConsentRefused = (error: unknown): boolean =>
  errorOfField(error, 'consent') !== undefined;

/** The service's general words, or ours, followed by its words for single fields. */
export function failuresOf(error: unknown): FoundInForm[] {
  const message = messageOf(error, t(isRefused(error) ? 'register.refused' : 'register.unknown'));
  return [
    { field: null, message },
    ...fieldErrorsOf(error).map((each) => ({ field: fieldOf(each.field), message: each.message })),
  ];
}

const fieldOf = (name: string) =>
  FORM_ORDER.find((field) => field === (name.startsWith('birth') ? 'birthDate' : name)) ?? null;
