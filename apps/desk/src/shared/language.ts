import { locale, show } from '@clinic/app/language';
import { ENGLISH, languages, preferredLanguage } from '@clinic/texts/languages';
import { ask, queryClient, sessionQuery } from './api.ts';
import { t } from './words.ts';

const KEY = 'clinic.desk.language';
/** Pressed at the sign-in, for whoever comes in next. */
let chosen: string | null = null;

function lastHere(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

async function showHere(language: string): Promise<void> {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // A browser that keeps nothing begins in its own language each time.
  }
  await show(language);
  document.title = t('desk.title');
  // What the service said of what is not shown now is in the language before.
  queryClient.removeQueries({ type: 'inactive' });
}

/**
 * Sets the language before the first page is drawn: the last of this browser, else that which it prefers. Readers
 * of English wait for nothing.
 */
export async function startLanguage(): Promise<void> {
  const offered = languages.map(({ id }) => id);
  const first = preferredLanguage([lastHere(), ...navigator.languages], offered);
  if (first !== null && first !== ENGLISH.id) await showHere(first);
}

/** Keeps the language for whoever is signed in, and shows the page in it. */
export async function chooseLanguage(language: string): Promise<void> {
  if (queryClient.getQueryData(sessionQuery.queryKey)) await keep(language);
  else chosen = language;
  await showHere(language);
  await queryClient.invalidateQueries();
}

async function keep(language: string): Promise<void> {
  await ask('deskChooseLanguage', { body: { language } });
  queryClient.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, language });
}

/** Shows the language of whoever has come in, and keeps for them what they have just chosen at the sign-in. */
export async function followPerson(language: string | null | undefined): Promise<void> {
  const wanted = chosen ?? language ?? locale();
  const isNew = chosen !== null && chosen !== language;
  chosen = null;
  if (wanted !== locale()) await showHere(wanted);
  // Where it is not kept it holds here, and is chosen again another time.
  if (isNew) await keep(wanted).catch(() => {});
}
