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

/** Another country than Canada has no card here: what stood of one goes. */
export function inCountry(typed: SignUp, country: string): SignUp {
  const changed = { ...typed, country };
  if (country === CANADA) return changed;
  return { ...changed, healthCardProvince: '', healthCardNumber: '', healthCardNumberConfirm: '' };
}

/** A card of that province; Other has no number, and others keep what fits them. */
export function withCardProvince(typed: SignUp, province: string): SignUp {
  return {
    ...typed,
    healthCardProvince: province,
    healthCardNumber: cardCharacters(province, typed.healthCardNumber),
    healthCardNumberConfirm: cardCharacters(province, typed.healthCardNumberConfirm),
  };
}

/** What may be typed of a card number: digits, and letters where the province's cards have some. */
export function cardCharacters(province: string, text: string): string {
  return isProvince(province) ? normaliseCardNumber(province, text) : digitsOf(text);
}

/** Whoever consents for somebody under 19 says another sentence, so a tick does not move over. */
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

/** In full years, or null while the date is none. */
export function ageOf(birthDate: DateParts, today: ClinicDate): number | null {
  const born = birthDateOf(birthDate, today);
  return born === null ? null : ageOn(born, today);
}

function birthDateOf({ day, month, year }: DateParts, today: ClinicDate): ClinicDate | null {
  const date = calendarDate(year, month, day);
  return date !== null && isBirthDate(date, today) ? date : null;
}
