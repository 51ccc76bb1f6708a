import { type PatientQuery, foldedName, isPhoneEnd, nameFits } from '@clinic/domain';
import { type Patient, type PatientSearch, isSameNumber } from '@clinic/oscar';

// How a search at the front desk is asked of OSCAR, which finds more, or less, than was meant.

/** Card numbers that OSCAR can be asked for. */
export const isCard = (number: string) => /^[0-9A-Za-z]{4,12}$/.test(number);

const HAS_ZERO = /-0/;

/** What OSCAR is asked for: of number, birth date and name the first that was typed, as the rest is compared here. */
export function searchesOf({ words, birthDates, number }: PatientQuery): readonly PatientSearch[] {
  if (number !== null) {
    const cards = new Set(number.cards.map((card) => card.number).filter(isCard));
    return [
      ...[...cards].map((card) => ({ number: card })),
      ...(number.phoneDigits === null ? [] : [{ phoneEnd: number.phoneDigits }]),
    ];
  }
  const names = namesOf(words);
  if (birthDates.length === 0) return names;
  // OSCAR does not find a date that it has without its zeros.
  const hasZero = birthDates.some((date) => HAS_ZERO.test(date));
  return [...birthDates.map((birthDate) => ({ birthDate })), ...(hasZero ? names : [])];
}

/** Which of the words is the family name is not known. */
function namesOf(words: readonly string[]): readonly PatientSearch[] {
  const [first = '', ...rest] = words;
  const last = rest.at(-1);
  const whole = words.join(' ');
  const apart = last === undefined ? [] : [[first, last] as const, [last, first] as const];
  return [
    ...apart.map(([firstName, lastName]) => ({ firstName, lastName })),
    ...(whole === '' ? [] : [{ lastName: whole }, { firstName: whole }]),
  ];
}

export const isSearched = (chart: Patient, { name, birthDates, number }: PatientQuery): boolean =>
  nameFits(name)(foldedName(chart)) &&
  (birthDates.length === 0 || birthDates.some((date) => date === chart.birthDate)) &&
  (number === null || hasSearchedNumber(chart, number));

const hasSearchedNumber = (
  { no, card, phones }: Patient,
  { recordId, cards, phoneDigits }: NonNullable<PatientQuery['number']>,
): boolean =>
  recordId === no ||
  (card !== null && cards.some(({ number }) => isSameNumber(card.number, number))) ||
  (phoneDigits !== null && phones.some((phone) => isPhoneEnd(phone, phoneDigits)));
