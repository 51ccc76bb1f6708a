import { type ClinicDate, isClinicDate } from '../clinic-time.ts';
import { CARD_NUMBER_MINIMUM, PROVINCES, normaliseCardNumber } from '../identity/health-number.ts';
import { digitsOf } from '../identity/phone.ts';

/** What a search at the front desk asks for; a patient must match all of it. */
export interface PatientQuery {
  /** Each is the beginning of a word of the name, in lower case without accents. */
  readonly words: readonly string[];
  readonly birthDate: ClinicDate | null;
  /** A card, the end of a phone number, or a record number: the kind is not known. */
  readonly number: PatientNumber | null;
}

export interface PatientNumber {
  /** The end of a phone number; null when it is too short, or not all digits. */
  readonly phoneEnd: string | null;
  /** The number as each province would store it. */
  readonly cards: readonly string[];
  /** In upper case. */
  readonly recordId: string;
}

/** Shorter input would match too many other patients. */
const NAME_MINIMUM = 2;
const DIGITS_MINIMUM = 4;

/** Reads a typed search: a name, a birth date, a number, or several of them; null when it is too little. */
export function patientQuery(typed: string): PatientQuery | null {
  const tokens = typed.trim().split(/[\s,]+/);
  const dates = tokens.map(dateOf).filter((date) => date !== null);
  const rest = tokens.filter((token) => dateOf(token) === null);
  const [numbers, names] = [rest.filter(hasDigit), rest.filter((token) => !hasDigit(token))];
  const words = names.flatMap((name) => foldedName(name).split(' ')).filter(Boolean);
  const number = numbers.length === 0 ? null : numberOf(numbers.join(''));
  const [birthDate = null] = dates;
  if (dates.length > 1) return null;
  const isNamed = words.join('').length >= NAME_MINIMUM;
  return isNamed || birthDate !== null || number !== null ? { words, birthDate, number } : null;
}

const hasDigit = (token: string): boolean => /\d/.test(token);

function dateOf(token: string): ClinicDate | null {
  const [, year, month, day] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(token) ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isClinicDate(date) ? date : null;
}

function numberOf(typed: string): PatientNumber {
  const digits = digitsOf(typed);
  const cards = new Set(PROVINCES.map((province) => normaliseCardNumber(province, typed)));
  const isPhone = digits.length >= DIGITS_MINIMUM && !/[a-z]/i.test(typed);
  return {
    phoneEnd: isPhone ? digits.replace(/^1(?=\d{10}$)/, '') : null,
    cards: [...cards].filter((card) => card.length >= CARD_NUMBER_MINIMUM),
    recordId: typed.toUpperCase(),
  };
}

const PLAIN: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', đ: 'd' };

/** A name in lower case without accents and marks, for comparison in a search. */
export const foldedName = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[\p{Diacritic}'’]/gu, '')
    .replace(/[^\p{L}]+/gu, ' ')
    .toLowerCase()
    // Unicode does not decompose these characters, but staff may type them without the mark.
    .replace(/[øłđ]/g, (each) => PLAIN[each] ?? each)
    .trim();
