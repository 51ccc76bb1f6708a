import { ENGLISH } from './languages.ts';

/** The id of a language or of a pseudo-locale. */
export type Locale = string;

/** The values of a text's placeholders. */
export type Values = Readonly<Record<string, string | number | undefined>>;

/** The values that an English text asks for: `[]` for one without placeholders. */
export type ValuesFor<Text extends string> = [Placeholders<Text>] extends [never]
  ? []
  : [values: { readonly [Name in Placeholders<Text>]: string | number }];

/** Names of the `{name}` placeholders; plural branches are written with `#` or words. */
type Placeholders<Text extends string> = Text extends `${string}{${infer Rest}`
  ? NameAtStart<Rest> | Placeholders<Rest>
  : never;

type NameAtStart<Text extends string> = Text extends `${infer Head}}${string}`
  ? Head extends `${infer Name},${string}`
    ? Word<Name>
    : Word<Head>
  : never;

type Word<Text extends string> = Text extends '' | `${string} ${string}` | `${string}#${string}`
  ? never
  : Text;

/** A text as ICU message, or compiled as the browser gets it. */
export type Message = string | readonly unknown[];
export type Catalogue = Readonly<Record<string, Message>>;

type Compiled = readonly unknown[];

const spoken = new Map<Locale, Map<string, Compiled>>();
const madeFromEnglish = new Map<Locale, (message: Message) => Message>();

function inLocale(locale: Locale): Map<string, Compiled> {
  const known = spoken.get(locale) ?? new Map<string, Compiled>();
  spoken.set(locale, known);
  return known;
}

export function addMessages(locale: Locale, messages: Catalogue): void {
  const own = inLocale(locale);
  for (const [id, message] of Object.entries(messages)) own.set(id, tokens(message));
}

/** Compiles a text without plurals as Lingui does; one with plurals is compiled by the build, or by `compileBy`. */
function tokens(message: Message): Compiled {
  if (typeof message !== 'string') return message;
  if (/\{\w+,/.test(message)) return compile(message);
  return message.split(/\{(\w+)\}/).map((part, place) => (place % 2 === 1 ? [part] : part));
}

let compile = (message: string): Compiled => [message];

/** Compiles texts with plurals while running, for a process without a build. */
export function compileBy(compiler: typeof compile): void {
  compile = compiler;
}

/** Adds a locale whose texts are all made from the English ones, such as a pseudo-locale. */
export function addDerivedLocale(locale: Locale, from: (message: Message) => Message): void {
  madeFromEnglish.set(locale, from);
}

/** The text in that language, or in English when it is not translated. */
export function translate(locale: Locale, id: string, values: Values = {}): string {
  const own = inLocale(locale);
  const said = own.get(id);
  if (said) return filled(locale, said, values);
  const english = inLocale(ENGLISH.id).get(id);
  if (!english) return id;
  const derive = madeFromEnglish.get(locale);
  if (!derive) return filled(ENGLISH.id, english, values);
  addMessages(locale, { [id]: derive(english) });
  return translate(locale, id, values);
}

/** As Lingui compiles a placeholder: a value, or one of several forms by it. */
type Placeholder = readonly [
  name: string,
  type?: 'plural' | 'select',
  forms?: Readonly<Record<string, Compiled>>,
];

/**
 * The words of a compiled text; `count` is what `#` stands for within a plural. The full stop of an abbreviation, as
 * in 'sam. 21 nov.', ends the sentence too.
 */
function filled(locale: Locale, message: Compiled, values: Values, count?: number): string {
  return message
    .map((token) => {
      if (token === '#' && count !== undefined)
        return new Intl.NumberFormat([locale, ENGLISH.id]).format(count);
      if (typeof token === 'string') return token;
      const [name, type, forms = {}] = token as Placeholder;
      const value = values[name] ?? '';
      if (type === undefined) return value;
      if (type === 'select')
        return filled(locale, formOf(forms, String(value)) ?? [], values, count);
      const number = Number(value);
      const rule = new Intl.PluralRules([locale, ENGLISH.id]).select(number);
      const form = Object.hasOwn(forms, value) ? String(value) : rule;
      return filled(locale, formOf(forms, form) ?? [], values, number);
    })
    .reduce<string>(
      (before, part) => before + (before.endsWith('.') ? String(part).replace(/^\./, '') : part),
      '',
    );
}

const formOf = (forms: NonNullable<Placeholder[2]>, form: string): Compiled | undefined =>
  Object.hasOwn(forms, form) ? forms[form] : forms.other;

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
