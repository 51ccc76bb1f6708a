import type { ClinicConfig } from '@clinic/contract';
import { ENGLISH, directionOf, languages, preferredLanguage } from '@clinic/texts/languages';
import type { Locale } from '@clinic/texts/translate';
import { request } from '../api/service.ts';
import { locale, speak, t } from '../messages/t.ts';
import { createStore } from './store.ts';

const KEY = 'clinic.language';
/** Made from English, to try the pages with; only the practice clinic offers them. */
const PSEUDO = ['en-XA', 'en-XB'];

/** The language of the page, for what has to be drawn anew when it changes. */
export const pageLanguage = createStore<Locale>(locale());

/** What was asked for in this tab, by `?lang` or by the switch. */
function askedFor(): string | null {
  const named = new URLSearchParams(location.search).get('lang');
  try {
    if (named !== null) sessionStorage.setItem(KEY, named);
    return named ?? sessionStorage.getItem(KEY);
  } catch {
    return named;
  }
}

async function show(next: Locale): Promise<void> {
  if (PSEUDO.includes(next)) (await import('@clinic/texts/pseudo')).addPseudoLocales();
  await speak(next);
  if (locale() !== next) return;
  document.documentElement.lang = next === ENGLISH.id ? 'en-CA' : next;
  document.documentElement.dir = directionOf(next);
  pageLanguage.set(next);
}

const offeredBy = ({ languages: offered, practice }: ClinicConfig): string[] => [
  ...offered.map(({ id }) => id),
  ...(practice ? PSEUDO : []),
];

/**
 * Before the first page is drawn: what the tab asks for, else the browser; the profile is followed
 * once it is known. Who reads English waits for nothing..
 */
export async function startLanguage(): Promise<void> {
  const wanted = [askedFor() ?? '', ...navigator.languages];
  const known = [...languages.map(({ id }) => id), ...PSEUDO];
  if ((preferredLanguage(wanted, known) ?? ENGLISH.id) === ENGLISH.id) return;
  try {
    const { extras } = await request('getConfig', {});
    await show(preferredLanguage(wanted, offeredBy(extras)) ?? ENGLISH.id);
    // The first page says its own; until it is there, the English title would stand.
    document.title = t('shell.tabBook');
  } catch {
    // Without the clinic's answer the page stays English.
  }
}

/** The language of the profile, unless the tab asks for another. */
export async function followProfile(language: string): Promise<void> {
  if (askedFor() === null && language !== locale()) await show(language);
}

/** Chosen by the switch: for this tab, and for a patient in their profile, so in their emails too. */
export async function chooseLanguage(next: string, signedIn: boolean): Promise<void> {
  try {
    sessionStorage.setItem(KEY, next);
  } catch {
    // It holds for this page only.
  }
  await show(next);
  if (signedIn)
    await request('confirmInformation', { body: { shouldUpdate: true, language: next } });
}
