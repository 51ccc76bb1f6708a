/** The fewest code points of a password. */
export const PASSWORD_MINIMUM = 8;
const PASSWORD_MAXIMUM = 128;

/** Why a password is refused, or null. White space at its ends counts.. */
export function whyPasswordRefused(password: string): 'empty' | 'tooShort' | 'tooLong' | null {
  const { length } = Array.from(password);
  if (length === 0) return 'empty';
  if (length < PASSWORD_MINIMUM) return 'tooShort';
  return length > PASSWORD_MAXIMUM ? 'tooLong' : null;
}

/** Shorter words occur in too many passwords by chance. */
const SHORTEST_WORD = 3;

/**
 * Whether more than half of a password is its owner's name or email (the part before the @, or the whole),
 * ignoring case, accents and punctuation. Pass '' for what is unknown..
 */
export function isOwnNameOrEmail(
  password: string,
  { firstName, lastName, email }: Readonly<Record<'firstName' | 'lastName' | 'email', string>>,
): boolean {
  const folded = lettersAndDigits(password);
  const [local = ''] = email.split('@');
  const parts = [local, firstName, lastName].flatMap((text) => text.split(/[^\p{L}\p{N}]/u));
  const words = [email, local, firstName + lastName, lastName + firstName]
    .concat(firstName, lastName, parts)
    .map(lettersAndDigits)
    .filter((word) => word.length >= SHORTEST_WORD)
    .toSorted((one, other) => other.length - one.length);
  const rest = words.reduce((left, word) => left.replaceAll(word, ' '), folded);
  return lettersAndDigits(rest).length * 2 < folded.length;
}

const lettersAndDigits = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
