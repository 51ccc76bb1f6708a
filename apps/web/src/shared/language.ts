import type { ApiUser, ClinicConfig } from '@clinic/contract';
import { ENGLISH, languages, preferredLanguage } from '@clinic/texts/languages';
import type { Locale } from '@clinic/texts/translate';
import { messageOf } from '@clinic/app/api-error';
import { locale, show as speakAndDraw } from '@clinic/app/language';
import { request } from '../api/service.ts';
import { ofThisTab } from '../api/storage.ts';
import { t } from '../messages/t.ts';
import { announce } from './shell/alerts.tsx';

const KEY = 'clinic.language';
/** Chosen by the switch while nobody was signed in; a dashboard signs in by leaving the page. */
const CHOSEN_KEY = 'clinic.language.chosen';
/** Test languages derived from English; only the practice clinic offers them. */
const PSEUDO = ['en-XA', 'en-XB'];

/** The language requested in this tab by `?lang` or by the switch; null when there is none. */
function askedFor(): string | null {
  const named = new URLSearchParams(location.search).get('lang');
  if (named !== null) ofThisTab.write(KEY, named);
  return named ?? ofThisTab.read(KEY);
}

async function show(next: Locale): Promise<void> {
  if (PSEUDO.includes(next)) (await import('@clinic/texts/pseudo')).addPseudoLocales();
  await speakAndDraw(next);
}

const offeredBy = ({ languages: offered, practice }: ClinicConfig): string[] => [
  ...offered.map(({ id }) => id),
  ...(practice ? PSEUDO : []),
];

/**
 * Sets the language before the first page is drawn: the tab's request, else the browser's; the
 * profile's follows once it is known. Readers of English wait for nothing..
 */
export async function startLanguage(): Promise<void> {
  const wanted = [askedFor() ?? '', ...navigator.languages];
  const known = [...languages.map(({ id }) => id), ...PSEUDO];
  if ((preferredLanguage(wanted, known) ?? ENGLISH.id) === ENGLISH.id) return;
  try {
    const { extras } = await request('getConfig', {});
    await show(preferredLanguage(wanted, offeredBy(extras)) ?? ENGLISH.id);
    // Until the first page sets its title, the English title of index.html would show.
    document.title = t('shell.tabBook');
  } catch {
    // If the configuration cannot be loaded, the page stays English.
  }
}

/** Follows the profile's language, unless the tab has requested another. */
export async function followProfile(language: string): Promise<void> {
  if (askedFor() === null && language !== locale()) await show(language);
}

/** Sets the language of the switch for this tab; in the profile, which emails follow, also once signed in. */
export async function chooseLanguage(next: string, signedIn: boolean): Promise<void> {
  ofThisTab.write(KEY, next);
  if (!signedIn) ofThisTab.write(CHOSEN_KEY, next);
  await show(next);
  if (signedIn) await keepInProfile(next);
}

/** A choice of now, whatever it was before. */
const keepInProfile = (language: string) =>
  request('confirmInformation', { headers: {}, body: { shouldUpdate: true, language } });

/** Whoever comes in next has chosen nothing. */
export const forgetChoice = () => void ofThisTab.write(CHOSEN_KEY, null);

/** Gives a patient who comes in the language that they chose before, and says so where it is not kept. */
export async function bringChoice(user: ApiUser): Promise<ApiUser> {
  const chosen = ofThisTab.read(CHOSEN_KEY);
  forgetChoice();
  if (chosen === null || chosen === user.language) return user;
  try {
    return await keepInProfile(chosen);
  } catch (error) {
    sayNotKept(error);
    return user;
  }
}

export function sayNotKept(error: unknown): void {
  announce('error', messageOf(error, t('shell.languageNotSaved'), t('shell.languageUnknown')));
}
