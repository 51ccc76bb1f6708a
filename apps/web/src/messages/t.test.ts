import { expect, test } from 'vitest';
import { auth } from './en/auth.ts';
import { loadMessages, t } from './t.ts';

test('a message is given in words', () => {
  expect(t('shell.logout')).toBe('Logout');
});

test('values stand where the message names them', () => {
  expect(t('shell.signedInAs', { name: 'Casey' })).toBe('Logged in as Casey');
});

test('a value is text, never a pattern', () => {
  expect(t('shell.signedInAs', { name: '{clinic} <b>' })).toBe('Logged in as {clinic} <b>');
});

test('numbers choose their plural', () => {
  expect(t('ui.charactersLeft', { left: 0 })).toBe('No characters left');
  expect(t('ui.charactersLeft', { left: 1 })).toBe('1 character left');
  expect(t('ui.charactersLeft', { left: 80 })).toBe('80 characters left');
});

test('an apostrophe of the specification survives', () => {
  loadMessages(auth);
  expect(t('auth.inactivity')).toBe("You've been logged out due to inactivity");
});

test('a message without its value does not compile', () => {
  // @ts-expect-error name is missing
  expect(() => t('shell.signedInAs', {})).not.toThrow();
  // @ts-expect-error no such key
  expect(t('shell.nothing')).toBe('shell.nothing');
});
