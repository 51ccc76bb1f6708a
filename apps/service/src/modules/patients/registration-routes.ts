import { calls } from '@clinic/contract';
import { currentAgreement } from '@clinic/contract/agreements';
import { passwordText, registrationText } from '@clinic/contract/identity-texts';
import { text } from '@clinic/contract/texts';
import { normaliseEmail, toClinic, whyRegistrationRefused } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import { checkProof } from '../../server/captcha.ts';
import { isCommonPassword } from '../../security/common-passwords.ts';
import { route } from '../../server/http.ts';
import { hashPassword, passwordMatches } from '../../security/password-hash.ts';
import type { Platform } from '../../platform.ts';
import { useAll } from '../../server/rate-limit.ts';
import { type FieldProblem, invalid, refuse } from '../../server/refusal.ts';
import { enqueueAccountEmail } from './send-account-email.ts';
import { newestFormOf } from './pending-sign-ups.store.ts';
import { findPharmacy } from '../pharmacies/index.ts';
import { confirmEmail } from './confirm-email.ts';
import { register } from './register.ts';
import { formOf } from './sign-up-form.ts';

/** Sign-up and the confirmation of its address (§2, §5, R-61 to ). */
export function registerRegistration(app: FastifyInstance, platform: Platform): void {
  const { captcha, rateLimit, database, outbox, ids, config } = platform;
  const { rates, passwordCost } = config;
  const ports = {
    ...platform,
    hashPassword: (password: string) => hashPassword(password, passwordCost),
    passwordMatches,
  };

  route(app, calls.register, async ({ body, address, now }) => {
    const form = formOf(body);
    const errors: FieldProblem[] = whyRegistrationRefused(form, toClinic(now).date).map(
      (problem) => ({ field: apiField(problem.field), message: registrationText(problem) }),
    );
    if (isCommonPassword(form.password) && !errors.some(({ field }) => field === 'password'))
      errors.push({ field: 'password', message: passwordText('tooCommon') });
    if (errors.length > 0) return refuse('registrationRefused', { errors });
    const { version } = currentAgreement('signUp');
    if (body.consent && body.consent.version !== version) return invalid('consent.version');
    const pharmacyId = body.preferredPharmacy || null;
    if (pharmacyId !== null && !(await findPharmacy(database.db, pharmacyId)))
      return invalid('preferredPharmacy');
    const proven = await checkProof(captcha, body.recaptcha, now);
    if (proven !== null) return proven;
    const limited = await useAll(rateLimit, now, [
      [rates.registerPerAddress, address],
      [rates.mailsPerAccount, normaliseEmail(body.email)],
    ]);
    if (limited !== null) return limited;
    const consented = body.consent?.given === true;
    await register(ports, { form, preferredPharmacyId: pharmacyId, consented, now });
    const extras = { message: text('registered') };
    return { success: true as const, extras, data: { success: true as const, extras } };
  });

  route(app, calls.confirmEmail, async ({ body, now }) => {
    const outcome = await confirmEmail(ports, { ...body, now });
    if (outcome === 'passwordWrong') return invalid('password', 'signUpPasswordWrong');
    if (outcome !== 'confirmed') return refuse(outcome);
    return { success: true as const, extras: { message: text('emailConfirmed') } };
  });

  route(app, calls.resendConfirmation, async ({ body, address, now }) => {
    const email = normaliseEmail(body.email);
    const proven = await checkProof(captcha, body.recaptcha, now);
    if (proven !== null) return proven;
    const limited = await useAll(rateLimit, now, [
      [rates.registerPerAddress, address],
      [rates.mailsPerAccount, email],
    ]);
    if (limited !== null) return limited;
    const form = (await newestFormOf(database.db, email, now)) ?? ids.uuid();
    await database.inTransaction((tx) =>
      enqueueAccountEmail(outbox, tx, 'confirmEmail', form, now),
    );
    return { success: true as const, extras: { message: text('confirmationSent') } };
  });
}

/** The payload has no field for a birth date or for all phones: its first one stands for them. */
function apiField(field: string): string {
  if (field === 'birthDate') return 'birthDay';
  return field === 'phones' ? 'mobilePhone' : field;
}
