import { expect, expectTypeOf, test } from 'vitest';

import { OscarInvalid } from './errors.ts';
import { assertFits, columns } from './writing.ts';

const { appointment } = columns;
const fits = (texts: { readonly reason: string }) => assertFits(texts, appointment);

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

test('a field that OSCAR has no column for does not compile, and is refused', () => {
  expectTypeOf<{ reason: string }>().toExtend<Parameters<typeof fits>[0]>();
  // @ts-expect-error An appointment has no such column.
  expect(() => fits({ priority: 'High' })).toThrow(OscarInvalid);
});

test('a refusal does not repeat the text, which may be a patient’s', () => {
  expect(() => assertFits({ reason: `secret ${'x'.repeat(80)}` }, appointment)).toThrow(
    /^(?!.*secret)/,
  );
});
