import type { ClinicDate } from '../clinic-time.ts';
import { hasDirectionMark, hasDirectionOverride, hasUnseen, isBlank } from '../unseen-text.ts';

/** letters of any script, digits, apostrophe, hyphen, period, comma and slash are allowed. */
const INVALID_SYMBOL = /[\p{Cc}<>{}[\]\\|^~`"$%;=*!?#@]/u;

/** Whether a text holds a symbol that names, cities and the like may not hold.. */
export function hasInvalidSymbol(text: string): boolean {
  return INVALID_SYMBOL.test(text) || hasDirectionOverride(text);
}

/** What is wrong with the characters of a field that takes no invalid symbols; null when nothing is. */
export function wrongSymbolIn(text: string): 'invalidSymbol' | 'unseen' | null {
  if (hasInvalidSymbol(text)) return 'invalidSymbol';
  return hasUnseen(text) ? 'unseen' : null;
}

/** A representative must consent for patients under this age. */
export const MINIMUM_AGE = 19;
export const EARLIEST_BIRTH: ClinicDate = '1900-01-01';

/** Whether a date can be a birthday: from 1900 on and not after the clinic's today. */
export function isBirthDate(date: ClinicDate, today: ClinicDate): boolean {
  return date >= EARLIEST_BIRTH && date <= today;
}

/** Full years lived on a day; those born on 29 February turn older on 1 March of a common year. */
export function ageOn(birth: ClinicDate, today: ClinicDate): number {
  const years = Number(today.slice(0, 4)) - Number(birth.slice(0, 4));
  return today.slice(5) < birth.slice(5) ? years - 1 : years;
}

/** Whether a representative must consent: younger than 19.. */
export function needsRepresentative(birth: ClinicDate, today: ClinicDate): boolean {
  return ageOn(birth, today) < MINIMUM_AGE;
}

/** Why a person's name is refused; null when it may be kept.. */
export function whyNameRefused(name: string): 'missing' | 'unseen' | 'invalidSymbol' | null {
  return isBlank(name) ? 'missing' : wrongSymbolIn(name);
}

/** In browsers and Node alike. */
declare const URL: new (url: string) => { readonly hostname: string };

/** Would end the host in an address, or be dropped from it. */
const NO_HOST = /[\p{Cc}\p{Z}/?#:@\\%[\]<>^|"]/u;

/** A domain in ASCII, its letters as `xn--` (UTS 46); null when no domain can be written so. */
function asciiDomain(domain: string): string | null {
  if (/^[\x21-\x7E]*$/.test(domain) && !domain.includes('xn--')) return domain;
  if (NO_HOST.test(domain)) return null;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return null;
  }
}

/**
 * An email address as it is stored and compared: trimmed, lower case, its domain in ASCII. One that cannot be
 * an address stays as it was typed.
 */
export function normaliseEmail(typed: string): string {
  const lower = typed.trim().toLowerCase();
  const at = lower.lastIndexOf('@');
  const domain = asciiDomain(lower.slice(at + 1));
  return at < 0 || domain === null ? lower : `${lower.slice(0, at)}@${domain}`;
}

/** RFC 5322: what may stand before the @ without quotation marks. */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const DOMAIN =
  /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?!\d+$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

/**
 * Why an email address is refused; null when one email can be sent to it. Mail servers need not take other
 * letters than those of ASCII before the @ (RFC 6531), so such an address would be accepted and lost.
 */
export function whyEmailRefused(
  typed: string,
): 'missing' | 'unseen' | 'notAscii' | 'invalid' | null {
  if (isBlank(typed)) return 'missing';
  if (hasUnseen(typed.trim()) || hasDirectionMark(typed)) return 'unseen';
  const [local = '', domain = '', ...more] = typed.trim().split('@');
  if (more.length > 0 || domain === '') return 'invalid';
  if (/[^\p{ASCII}]/u.test(local)) return 'notAscii';
  const ascii = asciiDomain(domain.toLowerCase()) ?? '';
  // RFC 5321: the lengths that mail servers take.
  const isShort = local.length <= 64 && local.length + 1 + ascii.length <= 254;
  return isShort && LOCAL_PART.test(local) && DOMAIN.test(ascii) ? null : 'invalid';
}
