import { COUNTRIES } from '@clinic/domain';
import { type Locale, type Message, monthNames } from '@clinic/texts';
import { compiled, translationsOf } from '@clinic/texts/catalogues';
import { PSEUDO, PSEUDO_MIRRORED, inPseudo, outsideBrackets } from '@clinic/texts/pseudo';

import { englishTexts } from '../../tools/texts.mjs';
import { BETWEEN, literal } from './said.ts';

/** The texts of the product in a language, as patterns for what stands on a page. */
export interface Catalogue {
  readonly locale: Locale;
  /** For what the page says where an English one says this. */
  readonly patternFor: (english: string) => string;
  /** Why these words should not stand on a page in this language. */
  readonly mistakeIn: (words: string) => string | null;
}

/** What the formatters and the domain write in place of the catalogues: days, amounts, doctors. */
const formatted = [
  /\b(Su|Mo|Tu|We|Th|Fr|Sa)([a-z]*day|[nuedtri])?\b/g,
  /\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b/g,
  /\bCAD\b/g,
  /\b((Dr\.|NP) )?[A-Z]\. [A-Z]\w+/g,
];

const countryNames = new Set(COUNTRIES.map(({ name }) => name));

/** Whether somebody else has written all of these words; a card provider speaks its own language. */
function isFormatted(words: string): boolean {
  if (countryNames.has(words)) return true;
  if (words.startsWith('We are unable to authenticate your payment method.')) return true;
  const left = formatted.reduce((rest, each) => rest.replaceAll(each, ''), words);
  return !/\p{L}/u.test(left);
}

export async function catalogueIn(locale: Locale): Promise<Catalogue> {
  const english = (await englishTexts()) as Readonly<Record<string, string>>;
  const inEnglish = compiled(english);
  const isPseudo = locale === PSEUDO || locale === PSEUDO_MIRRORED;
  const translations = isPseudo || locale === 'en' ? {} : translationsOf(locale, () => true);
  const inLanguage = (id: string): Message => {
    const message = inEnglish[id] ?? id;
    return isPseudo ? inPseudo(message) : (translations[id] ?? message);
  };
  const texts = Object.keys(english).map((id) => {
    const names: string[] = [];
    const source = patternOf(inEnglish[id] ?? id, (name) => `(${names.push(name) && '.+?'})`);
    const said = patternOf(inLanguage(id), () => '.+');
    return { id, names, pattern: whole(source), said, text: english[id] ?? '' };
  });
  const ids = new Set(texts.map(({ id }) => id));
  // A text of values alone could be any words.
  const wordy = texts.filter(({ text }) => /\p{L}/u.test(text.replaceAll(/\{\w+[^{}]*\}/g, '')));
  const asInEnglish = new Set(
    texts
      .filter(({ id }) => translations[id]?.toString() === inEnglish[id]?.toString())
      .map(({ text }) => text),
  );

  const months = new Map(monthNames('en').map((name, at) => [name, monthNames(locale)[at] ?? '']));

  const patternFor = (words: string): string => {
    const month = months.get(words);
    if (month !== undefined) return literal(month);
    const same = texts.filter(({ text }) => text === words).map(({ said }) => said);
    const filled = wordy.flatMap(({ id, names, pattern }) => {
      const [, ...values] = pattern.exec(words) ?? [];
      if (values.length === 0) return [];
      return [patternOf(inLanguage(id), (name) => patternFor(values[names.indexOf(name)] ?? ''))];
    });
    const found = same.length > 0 ? same : [literal(words), ...filled];
    return `(?:${[...new Set(found)].join('|')})`;
  };

  const mistakeIn = (words: string): string | null => {
    const sentence = words.replaceAll(BETWEEN, '');
    if (sentence.split(/\s+/).some((word) => ids.has(word))) return 'the name of a text';
    if (/\{\w+\}/.test(sentence)) return 'a place without its value';
    if (isPseudo) return isFormatted(outsideBrackets(sentence)) ? null : 'in no catalogue';
    if (locale === 'en') return null;
    for (const each of [sentence, ...words.split(BETWEEN)]) {
      const left = wordy.find(({ text, pattern }) => !asInEnglish.has(text) && pattern.test(each));
      if (left === undefined || wordy.some(({ said }) => whole(said).test(each))) continue;
      return `the English of ${left.id}`;
    }
    return null;
  };
  return { locale, patternFor, mistakeIn };
}

const whole = (pattern: string) => new RegExp(`^${pattern}$`, 's');

/** A pattern for what a compiled text says, with one for each of its values. */
function patternOf(message: Message, value: (name: string) => string): string {
  if (typeof message === 'string') return literal(message);
  return message
    .map((token) => {
      if (token === '#') return '[\\d\\s.,]+';
      if (typeof token === 'string') return literal(token);
      const [name, , forms] = token as [
        string,
        string?,
        Readonly<Record<string, Message | undefined>>?,
      ];
      if (forms === undefined) return value(name);
      const said = Object.values(forms).flatMap((form) =>
        form === undefined ? [] : [patternOf(form, value)],
      );
      return `(?:${said.join('|')})`;
    })
    .join('');
}
