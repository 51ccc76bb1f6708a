/** Fewest and most code points of a password, both accepted. */
export const PASSWORD_MINIMUM = 8;
export const PASSWORD_MAXIMUM = 128;

/** Why a password is refused, or null. It is taken as typed: spaces count. */
export function whyPasswordRefused(password: string): 'empty' | 'tooShort' | 'tooLong' | null {
  const { length } = Array.from(password);
  if (length === 0) return 'empty';
  if (length < PASSWORD_MINIMUM) return 'tooShort';
  return length > PASSWORD_MAXIMUM ? 'tooLong' : null;
}
