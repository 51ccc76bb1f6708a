import { ENGLISH, directionOf } from '@clinic/texts/languages';
import { type Locale, type Message, addMessages, addPart, onPart } from '@clinic/texts/translate';
import { createStore } from './store.ts';

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

/** The page's language, for components that re-render when it changes. */
export const pageLanguage = createStore<Locale>(spoken);

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

/** Speaks another language, and draws the page in it. */
export async function show(next: Locale): Promise<void> {
  await speak(next);
  if (spoken !== next) return;
  document.documentElement.lang = next === ENGLISH.id ? 'en-CA' : next;
  document.documentElement.dir = directionOf(next);
  pageLanguage.set(next);
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
