import { type I18n, setupI18n } from '@lingui/core';
import { ENGLISH } from './languages.ts';

/** The id of a language or of a pseudo-locale. */
export type Locale = string;

/** The values of a text's placeholders. */
export type Values = Readonly<Record<string, string | number | undefined>>;

/** A text as ICU message, or compiled as the browser gets it. */
export type Message = string | readonly unknown[];
export type Catalogue = Readonly<Record<string, Message>>;

const spoken = new Map<Locale, I18n>();
const madeFromEnglish = new Map<Locale, (message: Message) => Message>();

function inLocale(locale: Locale): I18n {
  const known = spoken.get(locale);
  if (known) return known;
  const i18n = setupI18n({ locale, messages: { [locale]: {} } });
  spoken.set(locale, i18n);
  return i18n;
}

export function addMessages(locale: Locale, messages: Catalogue): void {
  const ready = Object.entries(messages).map(([id, message]) => [id, tokens(message)]);
  inLocale(locale).load(locale, Object.fromEntries(ready) as Record<string, string>);
}

/** Compiles a text without plurals as Lingui does; one with plurals must be compiled by the build. */
function tokens(message: Message): Message {
  if (typeof message !== 'string' || /\{\w+,/.test(message)) return message;
  return message.split(/\{(\w+)\}/).map((part, place) => (place % 2 === 1 ? [part] : part));
}

/** Adds a locale whose texts are all made from the English ones, such as a pseudo-locale. */
export function addDerivedLocale(locale: Locale, from: (message: Message) => Message): void {
  madeFromEnglish.set(locale, from);
}

/** The text in that language, or in English when it is not translated. */
export function translate(locale: Locale, id: string, values?: Values): string {
  const own = inLocale(locale);
  if (Object.hasOwn(own.messages, id)) return own._(id, values);
  const english = inLocale(ENGLISH.id);
  const derive = madeFromEnglish.get(locale);
  if (!derive || !Object.hasOwn(english.messages, id)) return english._(id, values);
  addMessages(locale, { [id]: derive(english.messages[id] as Message) });
  return own._(id, values);
}

const parts = new Map<string, Catalogue>();
let whenAdded: (part: string) => void = () => {};

/**
 * Adds English texts that are loaded together; an id is `<prefix><code>`. `onPart` tells the browser which
 * parts' translations to fetch; the service has all of them.
 */
export function addPart(name: string, texts: Catalogue, prefix = ''): void {
  const messages = Object.fromEntries(
    Object.entries(texts).map(([code, text]) => [`${prefix}${code}`, text]),
  );
  parts.set(name, messages);
  addMessages(ENGLISH.id, messages);
  whenAdded(name);
}

/** Calls the listener for every part added so far, and for each one added later. */
export function onPart(listener: (part: string) => void): void {
  whenAdded = listener;
  for (const name of parts.keys()) listener(name);
}
