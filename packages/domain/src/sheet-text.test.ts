import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromSheetText, toSheetText } from './sheet-text.ts';

// Shows: S-17
test.each([
  '=1+1',
  '+1',
  '-Mei',
  '@x',
  ' =x',
  '007',
  '1.10',
  '1E5',
  '1234567890123456',
  '12-4',
  '1/2',
  '2026-12',
  '12.4.2026',
  '8:00',
  '8 PM',
  '8:00 a.m.',
  'MAR1',
  '1-Mar',
  'May 5',
  '5 mai 2026',
  'déc 2026',
  'TRUE',
  'faux',
  '$5',
  '5%',
  '#NAME?',
  '########',
  "'7",
  "''=x",
  '00',
])('%j, which a spreadsheet would change, is written behind an apostrophe', (text) => {
  expect(toSheetText(text)).toBe(`'${text}`);
});

test.each(['7', '0', '201', '12345678901', '604-555-0101', '1-604-555-0101', "'plain", "O'Brien"])(
  '%j stands as it is',
  (text) => expect(toSheetText(text)).toBe(text),
);
test.each(['March', 'Mars Road', '10-2206 West 41st Avenue', '#5 Main Street', 'D', '101a', 'P1'])(
  '%j stands as it is, too',
  (text) => expect(toSheetText(text)).toBe(text),
);

test('any text is read back as it was', () => {
  const pieces = ["'", '=', '0', '7', '.', '-', '/', 'E', ' ', 'mar', 'true', '#', '!', 'a', ':'];
  const text = fc.oneof(
    fc.string(),
    fc.array(fc.constantFrom(...pieces), { maxLength: 7 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, (said) => {
      expect(fromSheetText(toSheetText(said))).toBe(said);
    }),
  );
});

test('a number that somebody marked as text is the text', () => {
  expect(['0123', "'0123", "'7", "'O’Neil", "'=x"].map(fromSheetText)).toEqual([
    '0123',
    '0123',
    '7',
    "'O’Neil",
    '=x',
  ]);
});
