import { sayErrorsIn } from '@clinic/app/api-error';
import { locale } from '@clinic/app/language';
import { controlWords } from '@clinic/texts';
import { type ValuesFor, addPart, translate } from '@clinic/texts/translate';
import { shell } from './en/shell.ts';
import type * as catalogue from './parts.ts';

type AllOf<Part> = (Part extends unknown ? (part: Part) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;
/** Every message a patient reads; a feature's own part is loaded with the feature's route. */
type Catalogue = AllOf<(typeof catalogue)[keyof typeof catalogue]>;

type MessageKey = keyof Catalogue;

export { loadMessages, locale, speak } from '@clinic/app/language';

addPart('shell', shell);

/** The words for a key. Messages with placeholders demand their values. */
export const t = <Key extends MessageKey>(
  key: Key,
  ...[values]: ValuesFor<Catalogue[Key]>
): string => translate(locale(), key, values);

sayErrorsIn({ unreachable: () => t('ui.unreachable'), broken: () => t('ui.broken') });

/** What the controls say of themselves. */
export const uiWords = () => controlWords(locale);
