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

/** Signing in and out, where the patient is signed in, and the sign of life that keeps a session. */
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

  // Coming through the door with a valid session was the renewal; asking in the background is not.
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

/** Who tries a secret of an account, and from where. */
export interface Guess {
  readonly email: string;
  /** Of the account with this address; null where none has it. */
  readonly patientId: string | null;
  readonly address: string;
  /** What the browser's cookie holds, once it signed in to some account; null before. */
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
    await appendAudit(tx, ofPatient(account.id, 'signed in', now));
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

/** As what a known browser's guesses at the account of an address are counted. */
export const knownGuesser = (email: string, deviceToken: string) => `${email} ${deviceToken}`;

/**
 * S-5: counts a guess at an account's secret before it is tried, so that parallel guesses count too.
 * Gives the refusal of one too many, or how to take the guess back when it was right.
 *
 * A browser that signed in to the account before is counted for itself, so that guesses of strangers,
 * from the same network too, never keep its owner out. An absent account is asked about as well.
 */
export async function countGuess(
  { database, ids, rateLimit }: Platform,
  { perAccount, perAddress }: { readonly perAccount: RateRule; readonly perAddress: RateRule },
  { email, patientId, address, deviceToken, now }: Guess,
): Promise<Refusal | (() => Promise<void>)> {
  const isKnown =
    deviceToken !== null &&
    (await isKnownDevice(database.db, patientId ?? ids.uuid(), deviceToken, now));
  // The address first: one that is over its limit could still use up the account's.
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
 * S-5: the cookie by which a browser that signed in is known again at the next sign-in. It opens
 * nothing. Over https its name keeps other hosts of the domain from setting it.
 */
export function deviceCookie(publicUrl: string) {
  const secure = publicUrl.startsWith('https:');
  const name = secure ? '__Host-device' : 'device';
  return {
    /** Null unless it is as `ids.token()` makes them. */
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

/** 'Chrome, Android', as far as the browser says; nothing where it says neither. */
export function deviceOf(userAgent: string): string {
  const named = (names: typeof BROWSERS) => names.find(([found]) => found.test(userAgent))?.[1];
  const browser = named(BROWSERS);
  const system = named(SYSTEMS);
  if (browser === undefined) return system ?? '';
  return system === undefined ? browser : `${browser}, ${system}`;
}
