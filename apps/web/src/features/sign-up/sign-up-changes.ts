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

/** Changes the country; outside Canada there is no health card, so its fields are cleared. */
export function inCountry(typed: SignUp, country: string): SignUp {
  const changed = { ...typed, country };
  if (country === CANADA) return changed;
  return { ...changed, healthCardProvince: '', healthCardNumber: '', healthCardNumberConfirm: '' };
}

/** Changes the card's province; a number with letters that its cards do not have stays, and is refused. */
export function withCardProvince(typed: SignUp, province: string): SignUp {
  const noNumber = { healthCardNumber: '', healthCardNumberConfirm: '' };
  return { ...typed, healthCardProvince: province, ...(province === 'Other' && noNumber) };
}

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
export function bornOn(typed: SignUp, birthDate: DateParts, today: ClinicDate): SignUp {
  const changed = { ...typed, birthDate };
  return isMinor(changed, today) === isMinor(typed, today)
    ? changed
    : { ...changed, consent: false };
}

export function isMinor({ birthDate }: SignUp, today: ClinicDate): boolean {
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
