import { asciiDigits } from '../ascii-digits.ts';

/** The 13 provinces and territories, and Other, which means no Canadian card. */
export const PROVINCES = [
  'AB',
  'BC',
  'MB',
  'NB',
  'NL',
  'NS',
  'NT',
  'NU',
  'ON',
  'PE',
  'QC',
  'SK',
  'YT',
  'Other',
] as const;
export type Province = (typeof PROVINCES)[number];

/** The fewest characters of a health card number. */
export const CARD_NUMBER_MINIMUM = 6;

const WEIGHTS = [2, 4, 8, 5, 10, 9, 7, 3];

/** Whether the text is a BC health number: ten digits, the first a 9, with a valid check digit.. */
export function isBcHealthNumber(text: string): boolean {
  if (!/^9\d{9}$/.test(text)) return false;
  const sum = WEIGHTS.reduce(
    (total, weight, i) => total + ((Number(text[i + 1]) * weight) % 11),
    0,
  );
  const remainder = sum % 11;
  return remainder > 1 && Number(text[9]) === 11 - remainder;
}

/** Whether the text is one of the province codes. */
export function isProvince(text: string): text is Province {
  return (PROVINCES as readonly string[]).includes(text);
}

/**
 * A card number as it is stored: what is typed without spaces, dashes and the like, letters in upper case.
 * Ontario's version code, two letters at the end, is dropped; any other letter stays, and is refused where the
 * province's cards have none. 'Other' has no number..
 */
export function normaliseCardNumber(province: Province, typed: string): string {
  if (province === 'Other') return '';
  const number = asciiDigits(typed.normalize('NFKC'))
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  return province === 'ON' ? number.replace(/(?<=\d)[A-Z]{1,2}$/, '') : number;
}

/**
 * Whether a normalised number has only characters that the province's cards have: those of Quebec and of the
 * Northwest Territories contain letters.
 */
export const hasCardCharacters = (province: Province, number: string): boolean =>
  (['QC', 'NT'].includes(province) ? /^[0-9A-Z]*$/ : /^\d*$/).test(number);

/** Newfoundland and Quebec have the longest numbers. */
const CARD_NUMBER_MAXIMUM = 12;

export type CardRefusal = 'empty' | 'tooShort' | 'tooLong' | 'invalid' | 'bcInvalid';

/** Why a normalised card number is refused, or null; 'Other' needs none.. */
export function whyCardRefused(province: Province, number: string): CardRefusal | null {
  if (province === 'Other') return null;
  if (number === '') return 'empty';
  if (!hasCardCharacters(province, number)) return 'invalid';
  if (number.length > CARD_NUMBER_MAXIMUM) return province === 'BC' ? 'bcInvalid' : 'tooLong';
  if (number.length < CARD_NUMBER_MINIMUM) return 'tooShort';
  return province === 'BC' && !isBcHealthNumber(number) ? 'bcInvalid' : null;
}
