import { locale } from '@clinic/app/language';
import { controlWords } from '@clinic/texts';
import { type ValuesFor, addPart, translate } from '@clinic/texts/translate';
import { frame } from '../messages/frame.ts';
import type { desk } from '../messages/index.ts';

export { locale } from '@clinic/app/language';

addPart('frame', frame);

/** The words for a key. Messages with placeholders demand their values. */
export const t = <Key extends keyof typeof desk>(
  key: Key,
  ...[values]: ValuesFor<(typeof desk)[Key]>
): string => translate(locale(), key, values);

/** The words for a key that is put together, or undefined where there are none, or none yet. */
export function wordsOf(key: string): string | undefined {
  const words = translate(locale(), key);
  return words === key ? undefined : words;
}

/** The keys of words without placeholders. */
export type PlainKey = {
  [Key in keyof typeof desk]: ValuesFor<(typeof desk)[Key]> extends [] ? Key : never;
}[keyof typeof desk];

/** What the controls say of themselves. */
export const uiWords = () => controlWords(locale, 'desk.ui.');
