import {
  ageOn,
  calendarDate,
  CANADA,
  digitsOf,
  isBirthDate,
  isProvince,
  needsRepresentative,
  normaliseCardNumber,
  type ClinicDate,
  type DateParts,
} from '@clinic/domain';
import type { SignUp } from './sign-up-draft.ts';

/** Changes the country; outside Canada there is no health card, so its fields are cleared. */
export function inCountry(typed: SignUp, country: string): SignUp {
  const changed = { ...typed, country };
  if (country === CANADA) return changed;
  return { ...changed, healthCardProvince: '', healthCardNumber: '', healthCardNumberConfirm: '' };
}

/** Changes the card's province; the number keeps only the characters that the province's cards allow. */
export function withCardProvince(typed: SignUp, province: string): SignUp {
  return {
    ...typed,
    healthCardProvince: province,
    healthCardNumber: cardCharacters(province, typed.healthCardNumber),
    healthCardNumberConfirm: cardCharacters(province, typed.healthCardNumberConfirm),
  };
}

/** The characters of a card number: digits, and letters where the province's cards have them. */
export function cardCharacters(province: string, text: string): string {
  return isProvince(province) ? normaliseCardNumber(province, text) : digitsOf(text);
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
