import { calls } from '@clinic/contract';
import { text } from '@clinic/contract/texts';
import { normaliseEmail } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import { hashPassword, passwordMatches } from '../../security/passwords.ts';
import { checkProof } from '../../server/captcha.ts';
import { WithCookie, route } from '../../server/http.ts';
import { Refusal, refuse } from '../../server/refusal.ts';
import { appointments, releaseHoldIn } from '../appointments/index.ts';
import { countGuess, deviceCookie, deviceOf } from './device.ts';
import { type Account, findAccount, isPasswordStill, keepDevice } from './store.ts';

/** Signing in and out, and the sign of life that keeps a session. */
export function registerSignIn(app: FastifyInstance, platform: Platform): void {
  const { captcha, config, database, sessions, appendAudit, ids } = platform;
  // Made once, at the first sign-in, at the cost of a real one: absent accounts take as long.
  let nobodysHash: Promise<string> | undefined;
  const ports: SignInPorts = {
    ...platform,
    async passwordMatches(password, stored) {
      nobodysHash ??= hashPassword(ids.token(), config.passwordCost);
      return passwordMatches(password, stored ?? (await nobodysHash));
    },
  };
  const knownBy = deviceCookie(config.publicUrl);

  route(app, calls.captchaChallenge, ({ now }) => captcha.challenge(now));

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

export interface SignInPorts extends Platform {
  /** Whether the password fits; takes as long when there is no account (null). */
  readonly passwordMatches: (password: string, stored: string | null) => Promise<boolean>;
}

interface SignInRequest {
  readonly email: string;
  readonly password: string;
  readonly proof: string;
  readonly address: string;
  /** 'Chrome on Android', as far as the browser says. */
  readonly device: string;
  /** What the browser's cookie holds, once it signed in to some account; null before. */
  readonly deviceToken: string | null;
  readonly now: number;
}

/**
 * Nothing that an outsider can see differs between an absent account and a wrong password: what
 * is wrong with an account is only said to whoever knows its password.
 */
export async function signIn(
  ports: SignInPorts,
  { email: typed, password, proof, address, device, deviceToken, now }: SignInRequest,
): Promise<{ readonly token: string; readonly deviceToken: string } | Refusal> {
  const { database, sessions, appendAudit, ids } = ports;
  const { loginPerAccount: perAccount, loginPerAddress: perAddress } = ports.config.rates;
  const email = normaliseEmail(typed);
  const unproven = await checkProof(ports.captcha, proof, now);
  if (unproven !== null) return unproven;

  const account = await findAccount(database.db, { email });
  const guess = { email, patientId: account?.id ?? null, address, deviceToken, now };
  const giveBack = await countGuess(ports, { perAccount, perAddress }, guess);
  if (giveBack instanceof Refusal) return giveBack;

  const matches = await ports.passwordMatches(password, account?.passwordHash ?? null);
  if (account === null || !matches) return refuseAudited(ports, email, 'wrongCredentials', now);
  const keptOut = whyKeptOut(account);
  if (keptOut !== null) return refuseAudited(ports, email, keptOut, now);

  await giveBack();
  const keptToken = deviceToken ?? ids.token();
  const token = await database.inTransaction(async (tx) => {
    // A reset that came meanwhile has ended the sessions already; none may start behind it.
    if (!(await isPasswordStill(tx, account))) return null;
    const actor = `patient:${account.id}`;
    await appendAudit(tx, { actor, action: 'signed in', subject: actor, at: now });
    await keepDevice(tx, account.id, keptToken, now);
    return sessions.start(tx, account.id, now, { device });
  });
  if (token === null) return refuseAudited(ports, email, 'wrongCredentials', now);
  return { token, deviceToken: keptToken };
}

type KeptOut = 'accountBlocked' | 'notVisible';

/** Why somebody who knows the secret may not come in all the same. */
export function whyKeptOut({ blocked, closedAt, visibility }: Account): KeptOut | null {
  if (blocked || closedAt !== null) return 'accountBlocked';
  return visibility.includes('appointment') ? null : 'notVisible';
}

/** The same row for an absent account: the address stands in it only under the audit's key. */
async function refuseAudited(
  { database, keyring, appendAudit }: SignInPorts,
  email: string,
  code: 'wrongCredentials' | KeptOut,
  at: number,
): Promise<Refusal> {
  const subject = `account:${Buffer.from(keyring.mac('audit.email', email)).toString('hex', 0, 16)}`;
  const action = 'sign-in refused';
  await database.inTransaction((tx) =>
    appendAudit(tx, { actor: 'visitor', action, subject, details: { code }, at }),
  );
  return refuse(code);
}
