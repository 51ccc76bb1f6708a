import { isRefused, messageOf } from '@clinic/app/api-error';
import type { FoundError } from '@clinic/app/form';
import { passwordText } from '@clinic/contract/identity-texts';
import { NO_DATE, whyPasswordRefused } from '@clinic/domain';
import { locale, t } from '../../messages/t.ts';
import { request } from '../../api/service.ts';

/** Input of IDENTIFY before anything is typed; the card number is optional. */
export const NOBODY = { email: '', birthDate: NO_DATE, card: '' };
export type Identity = Readonly<typeof NOBODY>;

export const NO_PASSWORD = { code: '', password: '', confirm: '' };
export type NewPassword = Readonly<typeof NO_PASSWORD>;

export function missingOf({ email, birthDate }: Identity, captcha: boolean, clinicEmail: string) {
  const missing: FoundError<'email' | 'birthDate' | 'recaptcha'>[] = [];
  if (email.trim() === '') missing.push({ field: 'email', message: t('recovery.emailMissing') });
  if (!birthDate.day || !birthDate.month || !birthDate.year) {
    const message = t('recovery.birthDateMissing', { email: clinicEmail });
    missing.push({ field: 'birthDate', message });
  }
  if (!captcha) missing.push({ field: 'recaptcha', message: t('recovery.captchaMissing') });
  return missing;
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
export const whyFailed = (error: unknown, refused: Words, failed: Words): string =>
  messageOf(error, t(`recovery.${isRefused(error) ? refused : failed}`));
