import { sayErrorsIn } from '@clinic/app/api-error';
import { controlWords } from '@clinic/texts';
import { ENGLISH } from '@clinic/texts/languages';
import {
  type Locale,
  type Message,
  type ValuesFor,
  addMessages,
  addPart,
  onPart,
  translate,
} from '@clinic/texts/translate';
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

/** Brings the translations of a part, such as a feature's, in a language other than English. */
type Bring = (locale: Locale, part: string) => Promise<Readonly<Record<string, Message>>>;

// One language for the page: words are also asked for outside of components.
let spoken: Locale = ENGLISH.id;
/** What is spoken once its words are there; parts that come meanwhile are brought in it, too. */
let wanted: Locale = spoken;
/** Given by the build, once for the page. */
let bring: Bring = async () => ({});
/** The parts that the page has loaded so far, in whatever language. */
const parts = new Set<string>();
/** Translations that are still to come. */
const underWay = new Set<Promise<void>>();

addPart('shell', shell);
onPart((part) => {
  parts.add(part);
  if (wanted !== ENGLISH.id) bringTo(wanted, part);
});

function bringTo(locale: Locale, part: string): void {
  const brought = bring(locale, part)
    .then((messages) => addMessages(locale, messages))
    // The part stays English until the page is loaded again.
    .catch(() => undefined)
    .finally(() => underWay.delete(brought));
  underWay.add(brought);
}

/** The language of the page; asked where words are shown, since it can change. */
export const locale = (): Locale => spoken;

/** Resolves when the words of all parts are there. */
async function wordsArrived(): Promise<void> {
  while (underWay.size > 0) await Promise.all(underWay);
}

/** Where translations come from; the build knows (main.tsx). */
export function bringTranslationsBy(how: Bring): void {
  bring = how;
}

/** Speaks another language, once the words of all that is on the page are there. */
export async function speak(next: Locale): Promise<void> {
  wanted = next;
  if (next !== ENGLISH.id) for (const part of parts) bringTo(next, part);
  await wordsArrived();
  // Whoever asked for another language meanwhile is given that one.
  if (wanted === next) spoken = next;
}

/**
 * Adds the messages of one feature or more, called where its route is loaded. A module that waits for
 * it is loaded with its words in the language of the page.
 */
export async function loadMessages(added: Readonly<Record<string, Words>>): Promise<void> {
  for (const [part, messages] of Object.entries(added)) addPart(part, messages);
  await wordsArrived();
}

type Words = Readonly<Record<string, string>>;

/** The words for a key. Messages with placeholders demand their values. */
export const t = <Key extends MessageKey>(
  key: Key,
  ...[values]: ValuesFor<Catalogue[Key]>
): string => translate(spoken, key, values);

sayErrorsIn({ unreachable: () => t('ui.unreachable'), broken: () => t('ui.broken') });

/** What the controls say of themselves. */
export const uiWords = () => controlWords(locale);
