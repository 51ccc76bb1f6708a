import type { Platform } from '../../platform.ts';
import { type RateUse, countInTurn, giveBackAll } from '../../server/rate-limit.store.ts';
import type { RateRule } from '../../server/rates.ts';
import type { Refusal } from '../../server/refusal.ts';
import { DEVICE_KNOWN_FOR, isKnownDevice } from './store.ts';

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

/** 'Chrome on Android', as far as the browser says. */
export function deviceOf(userAgent: string): string {
  const named = (names: typeof BROWSERS) => names.find(([found]) => found.test(userAgent))?.[1];
  const browser = named(BROWSERS);
  const system = named(SYSTEMS);
  if (browser === undefined) return system ?? 'An unknown device';
  return system === undefined ? browser : `${browser} on ${system}`;
}

/** As `ids.token()` makes them. */
const TOKEN = /^[\w-]{43}$/;

/**
 * S-5: the cookie by which a browser that signed in is known again at the next sign-in. It opens
 * nothing. Over https its name keeps other hosts of the domain from setting it.
 */
export function deviceCookie(publicUrl: string) {
  const secure = publicUrl.startsWith('https:');
  const name = secure ? '__Host-device' : 'device';
  return {
    read(cookie: (name: string) => string | null): string | null {
      const token = cookie(name);
      return token !== null && TOKEN.test(token) ? token : null;
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

export interface Guess {
  readonly email: string;
  /** Of the account with this address; null where none has it. */
  readonly patientId: string | null;
  readonly address: string;
  /** What the browser's cookie holds, once it signed in to some account; null before. */
  readonly deviceToken: string | null;
  readonly now: number;
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
  { database, ids, rateLimit }: Pick<Platform, 'database' | 'ids' | 'rateLimit'>,
  rules: { readonly perAccount: RateRule; readonly perAddress: RateRule },
  { email, patientId, address, deviceToken, now }: Guess,
): Promise<Refusal | (() => Promise<void>)> {
  const isKnown =
    deviceToken !== null &&
    (await isKnownDevice(database.db, patientId ?? ids.uuid(), deviceToken, now));
  const uses: readonly RateUse[] = isKnown
    ? [[rules.perAccount, knownGuesser(email, deviceToken)]]
    : // The address first: one that is over its limit could still use up the account's.
      [
        [rules.perAddress, address],
        [rules.perAccount, email],
      ];
  const tooMany = await countInTurn(rateLimit, now, uses);
  return tooMany ?? (() => giveBackAll(rateLimit, now, uses));
}
