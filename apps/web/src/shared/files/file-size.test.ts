import { addMessages } from '@clinic/texts/translate';
import { afterEach, expect, test } from 'vitest';
import { speak } from '../../messages/t.ts';
import { fileSize } from './file-size.ts';

afterEach(() => speak('en'));

// Shows: R-99
test('a size is written in the manner of the language', async () => {
  expect(fileSize(1)).toBe('1 KB');
  expect(fileSize(640 * 1024)).toBe('640 KB');
  expect(fileSize(2.4 * 1024 * 1024)).toBe('2.4 MB');
  addMessages('fr', { 'files.kilobytes': '{size} Ko', 'files.megabytes': '{size} Mo' });
  await speak('fr');
  expect(fileSize(640 * 1024)).toBe('640 Ko');
  expect(fileSize(2.4 * 1024 * 1024)).toBe('2,4 Mo');
});
