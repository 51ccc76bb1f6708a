import { type ClinicDate, isClinicDate } from '../clinic-time.ts';
import { CARD_NUMBER_MINIMUM, PROVINCES, normaliseCardNumber } from '../identity/health-number.ts';
import { digitsOf } from '../identity/phone.ts';

/** What a search of the front desk asks for; a patient fits all of it. */
export interface PatientQuery {
  /** Each begins a word of the name; without capitals and accents. */
  readonly words: readonly string[];
  readonly birthDate: ClinicDate | null;
  /** A card, the end of a phone number, or the number of a record: of which kind is not known. */
  readonly number: PatientNumber | null;
}

export interface PatientNumber {
  /** Null where it is no end of a phone number: too short, or not of digits alone. */
  readonly phoneEnd: string | null;
  /** As a province may keep it. */
  readonly cards: readonly string[];
  /** In capitals. */
  readonly recordId: string;
}

/** Fewer would show strangers. */
const NAME_MINIMUM = 2;
const DIGITS_MINIMUM = 4;

/** Reads what was typed: a name, a birth date, a number, or several of them; null for too little. */
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

/** A name without capitals, accents and marks, as names are compared in a search. */
export const foldedName = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[\p{Diacritic}'’]/gu, '')
    .replace(/[^\p{L}]+/gu, ' ')
    .toLowerCase()
    // Unicode takes no mark off these; who types them may.
    .replace(/[øłđ]/g, (each) => PLAIN[each] ?? each)
    .trim();
