import { type ClinicDate, calendarDate } from '../clinic-time.ts';
import {
  CARD_NUMBER_MINIMUM,
  PROVINCES,
  type Province,
  normaliseCardNumber,
} from '../identity/health-number.ts';
import { namePatterns } from '../identity/names.ts';
import { digitsOf } from '../identity/phone.ts';

/** A card as it is stored and compared: equal numbers of two provinces are two cards. */
export interface CardSearched {
  readonly province: Province;
  readonly number: string;
}

/** What a search at the front desk asks for; a patient must match all of it, or its `otherwise`. */
export interface PatientQuery {
  /** What the folded name must match: see `namePatterns`. */
  readonly name: readonly string[];
  /** The words of the name, as they were typed. */
  readonly words: readonly string[];
  readonly birthDate: ClinicDate | null;
  /** A card, the end of a phone number, or a record number: the kind is not known. */
  readonly number: PatientNumber | null;
  /** All that was typed as one name, as names may hold digits, or one card; null when none were typed. */
  readonly otherwise: {
    readonly name: readonly string[];
    readonly cards: readonly CardSearched[];
  } | null;
}

export interface PatientNumber {
  /** The end of a phone number; null when it is too short, or not all digits. */
  readonly phoneEnd: string | null;
  /** The number as each province would store it. */
  readonly cards: readonly CardSearched[];
  /** In upper case. */
  readonly recordId: string;
}

/** Whether a phone number, however it is written, ends in these digits. */
export const isPhoneEnd = (phone: string, end: string): boolean =>
  digitsOf(phone.replace(/\s*(x|ext).*$/i, '')).endsWith(end);

/** Fewer digits would match too many other patients. */
const DIGITS_MINIMUM = 4;

/** Reads a typed search: a name, a birth date, a number, or several of them; null when it is too little. */
export function patientQuery(typed: string): PatientQuery | null {
  const tokens = typed.trim().split(/[\s,]+/);
  const dates = tokens.map(dateOf).filter((date) => date !== null);
  const rest = tokens.filter((token) => dateOf(token) === null);
  const [numbers, names] = [rest.filter(hasDigit), rest.filter((token) => !hasDigit(token))];
  const isName = numbers.length + dates.length === 0;
  const name = namePatterns(isName ? typed : names.join(' '));
  const number = numbers.length === 0 ? null : numberOf(numbers.join(''));
  const [birthDate = null] = dates;
  if (dates.length > 1 || (isName && name.length === 0)) return null;
  const otherwise = isName ? null : { name: namePatterns(typed), cards: cardsOf(typed) };
  return { name, words: names, birthDate, number, otherwise };
}

const hasDigit = (token: string): boolean => /\d/.test(token);

function dateOf(token: string): ClinicDate | null {
  const [, year, month, day] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(token) ?? [];
  return calendarDate(Number(year), Number(month), Number(day));
}

function numberOf(typed: string): PatientNumber {
  const digits = digitsOf(typed);
  const isPhone = digits.length >= DIGITS_MINIMUM && !/[a-z]/i.test(typed);
  return {
    phoneEnd: isPhone ? digits.replace(/^1(?=\d{10}$)/, '') : null,
    cards: cardsOf(typed),
    recordId: typed.toUpperCase(),
  };
}

const cardsOf = (typed: string): CardSearched[] =>
  PROVINCES.map((province) => ({ province, number: normaliseCardNumber(province, typed) })).filter(
    ({ number }) => number.length >= CARD_NUMBER_MINIMUM,
  );
