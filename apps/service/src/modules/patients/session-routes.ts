import { calls } from '@clinic/contract';
import { passwordText } from '@clinic/contract/identity-texts';
import { text } from '@clinic/contract/texts';
import { isOwnNameOrEmail, whyPasswordRefused } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import { isCommonPassword } from '../../security/common-passwords.ts';
import { route } from '../../server/http.ts';
import { hashPassword, passwordMatches } from '../../security/password-hash.ts';
import type { Platform } from '../../platform.ts';
import { useAll } from '../../server/rate-limit.ts';
import { invalid, refuse } from '../../server/refusal.ts';
import { enqueueAccountEmail } from './send-account-email.ts';
import { patientOf } from './patients.store.ts';
import { changePasswordHash, passwordHashOf } from './profile.store.ts';

export type SessionParts = Pick<
  Platform,
  'database' | 'sessions' | 'rateLimit' | 'appendAudit' | 'outbox' | 'config'
>;

/** Where the patient is signed in, and the password that opens it (ASVS 6.2, 7.5; ours). */
export function registerSessions(app: FastifyInstance, parts: SessionParts): void {
  const { database, sessions, rateLimit, appendAudit, outbox, config } = parts;

  route(app, calls.listSessions, async ({ patient, now }) => ({
    success: true as const,
    extras: { sessions: [...(await sessions.list(patient, now))] },
  }));

  route(app, calls.endSessions, async ({ patient, now }) => {
    const actor = `patient:${patient.id}`;
    await database.inTransaction(async (tx) => {
      await sessions.endAll(tx, patient.id, now);
      await appendAudit(tx, { actor, action: 'signed out everywhere', subject: actor, at: now });
    });
    return { success: true as const };
  });

  route(app, calls.changePassword, async ({ body, patient, now }) => {
    const { newPassword } = body;
    const isTooCommon = async () =>
      isCommonPassword(newPassword) ||
      isOwnNameOrEmail(newPassword, await patientOf(database.db, patient.id));
    const why = whyPasswordRefused(newPassword) ?? ((await isTooCommon()) ? 'tooCommon' : null);
    if (why !== null) {
      const errors = [{ field: 'newPassword', message: passwordText(why) }];
      return refuse('invalidInput', { errors });
    }
    const rule = config.rates.loginPerAccount;
    // Apart from guesses at the sign-in: strangers keep nobody from a new password.
    const subject = `patient:${patient.id}`;
    const limited = await useAll(rateLimit, now, [[rule, subject]]);
    if (limited !== null) return limited;
    const stored = await passwordHashOf(database.db, patient.id);
    if (!(await passwordMatches(body.currentPassword, stored)))
      return invalid('currentPassword', 'passwordWrong');
    await rateLimit.giveBack(rule, subject, now);
    const hash = { from: stored, to: await hashPassword(newPassword, config.passwordCost) };
    const actor = `patient:${patient.id}`;
    const isChanged = await database.inTransaction(async (tx) => {
      if (!(await changePasswordHash(tx, patient.id, hash))) return false;
      await sessions.endAll(tx, patient.id, now, patient);
      await appendAudit(tx, { actor, action: 'password changed', subject: actor, at: now });
      await enqueueAccountEmail(outbox, tx, 'passwordChanged', patient.id, now);
      return true;
    });
    if (!isChanged) return invalid('currentPassword', 'passwordWrong');
    return { success: true as const, extras: { message: text('passwordChanged') } };
  });
}
