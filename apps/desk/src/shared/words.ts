import { ENGLISH, controlWords } from '@clinic/texts';
import { type ValuesFor, addPart, translate } from '@clinic/texts/translate';
import { desk } from '../messages/index.ts';

addPart('desk', desk);

/** The front desk is in English only. */
export const locale = ENGLISH.id;

/** The words for a key. Messages with placeholders demand their values. */
export const t = <Key extends keyof typeof desk>(
  key: Key,
  ...[values]: ValuesFor<(typeof desk)[Key]>
): string => translate(locale, key, values);

/** The words for a key that is put together, or undefined where there are none. */
export const wordsOf = (key: string): string | undefined =>
  Object.hasOwn(desk, key) ? translate(locale, key) : undefined;

/** The keys of words without placeholders. */
export type PlainKey = {
  [Key in keyof typeof desk]: ValuesFor<(typeof desk)[Key]> extends [] ? Key : never;
}[keyof typeof desk];

export const uiWords = controlWords(() => locale);
