import { calls } from '@clinic/contract';
import { passwordText } from '@clinic/contract/identity-texts';
import { text } from '@clinic/contract/texts';
import { normaliseEmail, whyPasswordRefused } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import { checkProof } from '../../platform/check-proof.ts';
import { route } from '../../platform/http.ts';
import { hashPassword } from '../../platform/password-hash.ts';
import type { Platform } from '../../platform/platform.ts';
import { useAll } from '../../platform/rate-limit.ts';
import { refuse } from '../../platform/refusal.ts';
import { identify, resetPassword, sendResetCode } from './recover.ts';

/** §2 Password recovery: identify, mail, reset. */
export function registerRecovery(app: FastifyInstance, platform: Platform): void {
  const { captcha, rateLimit, config } = platform;
  const { rates, passwordCost } = config;
  const ports = {
    ...platform,
    hashPassword: (password: string) => hashPassword(password, passwordCost),
  };
  /**
   * Counted before it is tried, so that parallel guesses count too (S-5). An address that is over its
   * limit uses up no account's.
   */
  const useTries = (email: string, address: string, now: number) =>
    useAll(rateLimit, now, [
      [rates.recoveryPerAddress, address],
      [rates.recoveryPerAccount, email],
    ]);

  route(app, calls.validateRecovery, async ({ body, address, now }) => {
    const email = normaliseEmail(body.email);
    const proven = await checkProof(captcha, body.recaptcha, now);
    if (proven !== null) return proven;
    const limited = await useTries(email, address, now);
    if (limited !== null) return limited;
    if (!(await identify(ports, email, { ...body, hin: body.hin ?? '' }, now)))
      return refuse('recoveryRefused');
    return recovered('identityConfirmed');
  });

  route(app, calls.sendResetCode, async ({ body, address, now }) => {
    const email = normaliseEmail(body.email);
    const limited = await useAll(rateLimit, now, [
      [rates.recoveryPerAddress, address],
      [rates.mailsPerAccount, email],
    ]);
    if (limited !== null) return limited;
    await sendResetCode(ports, email, now);
    return recovered('resetCodeSent');
  });

  route(app, calls.resetPassword, async ({ body, address, now }) => {
    const { code, password } = body;
    const why = whyPasswordRefused(password);
    if (why !== null)
      return refuse('invalidInput', {
        errors: [{ field: 'password', message: passwordText(why) }],
      });
    const email = normaliseEmail(body.email);
    const limited = await useTries(email, address, now);
    if (limited !== null) return limited;
    if ((await resetPassword(ports, { email, code, password, now })) === 'refused')
      return refuse('resetRefused');
    // Whoever has the mailbox and a new password is let in; the guesses were at the old one.
    await rateLimit.forgive(rates.loginPerAccount, email);
    return recovered('passwordReset');
  });
}

function recovered(code: 'identityConfirmed' | 'resetCodeSent' | 'passwordReset') {
  return { success: true as const, status: true as const, extras: { message: text(code) } };
}
