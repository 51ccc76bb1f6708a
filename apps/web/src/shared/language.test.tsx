import { addMessages } from '@clinic/texts/translate';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ReactNode } from 'react';
import { App } from '../app/app.tsx';
import { Header } from '../app/header.tsx';
import { dropToken, keepToken } from '../api/access-token.ts';
import { createQueryClient } from '../api/query-client.ts';
import { speak } from '../messages/t.ts';
import { fakeService, type FakeService } from '../testing/fake-service.ts';
import { casey, clinicConfig } from '../testing/people.ts';
import { QuickWorker } from '@clinic/ui/testing/quick-worker';
import { renderPage } from '../testing/render.tsx';
import { pageLanguage } from '@clinic/app/language';
import { startLanguage } from './language.ts';
import { AlertStack } from './shell/alerts.tsx';
import { useStore } from '@clinic/app/store';

/** Draws the page again in each language, as the app does. */
function InLanguage({ children }: { children: () => ReactNode }) {
  useStore(pageLanguage);
  return children();
}

const Page = () => <InLanguage>{() => <Header />}</InLanguage>;

let service: FakeService;
let chosen: unknown[];
beforeEach(() => {
  addMessages('fr', { 'shell.logout': 'Se déconnecter', 'shell.login': 'Se connecter' });
  chosen = [];
  service = fakeService({
    'GET /services/config': () => ({ body: { success: true, extras: clinicConfig } }),
    'GET /me': () => ({ body: casey }),
    'GET /services/oscarStatus': () => ({ body: { success: true, status: true } }),
    'POST /me/shouldupdate': ({ body }) => {
      chosen.push(body);
      return { body: { ...casey, language: 'fr' } };
    },
  });
});
afterEach(async () => {
  dropToken();
  window.history.replaceState(null, '', '/');
  await act(async () => {
    await speak('en');
    pageLanguage.set('en');
  });
});

// Shows: R-99
test('the switch changes the page at once, and for a patient the profile too', async () => {
  keepToken('tok');
  renderPage(<Page />);
  await screen.findByRole('button', { name: 'Logout' });
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Language' }), 'fr');
  expect(await screen.findByRole('button', { name: 'Se déconnecter' })).toBeTruthy();
  expect(chosen).toEqual([{ shouldUpdate: true, language: 'fr' }]);
  expect(document.documentElement.lang).toBe('fr');
});

// Shows: R-99
test('a choice that the profile does not keep holds for the page, and says so in its language', async () => {
  addMessages('fr', { 'shell.languageUnknown': 'Votre langue n’est peut-être pas enregistrée.' });
  service.answer('POST /me/shouldupdate', () => 'unreachable');
  keepToken('tok');
  renderPage(
    <InLanguage>
      {() => (
        <>
          <Header />
          <AlertStack />
        </>
      )}
    </InLanguage>,
  );
  await screen.findByRole('button', { name: 'Logout' });
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Language' }), 'fr');
  expect(await screen.findByText('Votre langue n’est peut-être pas enregistrée.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Se déconnecter' })).toBeTruthy();
  expect(document.documentElement.lang).toBe('fr');
});

// Shows: R-99
test('My Account changes the language too, and what was typed there stays', async () => {
  keepToken('tok');
  service.answer('GET /pharmacy/all', () => ({ body: [] }));
  service.answer('GET /me/sessions', () => ({ body: { success: true, extras: { sessions: [] } } }));
  window.history.replaceState(null, '', '/account');
  render(<App queryClient={createQueryClient()} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'City' }), ' West');
  await userEvent.selectOptions(
    await screen.findByRole('combobox', { name: /^Language of this website/ }),
    'Français',
  );
  await waitFor(() => expect(document.documentElement.lang).toBe('fr'));
  expect(chosen).toEqual([{ shouldUpdate: true, language: 'fr' }]);
  const city = await screen.findByRole('textbox', { name: 'City' });
  expect(city).toHaveProperty('value', `${casey.city} West`);
});

