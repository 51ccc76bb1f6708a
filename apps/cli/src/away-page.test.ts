import { expect, test } from 'vitest';
import { awayPage } from './away-page.ts';

test('The page for when nobody answers has name and phone in each language of the clinic', () => {
  const page = awayPage({
    CLINIC_NAME: 'Smith & Daughters',
    CLINIC_PHONE: '604-261-4500',
    LANGUAGES: ['fr', 'en'],
  });
  expect(page.filter((line) => /^<(h\d|p|section)/.test(line))).toEqual([
    '<section lang="en" dir="ltr">',
    '<h1>We cannot be reached online right now</h1>',
    '<p>What you have booked stays booked.</p>',
    '<p>Please try again in a few minutes, or call Smith &#38; Daughters: <a href="tel:6042614500">604-261-4500</a>.</p>',
    '<section lang="fr" dir="ltr">',
    '<h2>On ne peut pas nous joindre en ligne en ce moment</h2>',
    '<p>Ce que vous avez réservé reste réservé.</p>',
    '<p>Veuillez réessayer dans quelques minutes ou appeler Smith &#38; Daughters : <a href="tel:6042614500">604-261-4500</a>.</p>',
  ]);
});
