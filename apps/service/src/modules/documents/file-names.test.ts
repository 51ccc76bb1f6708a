import { expect, test } from 'vitest';
import { downloadName, shownName } from './store.ts';

test.each([
  ['card.jpeg', 'image/jpeg', 'card.jpg'],
  ['../../etc/passwd', 'image/png', 'passwd.png'],
  ['C:\\Users\\riley\\card.png', 'image/png', 'card.png'],
  ['card\u202Egnp.exe', 'image/png', 'cardgnp.png'],
  ['a\r\nb\0c.pdf', 'application/pdf', 'abc.pdf'],
  ['', 'image/png', 'file.png'],
  ['   ', 'image/png', 'file.png'],
  ['.htaccess', 'text/csv', 'htaccess.csv'],
  ['\uD800', 'image/png', '\uFFFD.png'],
  ['بطاقة 😀.png', 'image/png', 'بطاقة 😀.png'],
  ['cafe\u0301.png', 'image/png', 'café.png'],
  ['x'.repeat(5_000), 'image/webp', `${'x'.repeat(100)}.webp`],
])('Name %# is shown with our extension and without a path', (given, mediaType, shown) => {
  expect(shownName(given, mediaType)).toBe(shown);
});

// Shows: S-4
test('A download is called what we call it', () => {
  expect(downloadName('attachment-2', 'application/pdf')).toBe('attachment-2.pdf');
  expect(downloadName('../a"b', 'text/html')).toBe('ab.bin');
});
