/** Writes strictly: values that OSCAR would cut, drop or fail on are refused before they are sent. */
import { OscarInvalid } from './errors.ts';

/**
 * The number of characters that each column holds. OSCAR's MariaDB runs without strict mode: it silently cuts
 * longer texts, and everything after a character of more than three bytes in UTF-8.
 */
export const columns = {
  appointment: { reason: 80, notes: 255, location: 30, type: 50, name: 50 },
  demographic: {
    firstName: 30,
    lastName: 30,
    hin: 20,
    email: 100,
    phone: 20,
    phone2: 20,
    address: 60,
    city: 50,
    province: 20,
    postal: 9,
  },
  document: { fileName: 255, description: 255, source: 60, contentType: 60 },
  tickler: { message: 65_535 },
} as const;

/** Checks that every column keeps its text. */
export function assertFits<Column extends string>(
  texts: Readonly<Partial<Record<Column, string>>>,
  sizes: Readonly<Record<Column, number>>,
): void {
  for (const [column, text] of Object.entries<string>(texts as Record<Column, string>))
    if (!fits(text, sizes[column as Column]))
      throw new OscarInvalid(`OSCAR cannot keep all of ${column}`);
}

/** Whether a column of so many characters keeps the whole text. */
export const fits = (text: string, size: number): boolean =>
  text.length <= size &&
  text.isWellFormed() &&
  !/[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF\u{10000}-\u{10FFFF}]/u.test(text);