// Shows: R-99
test('what was typed stays, in no draft too, and the words around it change where they stand', async () => {
  addMessages('fr', { 'shell.language': 'Langue', 'auth.email': 'Courriel' });
  window.history.replaceState(null, '', '/login');
  render(<App queryClient={createQueryClient()} />);
  const email = await screen.findByRole('textbox', { name: 'Email' });
  await userEvent.type(email, 'ada@example.ca');
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Language' }), 'fr');
  expect(await screen.findByRole('combobox', { name: 'Langue' })).toBe(document.activeElement);
  expect(screen.getByRole('textbox', { name: 'Courriel' })).toBe(email);
  expect(email).toHaveProperty('value', 'ada@example.ca');
});

// Shows: R-99
test('?lang is asked for first, is kept for the tab and only where the clinic offers it', async () => {
  addMessages('fr', { 'shell.tabBook': 'Prendre rendez-vous' });
  window.history.replaceState(null, '', '/login?lang=fr');
  await act(startLanguage);
  expect(document.documentElement.lang).toBe('fr');
  expect(document.title).toBe('Prendre rendez-vous');
  window.history.replaceState(null, '', '/');
  await act(startLanguage);
  expect(pageLanguage.get()).toBe('fr');
});

// Shows: R-99
test('the profile is followed where the tab asks for nothing', async () => {
  service.answer('GET /me', () => ({ body: { ...casey, language: 'fr' } }));
  keepToken('tok');
  renderPage(<Page />);
  await waitFor(() => expect(document.documentElement.lang).toBe('fr'));
  expect(await screen.findByRole('button', { name: 'Se déconnecter' })).toBeTruthy();
});

/** At the login, in a tab that chooses French by the switch. */
async function choosesFrenchAtLogin() {
  Object.assign(globalThis, { Worker: QuickWorker });
  service.answer('GET /captcha/challenge', () => ({
    body: { parameters: { algorithm: 'SHA-256' } },
  }));
  service.answer('POST /login', () => ({
    body: { success: true, extras: { accessToken: 'tok', message: '' } },
  }));
  service.answer('POST /logout', () => ({ body: { success: true } }));
  window.history.replaceState(null, '', '/login');
  // Another page than home, which asks for much.
  window.history.replaceState({ from: '/walkin' }, '');
  render(<App queryClient={createQueryClient()} />);
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Language' }), 'fr');
  await screen.findByRole('button', { name: 'Se connecter' });
}

/** In French where a test before has added the word. */
const EMAIL = /^(Email|Courriel)$/;

async function logIn() {
  await userEvent.type(screen.getByRole('textbox', { name: EMAIL }), 'casey@practice.example');
  await userEvent.type(screen.getByLabelText('Password'), 'Practice-2026');
  const button = screen.getByRole('button', { name: 'Se connecter' });
  await waitFor(() => expect(button).toHaveProperty('disabled', false));
  await userEvent.click(button);
  await screen.findByRole('button', { name: 'Se déconnecter' });
}

// Shows: R-99
test('a language chosen before signing in is kept in the profile, once', async () => {
  addMessages('fr', { 'auth.submit': 'Se connecter' });
  await choosesFrenchAtLogin();
  expect(chosen).toEqual([]);
  await logIn();
  await waitFor(() => expect(chosen).toEqual([{ shouldUpdate: true, language: 'fr' }]));

  // Whoever signs in next in this tab has chosen nothing.
  await userEvent.click(screen.getByRole('button', { name: 'Se déconnecter' }));
  await userEvent.click(await screen.findByRole('link', { name: 'Se connecter' }));
  await screen.findByRole('textbox', { name: EMAIL });
  await logIn();
  expect(chosen).toHaveLength(1);
});

// Shows: R-99
test('a choice before signing in that the profile does not keep is said, and lets the patient in', async () => {
  addMessages('fr', {
    'auth.submit': 'Se connecter',
    'shell.languageUnknown': 'Votre langue n’est peut-être pas enregistrée.',
  });
  await choosesFrenchAtLogin();
  service.answer('POST /me/shouldupdate', () => 'unreachable');
  await logIn();
  expect(await screen.findByText('Votre langue n’est peut-être pas enregistrée.')).toBeTruthy();
});
