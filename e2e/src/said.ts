import type { BrowserContext, Locator, Page } from '@playwright/test';
import type { Locale } from '@clinic/texts';

import type { Catalogue } from './catalogue.ts';

/** The texts that each browser shows whose language a journey chose. */
const readers = new WeakMap<BrowserContext, Catalogue>();

/** From now on this browser's pages are in that language, and so is what `said` gives for them. */
export async function readIn(context: BrowserContext, locale: Locale): Promise<void> {
  // Most journeys read English, and need none of it.
  const { catalogueIn } = await import('./catalogue.ts');
  readers.set(context, await catalogueIn(locale));
  await context.addInitScript((language) => {
    // An empty page of a new tab has no storage.
    if (location.origin === 'null') return;
    sessionStorage.setItem('clinic.language', language);
    localStorage.setItem('clinic.desk.language', language);
  }, locale);
}

/** The texts that this page shows, where the journey chose their language. */
export const catalogueOf = (page: Page): Catalogue | undefined => readers.get(page.context());

/**
 * What the page says for a text of the English catalogue, or for one of several; `{name}` in it
 * stands for anything. What is not in the catalogue, such as the name of a type, is the same in
 * every language.
 */
export function said(page: Page, english: string | RegExp | readonly string[]): string | RegExp {
  const catalogue = catalogueOf(page);
  if (english instanceof RegExp) return english;
  const isEnglish = catalogue === undefined || catalogue.locale === 'en';
  if (isEnglish && typeof english === 'string') return english;
  const texts = typeof english === 'string' ? [english] : english;
  const patterns = texts.map((text) => (isEnglish ? anyValue(text) : catalogue.patternFor(text)));
  return new RegExp(`^\\s*(?:${patterns.join('|')})\\s*$`);
}

/** The same for what says these among other words, one after the other. */
export function saying(page: Page, ...english: readonly string[]): RegExp {
  const patterns = english.map((text) => {
    const words = said(page, text);
    return typeof words === 'string' ? literal(words) : words.source.slice(1, -1);
  });
  return new RegExp(patterns.join('.*'), 's');
}

/** Chooses from a list what it says for this. */
export async function choose(list: Locator, english: string): Promise<void> {
  const words = said(list.page(), english);
  const option =
    typeof words === 'string'
      ? { label: words }
      : { value: (await list.locator('option').getByText(words).getAttribute('value')) ?? '' };
  await list.selectOption(option);
}

const anyValue = (text: string) =>
  text
    .split(/\{\w+\}/)
    .map(literal)
    .join('.+');

/** Stands between texts that follow each other in one element. */
export const BETWEEN = '\u0001';

/** A pattern for these words, whichever spaces part them. */
export const literal = (words: string): string =>
  words.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll(/\s+/g, '\\s+');
