import {
  PHONE_FIELDS,
  type PhoneCode,
  type PhoneField,
  type Phones,
  canadianPhone,
  internationalPhones,
  whyPhoneRefused as whyRefusedByDigits,
} from '@clinic/domain';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** A number as it is kept: `digits` is what the calls say, ten of them or the country code and the rest. */
interface ReadPhone {
  readonly digits: string;
  /** ITU-T E.164: `+` and the country code first. */
  readonly e164: string;
}

/** The E.164 of each number, in columns of their own; null where none is kept or it cannot be right. */
export type PhonesE164 = { readonly [Field in PhoneField as `${Field}E164`]: string | null };

const existing = (number: string): string[] => {
  const found = parsePhoneNumberFromString(number);
  return found?.isValid() === true ? [found.number] : [];
};

/** Reads what was typed for a field, or says why it cannot be right. The table of all countries decides. */
export function readPhone(field: PhoneField, typed: string): ReadPhone | PhoneCode {
  const code = whyRefusedByDigits(field, typed);
  if (code !== null) return code;
  if (field !== 'internationalPhone') {
    const digits = canadianPhone(typed) ?? '';
    const [e164] = existing(`+1${digits}`);
    return e164 === undefined ? 'invalid' : { digits, e164 };
  }
  const meant = internationalPhones(typed);
  const [e164, another] = meant.flatMap(existing);
  if (e164 !== undefined && another === undefined) return { digits: e164.slice(1), e164 };
  // Ten digits may be a number of Vancouver and of Malaysia.
  return another === undefined && /^[^\d]*\+/.test(typed.normalize('NFKC'))
    ? 'invalid'
    : 'countryCode';
}

/** As `readPhone`, for the rules of a form. */
export function whyPhoneRefused(field: PhoneField, typed: string): PhoneCode | null {
  const read = readPhone(field, typed);
  return typeof read === 'string' ? read : null;
}

type Columns = Phones & PhonesE164;

/** The columns of the numbers of an accepted form. One that is kept though it cannot be right stays as it is. */
export function phoneColumns(form: Partial<Phones>, kept?: Phones): Partial<Columns> {
  const columns: { -readonly [Column in keyof Columns]?: Columns[Column] } = {};
  for (const field of PHONE_FIELDS) {
    const typed = form[field];
    if (typed === undefined) continue;
    const read = typed.trim() === '' ? { digits: '', e164: null } : readPhone(field, typed);
    const isRead = typeof read !== 'string';
    columns[field] = isRead ? read.digits : (kept?.[field] ?? '');
    columns[`${field}E164`] = isRead ? read.e164 : null;
  }
  return columns;
}

/**
 * A kept number in E.164; null for none and for one that cannot be right. Version 0.2.0 leaves the column as
 * it was: one that does not fit the digits is worked out anew.
 */
export function e164Of(row: Columns, field: PhoneField): string | null {
  const kept = row[`${field}E164`];
  const digits = row[field];
  if (kept === `+${field === 'internationalPhone' ? '' : '1'}${digits}`) return kept;
  const read = readPhone(field, digits);
  return typeof read === 'string' ? null : read.e164;
}
