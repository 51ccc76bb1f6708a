import { type ClinicDate, calendarDate } from '../clinic-time.ts';
import { EARLIEST_BIRTH, isBirthDate } from '../identity/identity.ts';
import { dialledPhone } from '../identity/phone.ts';
import { isCountryCode } from './countries.ts';

/** What the patient applies for. */
export const VISA_OPTIONS = ['FML', 'STD', 'VST', 'WRK'] as const;

/** §3 Immigration form gender options. */
export const PASSPORT_GENDERS = ['F', 'M', 'X'] as const;

/** A date in the form; a part that is not chosen yet is 0. */
export interface DateParts {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
}

export const NO_DATE: DateParts = { year: 0, month: 0, day: 0 };

/** The empty form, with the defaults of §9. */
export const emptyMedicalProfile = {
  firstName: '',
  lastName: '',
  address: '',
  city: '',
  postal: '',
  phone: '',
  gender: '' as (typeof PASSPORT_GENDERS)[number] | '',
  dob: NO_DATE,
  countryOfBirth: '',
  passportNumber: '',
  issuingCountry: '',
  dateOfIssue: NO_DATE,
  dateOfExpiry: NO_DATE,
  applicationDetails: '' as (typeof VISA_OPTIONS)[number] | '',
  identityDocument: '01',
  preferredLanguage: '1201A',
  hearAboutUs: '',
};

/** The immigration exam profile, complete or not. */
export type MedicalProfile = Readonly<typeof emptyMedicalProfile>;
export type MedicalProfileField = keyof MedicalProfile;

export type MedicalProfileRefusal =
  | { readonly field: MedicalProfileField; readonly code: 'empty' | 'invalid' }
  | { readonly field: 'phone'; readonly code: 'noNumber' }
  | { readonly field: 'dateOfIssue'; readonly code: 'tooEarly' | 'inFuture' | 'notBeforeExpiry' }
  | { readonly field: 'dateOfExpiry'; readonly code: 'expired' | 'tooLate' };

/** §5: a date of issue before this is refused. */
export const EARLIEST_ISSUE: ClinicDate = '2001-05-07';
const LAST_EXPIRY_YEAR = 2035;
const YEARS_AHEAD = 10;

/** Every field, in the order of the form. */
export const MEDICAL_PROFILE_FIELDS = Object.keys(
  emptyMedicalProfile,
) as readonly MedicalProfileField[];

/**
 * The profile as it is stored: texts trimmed, the passport number in capitals without spaces and dashes, the
 * phone without dashes..
 */
export function tidyMedicalProfile(profile: MedicalProfile): MedicalProfile {
  const trimmed = Object.entries(profile).map(([field, value]: [string, unknown]) => [
    field,
    typeof value === 'string' ? value.trim() : value,
  ]);
  return {
    ...(Object.fromEntries(trimmed) as MedicalProfile),
    passportNumber: profile.passportNumber.replace(/[\s\p{Pd}]/gu, '').toUpperCase(),
    phone: profile.phone.trim().replaceAll('-', ''),
  };
}

/**
 * Everything wrong with a profile, in the order of the form, one refusal a field. `today` is the clinic's
 * date. A phone that is kept already passes, though it cannot be right..
 */
export function whyMedicalProfileRefused(
  profile: MedicalProfile,
  today: ClinicDate,
  keptPhone: string | null = null,
): MedicalProfileRefusal[] {
  const tidy = tidyMedicalProfile(profile);
  return MEDICAL_PROFILE_FIELDS.flatMap((field): MedicalProfileRefusal[] => {
    if (isEmpty(tidy[field])) return [{ field, code: 'empty' }];
    if (field === 'dateOfIssue') return judgeIssue(tidy, today);
    if (field === 'dateOfExpiry') return judgeExpiry(tidy, today);
    if (!isValid(field, tidy, today)) return [{ field, code: 'invalid' }];
    const isNone = field === 'phone' && tidy.phone !== keptPhone && !dialledPhone(tidy.phone);
    return isNone ? [{ field, code: 'noNumber' }] : [];
  });
}

function isEmpty(value: string | DateParts): boolean {
  if (typeof value === 'string') return value === '';
  return value.year === 0 || value.month === 0 || value.day === 0;
}

function isValid(field: MedicalProfileField, profile: MedicalProfile, today: ClinicDate): boolean {
  switch (field) {
    case 'phone':
      return /^\d+$/.test(profile.phone);
    case 'passportNumber':
      return /^[A-Z0-9]{5,20}$/.test(profile.passportNumber);
    case 'countryOfBirth':
    case 'issuingCountry':
      return isCountryCode(profile[field]);
    case 'dob': {
      const born = dateOf(profile.dob);
      return born !== null && isBirthDate(born, today);
    }
    default:
      return true;
  }
}

function judgeIssue(profile: MedicalProfile, today: ClinicDate): MedicalProfileRefusal[] {
  const field = 'dateOfIssue';
  const issued = dateOf(profile.dateOfIssue);
  const expires = dateOf(profile.dateOfExpiry);
  if (issued === null) return [{ field, code: 'invalid' }];
  if (issued < EARLIEST_ISSUE) return [{ field, code: 'tooEarly' }];
  if (issued > today) return [{ field, code: 'inFuture' }];
  return expires !== null && issued >= expires ? [{ field, code: 'notBeforeExpiry' }] : [];
}

function judgeExpiry({ dateOfExpiry }: MedicalProfile, today: ClinicDate): MedicalProfileRefusal[] {
  const field = 'dateOfExpiry';
  const expires = dateOf(dateOfExpiry);
  if (expires === null) return [{ field, code: 'invalid' }];
  if (expires < today) return [{ field, code: 'expired' }];
  return dateOfExpiry.year > lastExpiryYear(today) ? [{ field, code: 'tooLate' }] : [];
}

const dateOf = ({ year, month, day }: DateParts) => calendarDate(year, month, day);
const yearOf = (date: ClinicDate): number => Number(date.slice(0, 4));
const lastExpiryYear = (today: ClinicDate): number =>
  Math.max(LAST_EXPIRY_YEAR, yearOf(today) + YEARS_AHEAD);

const years = (from: number, to: number): number[] =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, n) => (from < to ? from + n : from - n));

/** The years of birth to offer, the newest first, back to 1900. */
export const birthYears = (today: ClinicDate): number[] =>
  years(yearOf(today), yearOf(EARLIEST_BIRTH));

/** The years of issue to offer, the newest first, back to 2001. */
export const issueYears = (today: ClinicDate): number[] =>
  years(yearOf(today), yearOf(EARLIEST_ISSUE));

/** The years of expiry to offer, from this year to the later of 2035 and ten years from now. */
export const expiryYears = (today: ClinicDate): number[] =>
  years(yearOf(today), lastExpiryYear(today));
