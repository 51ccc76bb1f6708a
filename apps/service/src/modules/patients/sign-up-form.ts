import type { CallInput } from '@clinic/contract';
import { type RegistrationForm, digitsOf } from '@clinic/domain';

/** The payload as the form that the rules know. A client that knows no consent asked for it. */
export function formOf(body: CallInput<'register'>['body']): RegistrationForm {
  return {
    ...body,
    phone: phoneOf(body.phone),
    mobilePhone: phoneOf(body.mobilePhone),
    internationalPhone: body.internationalPhone?.trim() ?? '',
    healthCardProvince: body.healthCardProvince ?? '',
    healthCardNumber: body.healthCardNumber ?? '',
    healthCardNumberConfirm: body.healthCardNumberConfirm ?? '',
    consent: body.consent?.given ?? true,
    captcha: body.recaptcha !== '',
  };
}

/** Recombined parts may come with dashes; whatever is no digit but a dash stays and is refused. */
function phoneOf(typed: string | null | undefined): string {
  const trimmed = typed?.trim() ?? '';
  return /^[\d-]*$/.test(trimmed) ? digitsOf(trimmed) : trimmed;
}
