import { calls } from '@clinic/contract';
import { text } from '@clinic/contract/texts';
import { type Access, accessOf, normaliseEmail } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import { ofPatient } from '../../security/audit.store.ts';
import { deviceTokenFor, keepDevice } from '../../security/known-devices.store.ts';
import { passwordCheck } from '../../security/passwords.ts';
import { checkProof } from '../../server/ports.ts';
import { DONE, WithCookie, success } from '../../server/responses.ts';
import { route } from '../../server/http.ts';
import {
  type Asking,
  countGuess,
  deviceCookie,
  knownBrowserOf,
} from '../../server/known-browser.ts';
import type { CountUses } from '../../server/rate-limit.store.ts';
import { Refusal, refuse } from '../../server/refusal.ts';
import { appointments, releaseHoldIn } from '../appointments/index.ts';
import { findAccount, isPasswordStill } from './store.ts';

/** Signing in and out, the list of a patient's sessions, and renewing a session. */
export function registerSignIn(app: FastifyInstance, platform: Platform): void {
  const { captcha, config, database, sessions, appendAudit, ids } = platform;
  const matches = passwordCheck(config.passwordCost, () => ids.token());
  const ports: SignInPorts = { ...platform, passwordMatches: matches };
  const knownBy = deviceCookie(config.publicUrl);

  route(app, calls.captchaChallenge, ({ now }) => captcha.challenge(now));

  route(
    app,
    calls.login,
    async ({ body, address, deviceToken, countUses, userAgent, locale, now }) => {
      const { email, password, recaptcha: proof } = body;
      const device = deviceOf(userAgent);
      const request = { email, password, proof, address, device, deviceToken, now, countUses };
      const signedIn = await signIn(ports, request);
      if (signedIn instanceof Refusal) return signedIn;
      const extras = { accessToken: signedIn.token, message: text(locale, 'signedIn') };
      return new WithCookie(success(extras), knownBy.set(signedIn.deviceToken));
    },
  );

  route(app, calls.logout, async ({ patient, query, now }) => {
    await database.inTransaction(async (tx) => {
      if (query.hold !== 'keep')
        await releaseHoldIn({ ...platform, appointments }, tx, { patientId: patient.id }, now);
      await sessions.end(tx, patient, now);
      await appendAudit(tx, ofPatient(patient.id, 'signed out', now));
    });
    return DONE;
  });

  // Admitting a request renews its session, except in the background; this call renews it always.
  route(app, calls.renewSession, async ({ patient, now }) => {
    await sessions.touch(patient, now);
    return DONE;
  });

  route(app, calls.listSessions, async ({ patient, now }) =>
    success({ sessions: await sessions.list(patient, now) }),
  );

  route(app, calls.endSessions, async ({ patient, now }) => {
    await database.inTransaction(async (tx) => {
      await sessions.endAll(tx, patient.id, now);
      await appendAudit(tx, ofPatient(patient.id, 'signed out everywhere', now));
    });
    return DONE;
  });
}

export interface SignInPorts extends Platform {
  /** Whether the password fits; takes as long when there is no account (null). */
  readonly passwordMatches: (password: string, stored: string | null) => Promise<boolean>;
}

interface SignInRequest extends Omit<Asking, 'personId'> {
  readonly email: string;
  readonly countUses: CountUses;
  readonly password: string;
  readonly proof: string;
  /** 'Chrome, Android', as far as the browser says. */
  readonly device: string;
}

/**
 * An outsider cannot tell an absent account from a wrong password: why an account may not sign in is
 * said only to somebody who knows its password.
 */
export async function signIn(
  ports: SignInPorts,
  { email: typed, password, proof, device, ...asking }: SignInRequest,
): Promise<{ readonly token: string; readonly deviceToken: string } | Refusal> {
  const { database, sessions, appendAudit, keyring, ids } = ports;
  const { loginPerAccount: perAccount, loginPerAddress: perAddress } = ports.config.rates;
  const email = normaliseEmail(typed);
  const { deviceToken, now } = asking;
  const unproven = await checkProof(ports.captcha, proof, now);
  if (unproven !== null) return unproven;

  const account = await findAccount(database.db, { email: typed });
  const known = await knownBrowserOf(ports, { ...asking, personId: account?.id ?? null });
  const guess = await countGuess({ perAccount, perAddress }, { ...asking, email, known });
  if (guess instanceof Refusal) return guess;

  guess.begun();
  const matches = await ports.passwordMatches(password, account?.passwordHash ?? null);
  if (account === null || !matches) return refuseAudited(ports, email, 'wrongCredentials', now);
  const keptOut = accessOf(account).signIn;
  if (keptOut !== null) return refuseAudited(ports, email, keptOut, now);

  await guess.giveBack();
  const keptToken = deviceTokenFor(keyring, ids, deviceToken);
  const token = await database.inTransaction(async (tx) => {
    // A password reset meanwhile has ended all sessions; the old password must start none after it.
    if (!(await isPasswordStill(tx, account))) return null;
    await appendAudit(tx, ofPatient(account.id, 'signed in', now));
    await keepDevice(tx, { personId: account.id, token: keptToken }, now);
    return sessions.start(tx, account.id, now, { device });
  });
  if (token === null) return refuseAudited(ports, email, 'wrongCredentials', now);
  return { token, deviceToken: keptToken };
}

/** Refuses with an audit entry, also for an absent account. The entry has only a MAC of the address. */
async function refuseAudited(
  { database, keyring, appendAudit }: SignInPorts,
  email: string,
  code: 'wrongCredentials' | NonNullable<Access['signIn']>,
  at: number,
): Promise<Refusal> {
  const subject = `account:${Buffer.from(keyring.mac('audit.email', email)).toString('hex', 0, 16)}`;
  const action = 'sign-in refused';
  await database.inTransaction((tx) =>
    appendAudit(tx, { actor: 'visitor', action, subject, details: { code }, at }),
  );
  return refuse(code);
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
];

/** 'Chrome, Android', as far as the browser says; '' when it says neither. */
export function deviceOf(userAgent: string): string {
  const named = (names: typeof BROWSERS) => names.find(([found]) => found.test(userAgent))?.[1];
  const browser = named(BROWSERS);
  const system = named(SYSTEMS);
  if (browser === undefined) return system ?? '';
  return system === undefined ? browser : `${browser}, ${system}`;
}
