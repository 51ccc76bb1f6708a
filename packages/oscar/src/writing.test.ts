import { expect, test } from 'vitest';

import { OscarInvalid } from './errors.ts';
import { assertFits, columns } from './writing.ts';

const { appointment } = columns;

test('a text as long as its column passes, and one longer is refused, not cut', () => {
  expect(() => assertFits({ reason: 'x'.repeat(80) }, appointment)).not.toThrow();
  expect(() => assertFits({ reason: 'x'.repeat(81) }, appointment)).toThrow(OscarInvalid);
});

test('a character after which MariaDB drops the rest is refused', () => {
  expect(() => assertFits({ reason: 'Zoë' }, appointment)).not.toThrow();
  expect(() => assertFits({ reason: 'Flu 🤒 since Monday' }, appointment)).toThrow(OscarInvalid);
});

test('a character that XML cannot carry is refused', () => {
  expect(() => assertFits({ notes: 'a\nb\tc' }, appointment)).not.toThrow();
  expect(() => assertFits({ notes: 'a\u0000b' }, appointment)).toThrow(OscarInvalid);
  expect(() => assertFits({ notes: 'a\uFFFFb' }, appointment)).toThrow(OscarInvalid);
});

test('a key that OSCAR does not know is refused', () => {
  const given: Record<string, string> = { reason: 'Flu', priority: 'High' };
  expect(() => assertFits(given, appointment)).toThrow('OSCAR does not know the field priority');
});

test('a refusal does not repeat the text, which may be a patient’s', () => {
  expect(() => assertFits({ reason: `secret ${'x'.repeat(80)}` }, appointment)).toThrow(
    /^(?!.*secret)/,
  );
});
