/** Writing strictly: what OSCAR would cut, drop or stumble over is refused before it is sent. */
import { OscarInvalid } from './errors.ts';

/**
 * How many characters a column takes. MariaDB runs without strict mode under OSCAR: it cuts what is
 * longer, and everything after a character beyond three bytes of UTF-8, and says nothing.
 */
export type Columns = Readonly<Record<string, number>>;

export const columns = {
  appointment: { reason: 80, notes: 255, location: 30, type: 50, name: 50 },
  demographic: {
    firstName: 30,
    lastName: 30,
    hin: 20,
    ver: 3,
    email: 100,
    phone: 20,
    address: 60,
    city: 50,
    province: 20,
    postal: 9,
  },
  document: { fileName: 255, description: 255, source: 60, contentType: 60 },
} as const satisfies Record<string, Columns>;

/** Every text must fit its column; a key that has none is unknown. */
export function assertFits<Key extends string>(
  texts: Readonly<Partial<Record<Key, string>>>,
  sizes: Readonly<Record<Key, number>>,
): void {
  for (const [key, text] of Object.entries<string | undefined>(texts)) {
    const size = Object.hasOwn(sizes, key) ? sizes[key as Key] : undefined;
    if (size === undefined) throw new OscarInvalid(`OSCAR does not know the field ${key}`);
    if (text !== undefined && text.length > size)
      throw new OscarInvalid(`${key} is longer than the ${size} characters that OSCAR keeps`);
    if (text !== undefined) assertStorable(text, key);
  }
}

/** Jackson rejects, and some builds ignore, a key that they do not know: neither may happen. */
export function assertKnownKeys(given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new OscarInvalid(`OSCAR does not know the field ${unknown}`);
}

export function assertStorable(text: string, key: string): void {
  if (
    /[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/u.test(text) ||
    /[\u{10000}-\u{10FFFF}]/u.test(text) ||
    !text.isWellFormed()
  )
    throw new OscarInvalid(`${key} has a character that OSCAR cannot keep`);
}
