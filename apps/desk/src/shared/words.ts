import { ENGLISH, controlWords } from '@clinic/texts';
import { type Values, addPart, translate } from '@clinic/texts/translate';
import { desk } from '../messages/index.ts';

addPart('desk', desk);

/** The front desk is in English only. */
export const locale = ENGLISH.id;

export const t = (key: keyof typeof desk, values?: Values): string =>
  translate(locale, key, values);

export const uiWords = controlWords(() => locale);
