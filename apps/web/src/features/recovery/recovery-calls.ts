import { passwordText } from '@clinic/contract/identity-texts';
import { whyPasswordRefused, type DateParts } from '@clinic/domain';
import { locale, t } from '../../messages/t.ts';
import { ApiError, messageOf } from '@clinic/app/api-error';
import { request } from '../../api/service.ts';
import type { FoundError } from '../../shared/forms/form-errors.ts';

/** Input of IDENTIFY; the card number is optional. */
export interface Identity {
  readonly email: string;
  readonly birthDate: DateParts;
  readonly card: string;
}

export interface NewPassword {
  readonly code: string;
  readonly password: string;
  readonly confirm: string;
}

export function missingOf(
  { email, birthDate }: Identity,
  captcha: boolean,
  clinicEmail: string,
): FoundError<'email' | 'birthDate' | 'recaptcha'>[] {
  const isWhole = birthDate.day && birthDate.month && birthDate.year;
  return [
    ...(email.trim() === ''
      ? [{ field: 'email', message: t('recovery.emailMissing') } as const]
      : []),
    ...(isWhole
      ? []
      : [
          {
            field: 'birthDate',
            message: t('recovery.birthDateMissing', { email: clinicEmail }),
          } as const,
        ]),
    ...(captcha ? [] : [{ field: 'recaptcha', message: t('recovery.captchaMissing') } as const]),
  ];
}

/** Identifies the patient and returns the email address to which a code may now be sent. Throws a refusal. */
export async function identify(
  { email: typed, birthDate, card }: Identity,
  recaptcha: string,
): Promise<string> {
  // The service knows its domain in Unicode and in ASCII.
  const email = typed.trim().toLowerCase();
  await request('validateRecovery', {
    body: {
      email,
      birthDay: birthDate.day,
      birthMonth: birthDate.month,
      birthYear: birthDate.year,
      hin: card === '' ? null : card,
      recaptcha,
    },
  });
  return email;
}

export function wrongInReset({ code, password, confirm }: NewPassword) {
  const wrong: FoundError<keyof NewPassword>[] = [];
  if (code.trim() === '') wrong.push({ field: 'code', message: t('recovery.codeMissing') });
  const refused = whyPasswordRefused(password);
  if (refused !== null) wrong.push({ field: 'password', message: passwordText(locale(), refused) });
  if (password !== confirm) wrong.push({ field: 'confirm', message: t('recovery.doNotMatch') });
  return wrong;
}

export const resetWith = (email: string, { code, password }: NewPassword) =>
  request('resetPassword', { body: { email, code: code.trim(), password } });

type Words =
  'notValidated' | 'serverError' | 'emailRefused' | 'emailFailed' | 'resetRefused' | 'resetFailed';

/** The service's words, or ours: `refused` for a refusal, `failed` for no answer or a failure. */
export function failureOf(error: unknown, refused: Words, failed: Words): FoundError<never> {
  const isRefusal = error instanceof ApiError && !error.unreachable && error.status < 500;
  return { field: null, message: messageOf(error, t(`recovery.${isRefusal ? refused : failed}`)) };
}

/**
 * Problems with the code or the new password, shown at the field that the service names, if any.
 */
export function wrongByService(error: unknown): FoundError<keyof NewPassword>[] {
  const named = error instanceof ApiError ? error.fieldErrors : [];
  const atFields = named.flatMap(({ field, message }) =>
    field === 'password' || field === 'code' ? [{ field, message } as const] : [],
  );
  return atFields.length > 0 ? atFields : [failureOf(error, 'resetRefused', 'resetFailed')];
}
