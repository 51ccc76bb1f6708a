import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { bringTranslationsBy, show } from '@clinic/app/language';
import { compiled } from '@clinic/texts/catalogues';
import { readPo } from '@clinic/texts/po';
import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { desk } from '../messages/index.ts';
import { startLanguage } from '../shared/language.ts';
import { type Handlers, managerSession, openDesk, refused } from '../testing/desk.tsx';
import {
  ID,
  booking,
  card,
  inbox,
  money,
  ownDay,
  patient,
  schedule,
  setUp,
  sheet,
} from '../testing/records.ts';

const PO = resolve(import.meta.dirname, '../../../../packages/texts/locales/fr.po');
const french = readPo(readFileSync(PO, 'utf8'));

beforeAll(() => bringTranslationsBy(async () => compiled(french)));
afterEach(async () => {
  localStorage.clear();
  await act(() => show('en'));
});

/** A text as a pattern, with anything in the place of its values; none where it has forms, or is values alone. */
function patternsOf(texts: readonly string[]): RegExp[] {
  return texts
    .filter((text) => !/\{\w+,/.test(text) && /\p{L}/u.test(text.replaceAll(/\{\w+\}/g, '')))
    .map((text) => {
      const parts = text
        .split(/\{\w+\}/)
        .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
      return new RegExp(`^${parts.join('.+')}$`, 's');
    });
}
const ENGLISH = patternsOf(Object.values(desk));
const FRENCH = patternsOf(Object.keys(desk).map((key) => french[key] ?? ''));

/** What somebody has typed, and is an English text too. */
const TYPED = ['Clinic', 'Phone'];

/** What is read or heard on the page, without the names of languages. */
function wordsOnPage(): string[] {
  const names = ['aria-label', 'aria-description', 'placeholder', 'title', 'alt'];
  const words = [...document.body.querySelectorAll('*:not([lang], [lang] *)')].flatMap(
    (element) => [
      ...[...element.childNodes]
        .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
        .map(({ nodeValue }) => nodeValue ?? ''),
      ...names.map((name) => element.getAttribute(name) ?? ''),
    ],
  );
  return [document.title, ...words]
    .map((each) => each.trim())
    .filter((each) => each !== '' && !TYPED.includes(each));
}
const fits = (words: string) => (pattern: RegExp) => pattern.test(words);
const englishOnPage = () =>
  wordsOnPage().filter((words) => ENGLISH.some(fits(words)) && !FRENCH.some(fits(words)));

// Shows: R-99
test('Whoever chooses French at the sign-in reads on in French, keeps what they typed, and has it kept', async () => {
  const headers: (string | null)[] = [];
  let isIn = false;
  const { user, sent } = openDesk('/setup', {
    ...setUp,
    deskSession: () => (isIn ? { ...managerSession, language: 'en' } : refused('deskSignedOut')),
    deskSignIn: (request) => {
      headers.push(request.headers.get('accept-language'));
      isIn = true;
      return { ...managerSession, language: 'en' };
    },
    deskChooseLanguage: () => {},
  });
  const email = await screen.findByRole('textbox', { name: 'Email' });
  await user.type(email, 'robin@clinic.example');
  const choice = screen.getByRole('button', { name: 'Français' });
  await user.click(choice);
  expect(await screen.findByRole('textbox', { name: 'Courriel' })).toBe(email);
  expect(email).toHaveProperty('value', 'robin@clinic.example');
  expect(document.activeElement).toBe(choice);
  expect(choice.getAttribute('aria-pressed')).toBe('true');
  expect(document.documentElement.lang).toBe('fr');
  expect(document.title).toBe('Accueil');
  expect(englishOnPage()).toEqual([]);

  await user.type(screen.getByLabelText('Mot de passe'), 'secret');
  await user.type(screen.getByRole('textbox', { name: 'Code de votre application' }), '123456');
  await user.click(screen.getByRole('button', { name: 'Se connecter' }));
  await screen.findByRole('navigation', { name: 'Écrans' });
  await waitFor(() => expect(sent('deskChooseLanguage')).toEqual([{ language: 'fr' }]));
  expect(headers).toEqual(['fr']);
});

test('The page is in the language of whoever is signed in, and the next one begins with it', async () => {
  openDesk('/setup', { ...setUp, deskSession: () => ({ ...managerSession, language: 'fr' }) });
  await screen.findByRole('navigation', { name: 'Écrans' });
  await act(() => show('en'));
  await act(startLanguage);
  expect(document.documentElement.lang).toBe('fr');
});

test('Beside one’s own sign-in the language is chosen, and a choice that is not kept changes nothing', async () => {
  let isUp = false;
  const { user } = openDesk('/your-sign-in', {
    ...setUp,
    deskChooseLanguage: () => (isUp ? undefined : refused('serviceBusy')),
  });
  const choice = await screen.findByRole('button', { name: 'Français' });
  await user.click(choice);
  await screen.findByRole('alert');
  expect(document.documentElement.lang).toBe('en-CA');
  isUp = true;
  await user.click(choice);
  await screen.findByRole('heading', { name: 'Votre connexion' });
  expect(document.activeElement).toBe(choice);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('Where nobody has chosen, the language is the browser’s', async () => {
  const wanted = Object.getOwnPropertyDescriptor(Navigator.prototype, 'languages') ?? {};
  Object.defineProperty(Navigator.prototype, 'languages', {
    ...wanted,
    get: () => ['de', 'fr-CA', 'en'],
  });
  try {
    await act(startLanguage);
    expect(document.documentElement.lang).toBe('fr');
  } finally {
    Object.defineProperty(Navigator.prototype, 'languages', wanted);
  }
});

const screens: readonly [path: string, handlers: Handlers][] = [
  ['/day/2026-11-23', sheet({ fee: 'due', next: ['arrived', 'noShow'] })],
  ['/my-day', ownDay()],
  ['/patients', {}],
  ['/patients/5001', patient({ onCard: card() })],
  ['/messages', inbox],
  ['/schedule', schedule],
  [`/schedule/closings/${ID}`, schedule],
  ['/schedule/weeks/101', schedule],
  ['/money', money],
  ['/reports', {}],
  ['/setup', setUp],
  ['/setup/clinic', setUp],
  ['/setup/texts', setUp],
  ['/setup/tables', setUp],
  ['/audit', {}],
  ['/print/2026-11-23', sheet()],
  ['/your-sign-in', setUp],
];

// Shows: R-99
test.each(screens)('%s has no English in French', async (path, handlers) => {
  await act(() => show('fr'));
  openDesk(path, handlers);
  await screen.findByRole('navigation', { name: 'Écrans' });
  await screen.findByRole('heading', { level: 1 });
  await waitFor(() => expect(screen.queryByText('Chargement')).toBeNull());
  expect(englishOnPage()).toEqual([]);
});

test('A dialog and a panel have no English in French', async () => {
  await act(() => show('fr'));
  const { user } = openDesk('/day/2026-11-23', { ...sheet(), ...booking });
  await user.click(await screen.findByRole('button', { name: /Ada/ }));
  await screen.findByRole('button', { name: 'Annuler le rendez-vous' });
  expect(englishOnPage()).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Déplacer' }));
  await screen.findByRole('dialog');
  expect(englishOnPage()).toEqual([]);
});
