import { type ClinicDate, isClinicDate } from '../clinic-time.ts';
import { type RegistrationProblem, cardNumberProblems } from '../identity/forms.ts';
import { isProvince, normaliseCardNumber } from '../identity/health-number.ts';
import { isBirthDate, whyNameRefused } from '../identity/identity.ts';

/** How staff checked the patient's identity before they corrected something. */
export const IDENTITY_CHECKS = ['photoIdSeen', 'calledBack'] as const;
export type IdentityCheck = (typeof IDENTITY_CHECKS)[number];

/** A patient's identity as staff enter it. */
export interface PatientDetails {
  readonly firstName: string;
  readonly lastName: string;
  /** 'YYYY-MM-DD'. */
  readonly birthDate: string;
  /** Null when staff enter no card; 'Other' means no Canadian card. */
  readonly card: { readonly province: string; readonly number: string } | null;
}

/** Everything wrong with these details, one problem a field, by the rules of the sign-up form. */
export function whyDetailsRefused(
  { firstName, lastName, birthDate, card }: PatientDetails,
  today: ClinicDate,
): RegistrationProblem[] {
  const ofName = (field: 'firstName' | 'lastName', name: string): RegistrationProblem[] => {
    const code = whyNameRefused(name);
    return code === null ? [] : [{ field, code }];
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
  return cardNumberProblems(province, normaliseCardNumber(province, typed));
}
