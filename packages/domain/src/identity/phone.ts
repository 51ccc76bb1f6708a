import { asciiDigits } from '../ascii-digits.ts';

/** The parts of a Canadian number as sign-up asks for them: 3, 3 and 4 digits. */
export type PhoneParts = readonly [area: string, exchange: string, line: string];

/** The digits of a text, of any script, as 0 to 9. */
export function digitsOf(text: string): string {
  return asciiDigits(text).replace(/\D/g, '');
}

/** What people put between digits: spaces, dashes, dots, brackets and slashes of any script. */
const SEPARATOR = /[\s\p{Pd}\u2212.()/·•]/gu;

/**
 * A typed, pasted or filled-in number as its digits, with the + where it has one; null for a text that holds
 * anything else, such as an extension. It never drops a digit or a letter.
 */
function bareNumber(typed: string): string | null {
  const bare = asciiDigits(typed.normalize('NFKC'))
    // A phone's contacts put marks of direction around a number.
    .replace(/\p{Cf}/gu, '')
    .trim()
    .replace(/^tel:/i, '')
    .replace(SEPARATOR, '');
  return /^\+?\d+$/.test(bare) ? bare : null;
}

/**
 * The ten digits of a number of Canada or the United States, without its `+1` or `1`. Area code and exchange
 * begin with 2 to 9. Null for any other text.
 */
export function canadianPhone(typed: string): string | null {
  return /^(?:\+?1)?((?:[2-9]\d{2}){2}\d{4})$/.exec(bareNumber(typed) ?? '')?.[1] ?? null;
}

/**
 * The numbers that a text in the International field can mean: `+` with the country code first. Without `+`,
 * ten digits can be meant as a Canadian number too; only a table of all countries tells which exist.
 */
export function internationalPhones(typed: string): readonly string[] {
  const bare = bareNumber(typed);
  if (bare === null) return [];
  if (bare.startsWith('+')) return [bare];
  const canadian = canadianPhone(bare);
  // 00 and 011 are dialled before a country code; no country code begins with 0.
  const abroad = `+${bare.replace(/^(?:00|011)/, '')}`;
  return canadian === null ? [abroad] : [...new Set([abroad, `+1${canadian}`])];
}

const dashed = (digits: string): string =>
  [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)].filter(Boolean).join('-');

/**
 * What the phone input shows for the typed text: NNN-NNN-NNNN for a Canadian number, with dashes also while it
 * is being typed. Any other text stays as typed.
 */
export function formatPhone(typed: string): string {
  const whole = canadianPhone(typed);
  if (whole !== null) return dashed(whole);
  const digits = asciiDigits(typed).replaceAll('-', '');
  return /^[2-9]\d{0,9}$/.test(digits) ? dashed(digits) : typed;
}

/** Ten digits from 3+3+4, '' when all parts are empty, null when they are no Canadian number. */
export function joinPhone(parts: PhoneParts): string | null {
  const joined = parts.join('-');
  if (joined === '--') return '';
  return /^\d{3}-\d{3}-\d{4}$/.test(joined) ? canadianPhone(joined) : null;
}

/** The three parts of a ten-digit number; missing parts are ''. */
export function splitPhone(phone: string): PhoneParts {
  const digits = digitsOf(phone);
  return [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6, 10)];
}

/** The three numbers of a patient; empty when not given. */
export interface Phones {
  readonly mobilePhone: string;
  readonly phone: string;
  readonly internationalPhone: string;
}

export const PHONE_FIELDS = ['mobilePhone', 'phone', 'internationalPhone'] as const;
export type PhoneField = (typeof PHONE_FIELDS)[number];

/**
 * Why a number is refused: it is of another country and stands in a field for Canada, has an extension,
 * other words or a second number, needs its country code, or is none.
 */
export type PhoneCode = 'abroad' | 'extension' | 'countryCode' | 'invalid';

export type PhoneRefusal =
  | { readonly field: 'phones'; readonly code: 'missing' }
  | { readonly field: PhoneField; readonly code: PhoneCode };

/** Why a number is refused, as far as its digits tell; null for one that can be right. */
export function whyPhoneRefused(field: PhoneField, typed: string): PhoneCode | null {
  const bare = bareNumber(typed);
  // E.164 has 15 digits at most: these are two numbers.
  const isMore = bare === null ? /\d/.test(asciiDigits(typed)) : digitsOf(bare).length > 15;
  if (bare === null || isMore) return isMore ? 'extension' : 'invalid';
  if (field === 'internationalPhone') {
    if (internationalPhones(typed).some((number) => /^\+[1-9]\d{8,14}$/.test(number))) return null;
    return /^0(?!0|11)/.test(bare) ? 'countryCode' : 'invalid';
  }
  if (canadianPhone(bare) !== null) return null;
  return /^(?:\+[2-9]|(?:00|011)[1-9]|[02-9]\d{10})/.test(bare) ? 'abroad' : 'invalid';
}

/** What a link dials for a kept number; null for one that cannot be right. */
export function dialledPhone(kept: string): string | null {
  const canadian = canadianPhone(kept);
  if (canadian !== null) return `+1${canadian}`;
  const isAbroad = whyPhoneRefused('internationalPhone', kept) === null;
  return isAbroad ? (internationalPhones(kept)[0] ?? null) : null;
}

/** Everything wrong with a patient's numbers: none given, or one that cannot be right and is not the kept one. */
export function whyPhonesRefused(
  phones: Phones,
  kept: Partial<Phones> = {},
  whyRefused: (field: PhoneField, typed: string) => PhoneCode | null = whyPhoneRefused,
): PhoneRefusal[] {
  if (PHONE_FIELDS.every((field) => phones[field].trim() === ''))
    return [{ field: 'phones', code: 'missing' }];
  return PHONE_FIELDS.flatMap((field) => {
    const typed = phones[field];
    if (typed.trim() === '' || isSamePhone(typed, kept[field])) return [];
    const code = whyRefused(field, typed);
    return code === null ? [] : [{ field, code }];
  });
}

const withoutDashes = (text: string): string => text.trim().replaceAll('-', '');

/** Whether a form has a kept number unchanged; forms write dashes that are not kept. */
const isSamePhone = (typed: string, kept: string | undefined): boolean =>
  kept !== undefined && withoutDashes(typed) === withoutDashes(kept);
