import { calendarDate, digitsOf, isProvince, normaliseCardNumber } from '@clinic/domain';

export interface OwnersDetails {
  readonly birthDate: string;
  readonly cardProvince: string;
  readonly cardNumber: string;
}

/** What was typed into the form of §2 Password recovery; the card number may be left out. */
export interface SaidDetails {
  readonly birthYear: number;
  readonly birthMonth: number;
  readonly birthDay: number;
  readonly hin: string;
}

/** the full birth date, and the card number when one was given. */
export function isOwner(owner: OwnersDetails, said: SaidDetails): boolean {
  const { birthYear, birthMonth, birthDay, hin } = said;
  if (calendarDate(birthYear, birthMonth, birthDay) !== owner.birthDate) return false;
  return hin.trim() === '' || isSameCard(owner, hin);
}

/** The field takes digits only (§5), so the letters of a card may be missing. */
function isSameCard({ cardProvince, cardNumber }: OwnersDetails, hin: string): boolean {
  if (cardNumber === '' || !isProvince(cardProvince)) return false;
  return (
    normaliseCardNumber(cardProvince, hin) === cardNumber || hin.trim() === digitsOf(cardNumber)
  );
}
