import { parseCookie } from 'cookie';
import { isIPv6 } from 'node:net';
import type { ServerPorts } from './server-ports.ts';
import {
  DEVICE_KNOWN_FOR,
  isKnownDevice,
  isOurDeviceToken,
} from '../security/known-devices.store.ts';
import type { CountUses, CountedUses, RateUse } from './rate-limit.store.ts';
import type { RateRule } from './rates.ts';
import type { Refusal } from './refusal.ts';

// Known is who signed in from this browser before. What strangers send never makes somebody known wait.

/**
 * The network that an address is counted as: an IPv4 address, behind which a whole clinic may stand; of IPv6 the
 * /56 that one line commonly gets, any of whose addresses its owner may take.
 */
export function networkOf(address: string): string {
  const asIPv4 = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (asIPv4 !== undefined || !isIPv6(address)) return asIPv4 ?? address;
  const [head = [], tail] = address.replace(/%.*$/, '').split('::').map(groupsOf);
  const zeros = Array.from({ length: 8 - head.length - (tail?.length ?? 0) }, () => 0);
  const groups = [...head, ...(tail === undefined ? [] : [...zeros, ...tail])];
  const [one = 0, two = 0, three = 0, four = 0] = groups;
  return `${[one, two, three, four & 0xff_00].map((each) => each.toString(16)).join(':')}::/56`;
}

const groupsOf = (part: string): number[] =>
  part
    .split(':')
    .filter((each) => each !== '')
    .flatMap((each) => (each.includes('.') ? [0, 0] : [parseInt(each, 16)]));

/** Where a request comes from. */
export interface From {
  readonly network: string;
  /** The token in the browser's device cookie; null before its first sign-in. */
  readonly device: string | null;
  /** True when the token is one that we gave out. */
  readonly isOurs: boolean;
}

export function fromOf(
  { config, keyring }: Pick<ServerPorts, 'config' | 'keyring'>,
  { address, cookies }: { readonly address: string; readonly cookies: string | undefined },
): From {
  const device = deviceCookie(config.publicUrl).read(cookies);
  const isOurs = device !== null && isOurDeviceToken(keyring, device);
  return { network: networkOf(address), device, isOurs };
}

/** Whom a request without a session is counted as: a browser that somebody signed in from, or its network. */
export const subjectOf = ({ network, device, isOurs }: From): string =>
  isOurs ? `device ${device}` : `address ${network}`;

export const cookieIn = (header: string | undefined, name: string): string | null =>
  parseCookie(header ?? '')[name] ?? null;

/**
 * The cookie that identifies a browser that signed in before, at either door. It grants no access. Over https
 * its `__Host-` prefix keeps other hosts of the domain from setting it.
 */
export function deviceCookie(publicUrl: string) {
  const secure = publicUrl.startsWith('https:');
  const name = secure ? '__Host-device' : 'device';
  return {
    /** Null unless the cookie holds a token in the form of `ids.token()`. */
    read(header: string | undefined): string | null {
      const token = cookieIn(header, name);
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

/** Who asks at a door, as far as they say, and from where. */
export interface Asking {
  /** The account that they name; null when there is none. */
  readonly personId: string | null;
  /** The client's network, for rate limits only. */
  readonly address: string;
  /** The token in the browser's device cookie. */
  readonly deviceToken: string | null;
  readonly now: number;
}

/** The rate-limit subject of a person at a browser that they signed in from. */
export const knownBrowserSubject = (personId: string, deviceToken: string) =>
  `${personId} ${deviceToken}`;

/** That subject; null when they are not known here. An absent account takes the same look-up. */
export async function knownBrowserOf(
  { database, ids }: Pick<ServerPorts, 'database' | 'ids'>,
  { personId, deviceToken, now }: Pick<Asking, 'personId' | 'deviceToken' | 'now'>,
): Promise<string | null> {
  if (deviceToken === null) return null;
  const isKnown = await isKnownDevice(database.db, personId ?? ids.uuid(), deviceToken, now);
  return isKnown && personId !== null ? knownBrowserSubject(personId, deviceToken) : null;
}

/** Whom to count at a call that is limited by network: who is known here for themselves. */
export const placeOf = async (
  platform: Pick<ServerPorts, 'database' | 'ids'>,
  asking: Asking,
): Promise<string> => (await knownBrowserOf(platform, asking)) ?? asking.address;

/** A guess at a secret of an account. */
export interface Guess extends Pick<Asking, 'address'> {
  readonly email: string;
  /** As `knownBrowserOf` says. */
  readonly known: string | null;
  readonly countUses: CountUses;
}

/**
 * S-5: counts a guess at an account's secret before it is tried, so that parallel guesses count too. Returns
 * the refusal of one too many, or the guess: it begins with the comparison, and a right one is given back.
 *
 * A person at a known browser is counted apart. Everybody else is counted by network and then in one total per
 * person, so that many networks, or the cookie of somebody else, give no guess more.
 */
export async function countGuess(
  { perAccount, perAddress }: { readonly perAccount: RateRule; readonly perAddress: RateRule },
  { email, address, known, countUses }: Guess,
): Promise<CountedUses | Refusal> {
  // The network is counted first: over its limit, it must not use up the account's guesses.
  const uses: readonly RateUse[] =
    known === null
      ? [
          [perAddress, address],
          [perAccount, email],
        ]
      : [[perAccount, known]];
  return countUses(uses, { inTurn: true });
}
