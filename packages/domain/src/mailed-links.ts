/** 32 bytes in base64url. */
const SECRET = '[\\w-]{43}';
/** Of a secret, or of a page. */
type Shape = { readonly page: string; readonly secret?: string };

/**
 * Every link that the service mails or hands out: an email takes only what `mailedLink` makes of one of these.
 * 0.2.0 writes the same. A secret follows the '#' where it can, because browsers never send that part.
 */
export const MAILED_LINKS = {
  /** An invitation of a patient, and the confirmation of an email address that staff corrected. */
  account: { page: '/confirm/account#', secret: SECRET },
  /** With which the mailbox before confirms, or stops, that an account gets another address. */
  addressChange: { page: '/confirm/change#', secret: SECRET },
  /** An invitation of staff, also after their second factor was reset. */
  staff: { page: '/desk/invitation#', secret: SECRET },
  /** Handed to the clinic's dashboard, which sends the browser there. */
  dashboard: { page: '/auth/', secret: `link_${SECRET}` },
  signUp: { page: '/confirm/', secret: SECRET },
  logIn: { page: '/login' },
  myAccount: { page: '/account' },
  myAppointments: { page: '/appointments' },
  /** Booking, and paying for a time that staff hold. */
  booking: { page: '/' },
} as const satisfies Readonly<Record<string, Shape>>;

export type MailedLinkName = keyof typeof MAILED_LINKS;
type OfSecret = {
  [Name in MailedLinkName]: (typeof MAILED_LINKS)[Name] extends { secret: string } ? Name : never;
}[MailedLinkName];

declare const mailed: unique symbol;
/** An address that the registry knows. */
export type MailedAddress = string & { readonly [mailed]: true };

export function mailedLink(publicUrl: string, name: OfSecret, secret: string): MailedAddress;
export function mailedLink(
  publicUrl: string,
  name: Exclude<MailedLinkName, OfSecret>,
): MailedAddress;
export function mailedLink(publicUrl: string, name: MailedLinkName, secret = ''): MailedAddress {
  return `${publicUrl}${MAILED_LINKS[name].page}${secret}` as MailedAddress;
}

export interface FoundLink {
  readonly name: MailedLinkName;
  /** Empty for a page that anybody may open. */
  readonly secret: string;
  /** The type that a link of the dashboard chooses. */
  readonly type: string | null;
  /** The link as it was mailed, from its path on. */
  readonly address: string;
}

const NAMES = Object.keys(MAILED_LINKS) as MailedLinkName[];
const shapeOf = (name: MailedLinkName): Shape => MAILED_LINKS[name];

/** What may have become of the '#': a mail gateway may write it otherwise, or put its own query before it. */
const BETWEEN = '(?:/?\\?[^#\\s]*(?=#))?[#/?!*:|]{0,3}';
const PATTERNS = NAMES.flatMap((name) => {
  const { page, secret } = shapeOf(name);
  if (secret === undefined) return [];
  const [path = '', isAfterHash] = page.split(/(#)$/);
  return [{ name, source: `${path}${isAfterHash ? BETWEEN : '/?'}(${secret})` }];
});
const TYPE = '(?:/([IDZ]))?';

/**
 * The links with a secret in an address or a text, each once: also as mail gateways and mail programs write
 * them, wrapped, quoted and inside of their own links. The only reader of mailed secrets in both apps. More than
 * one link of a kind is left to the reader, as two sign-up forms have a link each.
 */
export function linksIn(text: string): readonly FoundLink[] {
  for (const reading of readings(text))
    for (const { name, source } of PATTERNS) {
      const found = new Map<string, FoundLink>();
      const { page } = shapeOf(name);
      for (const [, secret = '', type = null] of reading.matchAll(new RegExp(source + TYPE, 'g')))
        found.set(secret, {
          name,
          secret,
          type,
          address: page + secret + (type === null ? '' : `/${type}`),
        });
      if (found.size > 0) return [...found.values()];
    }
  return [];
}

/** What a mail program leaves at the end of an address, or a mail gateway adds to it. */
const LEFT_OVER = /(?:[.,;:!?*)\]}>'"»”’…\ufffd\s]|[&#%].*)+$/s;

/** The mailed link that an address of the browser is, or was before it was rewritten; null when it is none. */
export function linkAt(address: string): FoundLink | null {
  const whole = address.replace(/%0[ad]|%20|\s/gi, '');
  const [link] = linksIn(whole);
  if (link !== undefined) return link;
  const path = decoded(whole.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/[?#].*/s, ''));
  const bare = path.replace(LEFT_OVER, '') || '/';
  const name = NAMES.find(
    (each) => shapeOf(each).secret === undefined && shapeOf(each).page === bare,
  );
  return name === undefined ? null : { name, secret: '', type: null, address: bare };
}

/** Encoded that often at most: a gateway in front of another. */
const MOST_ROUNDS = 4;

function* readings(text: string): Generator<string> {
  const shown = text.replace(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '');
  for (const base of [shown, quotedPrintable(shown), proofpoint(shown)]) {
    let reading = base;
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      yield reading;
      yield joined(reading);
      reading = decoded(reading);
    }
  }
}

/** Lines that were broken and quoted, in one. */
const joined = (text: string): string => text.replace(/\s*[\r\n][\s>|]*/g, '');

const ascii = (code: string): string => {
  const value = Number.parseInt(code, 16);
  return value < 0x80 ? String.fromCodePoint(value) : '\u{fffd}';
};

/** Reads what is written by numbers, and leaves alone what is not whole. */
const decoded = (text: string): string =>
  text
    .replace(/&#(\d{2,3});/g, (_, code: string) => ascii(Number(code).toString(16)))
    .replace(/&#x([\da-f]{2});/gi, (_, code: string) => ascii(code))
    .replace(/&(?:amp|num|sol);/g, (name) => ({ '&amp;': '&', '&num;': '#' })[name] ?? '/')
    .replace(/%([\da-f]{2})/gi, (_, code: string) => ascii(code));

/** RFC 2045, 6.7: the source of a mail. */
const quotedPrintable = (text: string): string =>
  text.replace(/=\r?\n/g, '').replace(/=([\dA-F]{2})/g, (_, code: string) => ascii(code));

/** URL Defense 2: '-' begins a number, '_' is '/'. */
const proofpoint = (text: string): string =>
  text.replaceAll('_', '/').replace(/-([\dA-F]{2})/gi, (_, code: string) => ascii(code));
