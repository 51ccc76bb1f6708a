import { calls } from '@clinic/contract';
import { text } from '@clinic/contract/texts';
import { normaliseEmail } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import { ofPatient } from '../../security/audit.store.ts';
import { hashPassword, passwordMatches } from '../../security/passwords.ts';
import { checkProof } from '../../server/ports.ts';
import { WithCookie, route } from '../../server/http.ts';
import { type RateUse, countAll, giveBackAll } from '../../server/rate-limit.store.ts';
import type { RateRule } from '../../server/rates.ts';
import { Refusal, refuse } from '../../server/refusal.ts';
import { appointments, releaseHoldIn } from '../appointments/index.ts';
import {
  type Account,
  DEVICE_KNOWN_FOR,
  findAccount,
  isKnownDevice,
  isPasswordStill,
  keepDevice,
} from './store.ts';

/** Signing in and out, the list of a patient's sessions, and renewing a session. */
export function registerSignIn(app: FastifyInstance, platform: Platform): void {
  const { captcha, config, database, sessions, appendAudit, ids } = platform;
  // A hash of the usual cost, made at the first sign-in, so that an absent account takes as long.
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

  route(app, calls.login, async ({ body, address, userAgent, cookie, locale, now }) => {
    const { email, password, recaptcha: proof } = body;
    const device = deviceOf(userAgent);
    const deviceToken = knownBy.read(cookie);
    const request = { email, password, proof, address, device, deviceToken, now };
    const signedIn = await signIn(ports, request);
    if (signedIn instanceof Refusal) return signedIn;
    const extras = { accessToken: signedIn.token, message: text(locale, 'signedIn') };
    return new WithCookie({ success: true as const, extras }, knownBy.set(signedIn.deviceToken));
  });

  route(app, calls.logout, async ({ patient, query, now }) => {
    await database.inTransaction(async (tx) => {
      if (query.hold !== 'keep')
        await releaseHoldIn({ ...platform, appointments }, tx, { patientId: patient.id }, now);
      await sessions.end(tx, patient, now);
      await appendAudit(tx, ofPatient(patient.id, 'signed out', now));
    });
    return { success: true as const };
  });

  // Admitting a request renews its session, except in the background; this call renews it always.
  route(app, calls.renewSession, async ({ patient, now }) => {
    await sessions.touch(patient, now);
    return { success: true as const };
  });

  route(app, calls.listSessions, async ({ patient, now }) => ({
    success: true as const,
    extras: { sessions: [...(await sessions.list(patient, now))] },
  }));

  route(app, calls.endSessions, async ({ patient, now }) => {
    await database.inTransaction(async (tx) => {
      await sessions.endAll(tx, patient.id, now);
      await appendAudit(tx, ofPatient(patient.id, 'signed out everywhere', now));
    });
    return { success: true as const };
  });
}

export interface SignInPorts extends Platform {
  /** Whether the password fits; takes as long when there is no account (null). */
  readonly passwordMatches: (password: string, stored: string | null) => Promise<boolean>;
}

/** A guess at a secret of an account, and where it comes from. */
export interface Guess {
  readonly email: string;
  /** The account with this email address; null when there is none. */
  readonly patientId: string | null;
  readonly address: string;
  /** The token in the browser's device cookie; null before its first sign-in to any account. */
  readonly deviceToken: string | null;
  readonly now: number;
}

interface SignInRequest extends Omit<Guess, 'patientId'> {
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
    // A password reset meanwhile has ended all sessions; the old password must start none after it.
    if (!(await isPasswordStill(tx, account))) return null;
    await appendAudit(tx, ofPatient(account.id, 'signed in', now));
    await keepDevice(tx, account.id, keptToken, now);
    return sessions.start(tx, account.id, now, { device });
  });
  if (token === null) return refuseAudited(ports, email, 'wrongCredentials', now);
  return { token, deviceToken: keptToken };
}

type KeptOut = 'accountBlocked' | 'notVisible';

/** Why an account may not sign in even with the right secret; null when it may. */
export function whyKeptOut({ blocked, closedAt, visibility }: Account): KeptOut | null {
  if (blocked || closedAt !== null) return 'accountBlocked';
  return visibility.includes('appointment') ? null : 'notVisible';
}

/** Refuses with an audit entry, also for an absent account. The entry has only a MAC of the address. */
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

/** The rate-limit key under which a known browser's guesses at an account are counted. */
export const knownGuesser = (email: string, deviceToken: string) => `${email} ${deviceToken}`;

/**
 * S-5: counts a guess at an account's secret before it is tried, so that parallel guesses count too.
 * Returns the refusal of one too many, or a function that takes back a right guess.
 *
 * A browser that signed in to the account before is counted by itself, so that guesses of strangers,
 * even on the same network, never keep its owner out. An absent account takes the same look-up.
 */
export async function countGuess(
  { database, ids, rateLimit }: Platform,
  { perAccount, perAddress }: { readonly perAccount: RateRule; readonly perAddress: RateRule },
  { email, patientId, address, deviceToken, now }: Guess,
): Promise<Refusal | (() => Promise<void>)> {
  const isKnown =
    deviceToken !== null &&
    (await isKnownDevice(database.db, patientId ?? ids.uuid(), deviceToken, now));
  // The network address is counted first: over its limit, it must not use up the account's guesses.
  const uses: readonly RateUse[] = isKnown
    ? [[perAccount, knownGuesser(email, deviceToken)]]
    : [
        [perAddress, address],
        [perAccount, email],
      ];
  const tooMany = await countAll(rateLimit, now, uses, { inTurn: true });
  return tooMany ?? (() => giveBackAll(rateLimit, now, uses));
}

/**
 * S-5: the cookie that identifies a browser that signed in before at its next sign-in. It grants no
 * access. Over https its `__Host-` prefix keeps other hosts of the domain from setting it.
 */
export function deviceCookie(publicUrl: string) {
  const secure = publicUrl.startsWith('https:');
  const name = secure ? '__Host-device' : 'device';
  return {
    /** Null unless the cookie holds a token in the form of `ids.token()`. */
    read(cookie: (name: string) => string | null): string | null {
      const token = cookie(name);
      return token !== null && /^[\w-]{43}$/.test(token) ? token : null;
    },
    set: (value: string) => ({
      name,
      value,
      httpOnly: true,
      secure,
      sameSite: 'strict' as const,
      path: '/',
      maxAge: DEVICE_KNOWN_FOR,
    }),
  };
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
