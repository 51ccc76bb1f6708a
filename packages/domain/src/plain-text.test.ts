import { expect, test } from 'vitest';
import { isPlainText, plainText } from './plain-text.ts';
import { hasDirectionOverride, isolateRightToLeft, withoutControls } from './unseen-text.ts';

test.each(['', 'a\tb\nc', 'a\r\nb', '\r\n', 'بطاقة \u200F', '👩\u200D⚕️', '\uFFFD'])(
  '%j is plain text',
  (text) => {
    expect(isPlainText(text)).toBe(true);
    expect(plainText(text)).toBe(text);
  },
);

test.each(['\0', 'a\u001B[2J', 'a\u0007', 'a\rb', 'a\r', '\u007F', '\u0085', 'a\u009Bb', '\uD800'])(
  '%j is more than text',
  (text) => {
    expect(isPlainText(text)).toBe(false);
    expect(isPlainText(plainText(text))).toBe(true);
  },
);

test('marks that turn the order of what is shown are found, letters and their own marks are not', () => {
  for (const mark of '\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069')
    expect(hasDirectionOverride(`Anne${mark}Marie`)).toBe(true);
  for (const name of ['אנה', 'محمد\u200F', 'Anne']) expect(hasDirectionOverride(name)).toBe(false);
});

test('a name of somebody else’s is shown without what steers a screen', () => {
  expect(withoutControls('a\u001B[2Jb\u0007\r\n\u2028c\u009B\u202Egnp.exe')).toBe('a[2Jbcgnp.exe');
  expect(withoutControls('בטקה 1\u200F.png')).toBe('בטקה 1.png');
});

test('words from right to left are isolated within a line, and nothing else of it changes', () => {
  expect(isolateRightToLeft('id  כהן דוד  may not book')).toBe(
    'id  \u2068כהן דוד\u2069  may not book',
  );
  expect(isolateRightToLeft('[بطاقة 123.pdf, 7 bytes]')).toBe(
    '[\u2068بطاقة\u2069 123.pdf, 7 bytes]',
  );
  expect(isolateRightToLeft('Łukasz 王小明 👩‍⚕️ card.png')).toBe('Łukasz 王小明 👩‍⚕️ card.png');
});
