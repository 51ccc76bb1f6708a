import type { ClinicDate } from '../clinic-time.ts';
import { hasDirectionOverride } from '../plain-text.ts';

/** R-62: letters of any script, digits, apostrophe, hyphen, period, comma and slash are allowed. */
const INVALID_SYMBOL = /[\p{Cc}<>{}[\]\\|^~`"$%;=*!?#@]/u;

/** Whether a text holds a symbol that names, cities and the like may not hold. See R-62. */
export function hasInvalidSymbol(text: string): boolean {
  return INVALID_SYMBOL.test(text) || hasDirectionOverride(text);
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

/** Whether a representative must consent: younger than 19. See R-65. */
export function needsRepresentative(birth: ClinicDate, today: ClinicDate): boolean {
  return ageOn(birth, today) < MINIMUM_AGE;
}

/** An email address as it is stored and compared: trimmed, lower case. */
export function normaliseEmail(typed: string): string {
  return typed.trim().toLowerCase();
}

/**
 * Whether a normalised address can receive mail: one @, no space, a dot in the domain, and 254
 * characters at most (RFC 5321).
 */
export function isEmail(address: string): boolean {
  return (
    address.length <= 254 &&
    /^[^\s@<>()",;:\\]+@[^\s@.<>()",;:\\]+(\.[^\s@.<>()",;:\\]+)+$/.test(address)
  );
}

/** The fewest code points of a password. */
export const PASSWORD_MINIMUM = 8;
const PASSWORD_MAXIMUM = 128;

/** Why a password is refused, or null. White space at its ends counts. See R-61. */
export function whyPasswordRefused(password: string): 'empty' | 'tooShort' | 'tooLong' | null {
  const { length } = Array.from(password);
  if (length === 0) return 'empty';
  if (length < PASSWORD_MINIMUM) return 'tooShort';
  return length > PASSWORD_MAXIMUM ? 'tooLong' : null;
}

/** Shorter words occur in too many passwords by chance. */
const SHORTEST_WORD = 3;

/**
 * Whether more than half of a password is its owner's name or email (the part before the @, or the whole),
 * ignoring case, accents and punctuation. Pass '' for what is unknown. See R-61.
 */
export function isOwnNameOrEmail(
  password: string,
  { firstName, lastName, email }: Readonly<Record<'firstName' | 'lastName' | 'email', string>>,
): boolean {
  const folded = lettersAndDigits(password);
  const [local = ''] = email.split('@');
  const parts = [local, firstName, lastName].flatMap((text) => text.split(/[^\p{L}\p{N}]/u));
  const words = [email, local, firstName + lastName, lastName + firstName]
    .concat(firstName, lastName, parts)
    .map(lettersAndDigits)
    .filter((word) => word.length >= SHORTEST_WORD)
    .toSorted((one, other) => other.length - one.length);
  const rest = words.reduce((left, word) => left.replaceAll(word, ' '), folded);
  return lettersAndDigits(rest).length * 2 < folded.length;
}

const lettersAndDigits = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
