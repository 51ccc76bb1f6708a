import type { ClinicDate } from '../clinic-time.ts';
import {
  CARD_NUMBER_MINIMUM,
  PROVINCES,
  type Province,
  normaliseCardNumber,
} from '../identity/health-number.ts';
import { normaliseEmail } from '../identity/identity.ts';
import { namePatterns } from '../identity/names.ts';
import { type NearQuery, nearQuery } from '../identity/near-names.ts';
import { digitsOf } from '../identity/phone.ts';
import { datesIn } from './typed-birth-dates.ts';

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
  /** What the name may have been meant as; null where it is too short, or a number was typed. */
  readonly near: NearQuery | null;
  /** The birth date that was typed, in each way in which it can be read; none when none was typed. */
  readonly birthDates: readonly ClinicDate[];
  /** A card, digits of a phone number, or a record number: the kind is not known. */
  readonly number: PatientNumber | null;
  /** How an email may begin, as it is stored; null when it cannot be one. */
  readonly emailBeginning: string | null;
  /** All that was typed as one name, as names may hold digits, or one card; null when none were typed. */
  readonly otherwise: {
    readonly name: readonly string[];
    readonly cards: readonly CardSearched[];
  } | null;
}

export interface PatientNumber {
  /** Digits in a row of a phone number; null when they are too few, or not all digits. */
  readonly phoneDigits: string | null;
  /** The number as each province would store it. */
  readonly cards: readonly CardSearched[];
  /** In upper case. */
  readonly recordId: string;
}

/** Whether a phone number, however it is written, ends in these digits. */
export const isPhoneEnd = (phone: string, end: string): boolean =>
  digitsOf(phone.replace(/\s*(x|ext).*$/i, '')).endsWith(end);

/** Fewer digits of a phone, or characters of an email, would match too many other patients. */
const CHARACTERS_MINIMUM = 4;

/** Reads a typed search: a name, a birth date, a number, or several of them; null when it is too little. */
export function patientQuery(typed: string): PatientQuery | null {
  const { dates, rest } = datesIn(typed.trim().split(/[\s,]+/));
  const [numbers, names] = [rest.filter(hasDigit), rest.filter((token) => !hasDigit(token))];
  const isName = numbers.length + dates.length === 0;
  const nameTyped = isName ? typed : names.join(' ');
  const name = namePatterns(nameTyped);
  const number = numbers.length === 0 ? null : numberOf(numbers.join(''));
  const [birthDates = []] = dates;
  const emailBeginning = dates.length > 0 ? null : emailOf(typed.trim());
  if (dates.length > 1 || (isName && name.length === 0)) return null;
  const near = number !== null || typed.includes('@') ? null : nearQuery(nameTyped);
  const otherwise = isName ? null : { name: namePatterns(typed), cards: cardsOf(typed) };
  return { name, words: names, near, birthDates, number, emailBeginning, otherwise };
}

const hasDigit = (token: string): boolean => /\d/.test(token);

/** Other words than one are no email, nor are numbers, which are searched as those. */
function emailOf(typed: string): string | null {
  const isOne = typed.length >= CHARACTERS_MINIMUM && /^[^\s,]*[^\s,\d()+./-][^\s,]*$/.test(typed);
  return isOne ? normaliseEmail(typed) : null;
}

function numberOf(typed: string): PatientNumber {
  const digits = digitsOf(typed);
  const isPhone = digits.length >= CHARACTERS_MINIMUM && !/[a-z]/i.test(typed);
  const country = typed.startsWith('+') ? /^1/ : /^1(?=\d{10}$)/;
  return {
    phoneDigits: isPhone ? digits.replace(country, '') : null,
    cards: cardsOf(typed),
    recordId: typed.toUpperCase(),
  };
}

const cardsOf = (typed: string): CardSearched[] =>
  PROVINCES.map((province) => ({ province, number: normaliseCardNumber(province, typed) })).filter(
    ({ number }) => number.length >= CARD_NUMBER_MINIMUM,
  );
