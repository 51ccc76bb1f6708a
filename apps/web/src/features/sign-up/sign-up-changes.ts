import {
  ageOn,
  calendarDate,
  CANADA,
  isBirthDate,
  hasCardCharacters,
  needsRepresentative,
  normaliseCardNumber,
  type ClinicDate,
  type DateParts,
  type Province,
} from '@clinic/domain';
import type { SignUp } from './sign-up-draft.ts';

const NO_NUMBER = { healthCardNumber: '', healthCardNumberConfirm: '' };

/** Changes the country; outside Canada there is no health card, so its fields are cleared. */
export const inCountry = (country: string): Partial<SignUp> =>
  country === CANADA ? { country } : { country, healthCardProvince: '', ...NO_NUMBER };

/** Changes the card's province; a number with letters that its cards do not have stays, and is refused. */
export const withCardProvince = (province: string): Partial<SignUp> => ({
  healthCardProvince: province,
  ...(province === 'Other' && NO_NUMBER),
});

/**
 * A card number as its field shows it: without spaces and dashes. A key that the province's cards do not have
 * changes nothing; a pasted text with such characters stays as it is, for the rules to refuse.
 */
export function cardNumber(province: Province, before: string, typed: string): string {
  const number = normaliseCardNumber(province, typed);
  if (hasCardCharacters(province, number)) return number;
  return typed.length === before.length + 1 ? before : typed;
}

/** Changes the birth date. The consent for a patient under 19 is another sentence, so it is unticked. */
export const bornOn = (
  before: DateParts,
  birthDate: DateParts,
  today: ClinicDate,
): Partial<SignUp> =>
  isMinor(birthDate, today) === isMinor(before, today)
    ? { birthDate }
    : { birthDate, consent: false };

export function isMinor(birthDate: DateParts, today: ClinicDate): boolean {
  const born = birthDateOf(birthDate, today);
  return born !== null && needsRepresentative(born, today);
}

/** Age in full years; null while the date is incomplete or invalid. */
export function ageOf(birthDate: DateParts, today: ClinicDate): number | null {
  const born = birthDateOf(birthDate, today);
  return born === null ? null : ageOn(born, today);
}

function birthDateOf({ day, month, year }: DateParts, today: ClinicDate): ClinicDate | null {
  const date = calendarDate(year, month, day);
  return date !== null && isBirthDate(date, today) ? date : null;
}
