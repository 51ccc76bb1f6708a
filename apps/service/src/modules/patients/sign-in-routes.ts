import { calls } from '@clinic/contract';
import { text } from '@clinic/contract/texts';
import type { FastifyInstance } from 'fastify';
import { WithCookie, route } from '../../server/http.ts';
import { hashPassword, passwordMatches } from '../../security/password-hash.ts';
import type { Platform } from '../../platform.ts';
import { Refusal, refuse } from '../../server/refusal.ts';
import { appointments, releaseHoldIn } from '../appointments/index.ts';
import { accountOf } from './accounts.store.ts';
import { mintLink } from './dashboard-link.ts';
import { deviceCookie, deviceOf } from './device.ts';
import { exchangeLink } from './exchange-link.ts';
import { signIn } from './sign-in.ts';

export type AuthParts = Pick<
  Platform,
  'captcha' | 'rateLimit' | 'config' | 'database' | 'sessions' | 'appendAudit' | 'keyring' | 'ids'
>;

export function registerAuth(app: FastifyInstance, parts: AuthParts): void {
  const { captcha, config, database, sessions, appendAudit, ids } = parts;
  // Made once, at the first sign-in, at the cost of a real one: absent accounts take as long.
  let nobodysHash: Promise<string> | undefined;
  const ports = {
    ...parts,
    rates: config.rates,
    findAccount: (email: string) => accountOf(database.db, email),
    async passwordMatches(password: string, stored: string | null) {
      nobodysHash ??= hashPassword(ids.token(), config.passwordCost);
      return passwordMatches(password, stored ?? (await nobodysHash));
    },
  };

  route(app, calls.captchaChallenge, ({ now }) => captcha.challenge(now));

  const knownBy = deviceCookie(config.publicUrl);
  route(app, calls.login, async ({ body, address, userAgent, cookie, now }) => {
    const { email, password, recaptcha: proof } = body;
    const device = deviceOf(userAgent);
    const deviceToken = knownBy.read(cookie);
    const request = { email, password, proof, address, device, deviceToken, now };
    const signedIn = await signIn(ports, request);
    if (signedIn instanceof Refusal) return signedIn;
    const extras = { accessToken: signedIn.token, message: text('signedIn') };
    return new WithCookie({ success: true as const, extras }, knownBy.set(signedIn.deviceToken));
  });

  route(app, calls.mintDashboardLink, async ({ body, headers, rawJson, now }) => {
    const minted = await mintLink(ports, {
      email: body.email,
      // The address has a second segment always; R-68 ignores what is neither I nor D.
      selectedAppType: body.selectedAppType ?? 'Z',
      rawJson,
      time: headers['x-dashboard-time'],
      signature: headers['x-dashboard-signature'],
      now,
    });
    if (minted.kind === 'refused') return refuse(minted.code);
    const { url, expiresAt } = minted;
    return { success: true as const, extras: { url, expiresAt } };
  });

  app.callHost.exchangeLink = (link) => exchangeLink(ports, link);

  route(app, calls.logout, async ({ patient, query, now }) => {
    const actor = `patient:${patient.id}`;
    await database.inTransaction(async (tx) => {
      if (query.hold !== 'keep')
        await releaseHoldIn({ appointments, appendAudit }, tx, patient.id, now);
      await sessions.end(tx, patient, now);
      await appendAudit(tx, { actor, action: 'signed out', subject: actor, at: now });
    });
    return { success: true as const };
  });

  // Coming through the door with a valid session was the renewal; asking in the background is not.
  route(app, calls.renewSession, async ({ patient, now }) => {
    await sessions.touch(patient, now);
    return { success: true as const };
  });
}
