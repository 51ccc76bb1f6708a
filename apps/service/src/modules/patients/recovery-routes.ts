import { calls } from '@clinic/contract';
import { passwordText } from '@clinic/contract/identity-texts';
import { text } from '@clinic/contract/texts';
import { normaliseEmail, whyPasswordRefused } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import { checkProof } from '../../server/captcha.ts';
import { isCommonPassword } from '../../security/common-passwords.ts';
import { route } from '../../server/http.ts';
import { hashPassword } from '../../security/password-hash.ts';
import type { Platform } from '../../platform.ts';
import { useAll } from '../../server/rate-limit.ts';
import { refuse } from '../../server/refusal.ts';
import { deviceCookie, knownGuesser } from './device.ts';
import { identify, resetPassword, sendResetCode } from './recover.ts';

/** §2 Password recovery: identify, mail, reset. */
export function registerRecovery(app: FastifyInstance, platform: Platform): void {
  const { captcha, rateLimit, config } = platform;
  const { rates, passwordCost } = config;
  const ports = {
    ...platform,
    hashPassword: (password: string) => hashPassword(password, passwordCost),
  };
  const knownBy = deviceCookie(config.publicUrl);

  route(app, calls.validateRecovery, async ({ body, address, cookie, now }) => {
    const proven = await checkProof(captcha, body.recaptcha, now);
    if (proven !== null) return proven;
    const refused = await identify(ports, {
      email: normaliseEmail(body.email),
      said: { ...body, hin: body.hin ?? '' },
      address,
      deviceToken: knownBy.read(cookie),
      now,
    });
    return refused ?? recovered('identityConfirmed');
  });

  // Nobody's asking uses up what the owner has: a mail counts with the check that it is sent for,
  // and a code ends after five guesses of its own.
  route(app, calls.sendResetCode, async ({ body, address, now }) => {
    const limited = await useAll(rateLimit, now, [[rates.recoveryPerAddress, address]]);
    if (limited !== null) return limited;
    await sendResetCode(ports, normaliseEmail(body.email), now);
    return recovered('resetCodeSent');
  });

  route(app, calls.resetPassword, async ({ body, address, cookie, now }) => {
    const { code, password } = body;
    const email = normaliseEmail(body.email);
    const refusePassword = (why: Parameters<typeof passwordText>[0]) =>
      refuse('invalidInput', { errors: [{ field: 'password', message: passwordText(why) }] });
    const why = whyPasswordRefused(password);
    if (why !== null) return refusePassword(why);
    if (isCommonPassword(password)) return refusePassword('tooCommon');
    const limited = await useAll(rateLimit, now, [[rates.recoveryPerAddress, address]]);
    if (limited !== null) return limited;
    const done = await resetPassword(ports, { email, code, password, now });
    if (done === 'refused') return refuse('resetRefused');
    if (done === 'tooCommon') return refusePassword('tooCommon');
    // Whoever has the mailbox and a new password is let in; the guesses were at the old one.
    await rateLimit.forgive(rates.loginPerAccount, email);
    const device = knownBy.read(cookie);
    if (device !== null)
      await rateLimit.forgive(rates.loginPerAccount, knownGuesser(email, device));
    return recovered('passwordReset');
  });
}

function recovered(code: 'identityConfirmed' | 'resetCodeSent' | 'passwordReset') {
  return { success: true as const, status: true as const, extras: { message: text(code) } };
}
