import { addMessages } from '@clinic/texts/translate';
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AgreementText, FeeWarningDialog } from '../features/booking/confirm/confirm-dialogs.tsx';
import { LegalDialog } from '../features/legal/legal-dialog.tsx';
import { RegisterPage } from '../features/sign-up/register-page.tsx';
import { speak } from '../messages/t.ts';
import { fakeService } from '../testing/fake-service.ts';
import { clinicConfig } from '../testing/people.ts';
import { QuickWorker } from '@clinic/ui/testing/quick-worker';
import { renderPage } from '../testing/render.tsx';

const nothing = () => {};
const places = [
  {
    place: 'a legal text',
    page: <LegalDialog kind="terms" onSelect={nothing} onClose={nothing} />,
    french: 'Chaque compte est pour une seule personne.',
    english: /Each account is for one person\./,
  },
  {
    place: 'the clinic policy',
    page: <AgreementText kind="general" />,
    french: /ordinaires sont de 10,00\s\$\./,
    english: /ordinary booking fee is \$10\.00\./,
  },
  {
    place: 'the fee warning',
    page: <FeeWarningDialog cents={15_000} busy={false} onAccept={nothing} onCancel={nothing} />,
    french: /sont de 150,00\s\$\./,
    english: /appointment is CAD 150\.00\./,
  },
  {
    place: 'the consent of a sign-up',
    page: <RegisterPage />,
    french: /une seule personne\. Harbour/,
    english: /for one person only\./,
  },
];
const holds = 'En cas de différence, l’anglais prévaut.';

beforeEach(() => {
  Object.assign(globalThis, { Worker: QuickWorker });
  fakeService({
    'GET /services/config': () => ({ body: { success: true, extras: clinicConfig } }),
    'GET /captcha/challenge': () => ({ body: { parameters: { algorithm: 'PBKDF2/SHA-256' } } }),
    'GET /pharmacy/all': () => ({ body: [] }),
  });
  addMessages('fr', {
    'legal.englishHolds': holds,
    'legal.inEnglish': 'Lire le texte anglais',
    'terms.use.onePerson': 'Chaque compte est pour une seule personne.',
    'agreement.general.2': 'Les frais ordinaires sont de {bookingFee}.',
    'agreement.feeWarning.1': 'Les frais sont de {fee}.',
    'agreement.signUp.2': 'Ce compte est pour une seule personne. {clinicName} bloque les autres.',
  });
});
afterEach(() => speak('en'));

// Shows: R-99
test.each(places)(
  'in French, $place says that the English text holds, and has it to read',
  async ({ page, french, english }) => {
    await speak('fr');
    renderPage(page);
    expect(await screen.findByText(french)).toBeTruthy();
    expect(screen.getByText(holds)).toBeTruthy();
    const reading = screen.getByText('Lire le texte anglais');
    await userEvent.click(reading);
    const record = reading.parentElement ?? reading;
    expect(record).toHaveProperty('open', true);
    const found = within(record).getByText(english);
    expect(found.closest('[lang]')?.getAttribute('lang')).toBe('en-CA');
    expect(within(record).queryByText(french)).toBeNull();
  },
);

// Shows: R-99
test.each(places)('in English, $place stands alone', async ({ page, english }) => {
  renderPage(page);
  expect(await screen.findByText(english)).toBeTruthy();
  expect(document.querySelector('details')).toBeNull();
});

const own = {
  kind: 'general' as const,
  version: '2',
  hash: '0'.repeat(64),
  texts: [
    { locale: 'en', title: 'Our policy', paragraphs: ['At {clinicName} it is {bookingFee}.'] },
    { locale: 'fr', title: 'Nos règles', paragraphs: ['À {clinicName}, c’est {bookingFee}.'] },
  ],
};
function show(texts: typeof own.texts) {
  const extras = { ...clinicConfig, agreements: [{ ...own, texts }] };
  fakeService({ 'GET /services/config': () => ({ body: { success: true, extras } }) });
  renderPage(<AgreementText kind="general" />);
}

// Shows: R-104
test('what the clinic has published is read in its place, in French with the English to read', async () => {
  show(own.texts);
  expect(await screen.findByText('At Harbour Street Clinic it is $10.00.')).toBeTruthy();
  expect(screen.getByText('Our policy')).toBeTruthy();
  // It is no draft any more.
  expect(screen.getByText('Version 2.')).toBeTruthy();
  cleanup();
  await speak('fr');
  show(own.texts);
  const french = await screen.findByText(/À Harbour Street Clinic, c’est 10,00\s\$\./);
  expect(french.closest('[lang]')).toBeNull();
  expect(screen.getByText(holds)).toBeTruthy();
  const english = screen.getByText('At Harbour Street Clinic it is $10.00.');
  expect(english.closest('[lang]')?.getAttribute('lang')).toBe('en-CA');
});

// Shows
test('what the clinic has published and nobody translated is read in English, and marked so', async () => {
  await speak('fr');
  show(own.texts.slice(0, 1));
  const english = await screen.findByText('At Harbour Street Clinic it is $10.00.');
  expect(english.closest('[lang]')?.getAttribute('lang')).toBe('en-CA');
  expect(screen.queryByText(holds)).toBeNull();
});
