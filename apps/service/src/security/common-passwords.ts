import { dictionary } from '@zxcvbn-ts/language-common';

/** of the passwords that are long enough to be chosen, the 10,000 commonest; in lower case. */
const LENGTH = 8;
const COMMONEST = 10_000;
const common: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter(({ length }) => length >= LENGTH).slice(0, COMMONEST),
);

/** Whether a password is one of the commonest, whatever its capitals. */
export function isCommonPassword(password: string): boolean {
  return common.has(password.toLowerCase());
}
