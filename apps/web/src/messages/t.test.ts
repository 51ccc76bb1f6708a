import { afterEach, expect, test } from 'vitest';
import { bringTranslationsBy } from '@clinic/app/language';
import { auth } from './en/auth.ts';
import { pages } from './en/pages.ts';
import { loadMessages, locale, speak, t } from './t.ts';

afterEach(async () => {
  bringTranslationsBy(async () => ({}));
  await speak('en');
});

test('a message is given in words', () => {
  expect(t('shell.logout')).toBe('Logout');
});

test('values stand where the message names them', () => {
  expect(t('shell.signedInAs', { name: 'Casey' })).toBe('Logged in as Casey');
});

// Shows: S-10
test('a value is text, never a pattern', () => {
  expect(t('shell.signedInAs', { name: '{clinic} <b>' })).toBe('Logged in as {clinic} <b>');
});

test('numbers choose their plural', () => {
  expect(t('ui.charactersLeft', { left: 0 })).toBe('No characters left');
  expect(t('ui.charactersLeft', { left: 1 })).toBe('1 character left');
  expect(t('ui.charactersLeft', { left: 80 })).toBe('80 characters left');
});

// Shows: 8.inactivity.1
test('an apostrophe of the specification survives', async () => {
  await loadMessages({ auth });
  expect(t('auth.inactivity')).toBe("You've been logged out due to inactivity");
});

test('a message without its value does not compile', () => {
  // @ts-expect-error name is missing
  expect(() => t('shell.signedInAs', {})).not.toThrow();
  // @ts-expect-error no such key
  expect(t('shell.nothing')).toBe('shell.nothing');
});

/**
 * Buttons, questions, what has happened and the specification's own words; every other sentence is in change-texts.
 */
const MAY_SPEAK_OF_CHANGES = [
  /^(terms|fees)\./,
  /^(account\.restored|auth\.intro|register\.ageCancel|pay\.explained)$/,
  /^(booking|appointments|account|ui|\w+)\.(cancel|cancelled|cancelling|reschedule|rescheduled)$/,
  /^appointments\.(banner|no|cancel|confirmCancel|reschedule|status\.)/,
  /^booking\.(rescheduleTitle|slotsTitleReschedule|typeLocked|rescheduled|oldNotCancelled|detailsSoon|since)/,
];

// Shows: R-96
test('no other message says what can be cancelled or rescheduled (R-96)', () => {
  const catalogues = import.meta.glob<Record<string, Record<string, string>>>('./en/*.ts', {
    eager: true,
  });
  const messages = Object.values(catalogues).flatMap((parts) =>
    Object.values(parts).flatMap((part) => Object.entries(part)),
  );
  expect(messages.length).toBeGreaterThan(500);
  const others = messages.filter(
    ([key, words]) =>
      /cancel|resched|refund/i.test(words) && !MAY_SPEAK_OF_CHANGES.some((may) => may.test(key)),
  );
  expect(others).toEqual([]);
});

// Shows: R-99
test('a part that comes while another language is fetched is spoken in it, too', async () => {
  const gate = Promise.withResolvers<void>();
  bringTranslationsBy(async (_, part) => {
    await gate.promise;
    return part === 'pages' ? { 'page.notFoundTitle': 'En français' } : {};
  });
  const spoken = speak('fr');
  const loaded = loadMessages({ pages });
  gate.resolve();
  await Promise.all([spoken, loaded]);
  expect(t('page.notFoundTitle')).toBe('En français');
});

// Shows: R-99
test('of two languages asked for, the later one is spoken', async () => {
  const gate = Promise.withResolvers<void>();
  bringTranslationsBy(async () => {
    await gate.promise;
    return {};
  });
  const both = [speak('fr'), speak('en')];
  gate.resolve();
  await Promise.all(both);
  expect(locale()).toBe('en');
});
