import { readFileSync } from 'node:fs';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { formats } from './formats.ts';
import { ENGLISH, languages } from './languages.ts';
import { type Messages, readPo } from './po.ts';
import { type Catalogue, addMessages, compileBy } from './translate.ts';

compileBy((text) => [compileMessage(text)].flat());

/** The wanted translations of a language, read from its file in `locales` and compiled. */
export function translationsOf(language: string, wanted: (id: string) => boolean): Catalogue {
  const path = new URL(`../locales/${language}.po`, import.meta.url);
  const messages = Object.entries(readPo(readFileSync(path, 'utf8')));
  return compiled(Object.fromEntries(messages.filter(([id]) => wanted(id))));
}

export const compiled = (messages: Messages): Catalogue =>
  Object.fromEntries(Object.entries(messages).map(([id, text]) => [id, compileMessage(text)]));

/**
 * Registers the texts in every language, for a process without a build. `english` has the texts by part; a
 * text's id is the part and the code.
 */
export function readCatalogues(english: Readonly<Record<string, Messages>>): void {
  const texts = Object.entries({ ...english, format: formats }).flatMap(([part, messages]) =>
    Object.entries(messages).map(([code, text]) => [`${part}.${code}`, text] as const),
  );
  const ids = new Set<string>(texts.map(([id]) => id));
  addMessages(ENGLISH.id, compiled(Object.fromEntries(texts)));
  for (const { id } of languages)
    if (id !== ENGLISH.id)
      addMessages(
        id,
        translationsOf(id, (text) => ids.has(text)),
      );
}
