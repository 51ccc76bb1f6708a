/** The parts of a Canadian number as sign-up asks for them: 3, 3 and 4 digits. */
export type PhoneParts = readonly [area: string, exchange: string, line: string];

/** The most characters that the auto-formatting phone input holds: NNN-NNN-NNNN. */
export const PHONE_INPUT_MAXIMUM = 12;

/** The digits of a text. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

/** What the phone input shows for the typed text: dashes are added, 12 characters at most. */
export function formatPhone(typed: string): string {
  const digits = digitsOf(typed);
  const parts = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)];
  return parts.filter(Boolean).join('-').slice(0, PHONE_INPUT_MAXIMUM);
}

/** Whether the text is a Canadian number: exactly ten digits, with or without its dashes. */
export function isCanadianPhone(text: string): boolean {
  return /^\d{3}-?\d{3}-?\d{4}$/.test(text);
}

/** Ten digits from 3+3+4, '' when all parts are empty, null when a part has the wrong length. */
export function joinPhone([area, exchange, line]: PhoneParts): string | null {
  const joined = `${area}-${exchange}-${line}`;
  if (joined === '--') return '';
  return /^\d{3}-\d{3}-\d{4}$/.test(joined) ? joined.replaceAll('-', '') : null;
}

/** The three parts of a ten-digit number; missing parts are ''. */
export function splitPhone(phone: string): PhoneParts {
  const digits = digitsOf(phone);
  return [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6, 10)];
}

/** Whether the text is an international number: digits only, at least nine. */
export function isInternationalPhone(text: string): boolean {
  return /^\d{9,}$/.test(text);
}

/** The three numbers of a patient; empty when not given. */
export interface Phones {
  readonly mobilePhone: string;
  readonly phone: string;
  readonly internationalPhone: string;
}

export type PhoneRefusal =
  | { readonly field: 'phones'; readonly code: 'missing' }
  | { readonly field: keyof Phones; readonly code: 'invalid' };

/** Everything wrong with a patient's phone numbers: none given, or malformed ones. */
export function whyPhonesRefused(
  phones: Phones,
  isInternational: (text: string) => boolean = isInternationalPhone,
): PhoneRefusal[] {
  const { mobilePhone, phone, internationalPhone } = phones;
  if (!mobilePhone && !phone && !internationalPhone) return [{ field: 'phones', code: 'missing' }];
  const fits = (field: keyof Phones) =>
    (field === 'internationalPhone' ? isInternational : isCanadianPhone)(phones[field]);
  return (['mobilePhone', 'phone', 'internationalPhone'] as const)
    .filter((field) => phones[field] && !fits(field))
    .map((field) => ({ field, code: 'invalid' }));
}
