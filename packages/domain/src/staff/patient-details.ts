import { type ClinicDate, isClinicDate } from '../clinic-time.ts';
import type { RegistrationProblem } from '../identity/forms.ts';
import {
  CARD_NUMBER_MINIMUM,
  isProvince,
  normaliseCardNumber,
  whyCardRefused,
} from '../identity/health-number.ts';
import { hasInvalidSymbol, isBirthDate } from '../identity/identity.ts';

/** How staff made sure of who asks before they put something right. */
export const IDENTITY_CHECKS = ['photoIdSeen', 'calledBack'] as const;
export type IdentityCheck = (typeof IDENTITY_CHECKS)[number];

/** Who somebody is, as staff write it down. */
export interface PatientDetails {
  readonly firstName: string;
  readonly lastName: string;
  /** 'YYYY-MM-DD'. */
  readonly birthDate: string;
  /** Null where the card is not written; 'Other' stands for no Canadian card. */
  readonly card: { readonly province: string; readonly number: string } | null;
}

/** Everything that keeps these details from being written, one problem a field: the rules of the sign-up form. */
export function whyDetailsRefused(
  { firstName, lastName, birthDate, card }: PatientDetails,
  today: ClinicDate,
): RegistrationProblem[] {
  const ofName = (field: 'firstName' | 'lastName', name: string): RegistrationProblem[] => {
    if (name.trim() === '') return [{ field, code: 'missing' }];
    return hasInvalidSymbol(name) ? [{ field, code: 'invalidSymbol' }] : [];
  };
  const isBirth = isClinicDate(birthDate) && isBirthDate(birthDate, today);
  return [
    ...ofName('firstName', firstName),
    ...ofName('lastName', lastName),
    ...(isBirth ? [] : [{ field: 'birthDate', code: 'invalid' } as const]),
    ...(card === null ? [] : problemsOfCard(card)),
  ];
}

function problemsOfCard({
  province,
  number: typed,
}: NonNullable<PatientDetails['card']>): RegistrationProblem[] {
  if (!isProvince(province)) return [{ field: 'healthCardProvince', code: 'notInList' }];
  const field = 'healthCardNumber';
  const code = whyCardRefused(province, normaliseCardNumber(province, typed));
  switch (code) {
    case null:
      return [];
    case 'empty':
      return [{ field, code: 'missing' }];
    case 'tooShort':
      return [{ field, code, minimum: CARD_NUMBER_MINIMUM }];
    case 'bcInvalid':
      return [{ field, code }];
  }
}
