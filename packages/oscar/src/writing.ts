/** Writes strictly: values that OSCAR would cut, drop or fail on are refused before they are sent. */
import { OscarInvalid } from './errors.ts';

/**
 * The number of characters that each column holds. OSCAR's MariaDB runs without strict mode: it silently cuts
 * longer texts, and everything after a character of more than three bytes in UTF-8.
 */
export const columns = {
  appointment: { reason: 80, notes: 255, location: 30, type: 50, name: 50 },
  demographic: { firstName: 30, lastName: 30, hin: 20 },
  document: { fileName: 255, description: 255, source: 60, contentType: 60 },
} as const;

/** Checks that every text fits its column. */
export function assertFits<Key extends string>(
  texts: Readonly<Partial<Record<Key, string>>>,
  sizes: Readonly<Record<Key, number>>,
): void {
  for (const [key, text] of Object.entries<string>(texts as Record<Key, string>)) {
    const size = sizes[key as Key];
    if (text.length > size)
      throw new OscarInvalid(`${key} is longer than the ${size} characters that OSCAR keeps`);
    assertStorable(text, key);
  }
}

export function assertStorable(text: string, key: string): void {
  if (
    /[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/u.test(text) ||
    /[\u{10000}-\u{10FFFF}]/u.test(text) ||
    !text.isWellFormed()
  )
    throw new OscarInvalid(`${key} has a character that OSCAR cannot keep`);
}
