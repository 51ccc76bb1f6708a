import { describe, expect, test } from 'vitest';
import { mistakesInPo, readPo, refreshedPo } from './po.ts';

const english = {
  'shell.hello': 'Hello {name}',
  'files.count': '{count, plural, one {# file} other {# files}}',
};

/** The file with the French for some ids, as a translator would save it. */
function translated(french: Record<string, string>, text = refreshedPo('', 'fr', english)): string {
  return Object.entries(french).reduce(
    (file, [id, words]) =>
      file.replace(new RegExp(`(msgctxt "${id}"\nmsgid ".*"\nmsgstr) ".*"`), `$1 "${words}"`),
    text,
  );
}
const complete = translated({
  'shell.hello': 'Bonjour {name}',
  'files.count': '{count, plural, one {# fichier} other {# fichiers}}',
});

describe('The PO file of a language', () => {
  test('shows the translator each English text under its id', () => {
    expect(complete).toContain('msgctxt "shell.hello"\nmsgid "Hello {name}"\nmsgstr "Bonjour');
    expect(mistakesInPo(complete, 'fr', english)).toEqual([]);
    expect(readPo(complete)).toMatchObject({ 'shell.hello': 'Bonjour {name}' });
  });

  test('is written anew without a difference while the English stays', () => {
    expect(refreshedPo(complete, 'fr', english)).toBe(complete);
  });

  test('loses the texts that went and keeps the others', () => {
    const { 'shell.hello': hello } = english;
    const refreshed = refreshedPo(complete, 'fr', { 'shell.hello': hello });
    expect(readPo(refreshed)).toEqual({ 'shell.hello': 'Bonjour {name}' });
  });

  test('marks a translation whose English changed, and English is shown until it was looked at', () => {
    const changed = { ...english, 'shell.hello': 'Welcome {name}' };
    const refreshed = refreshedPo(complete, 'fr', changed);
    expect(refreshed).toContain('#. It was: Hello {name}\n#, fuzzy\nmsgctxt "shell.hello"');
    expect(readPo(refreshed)).not.toHaveProperty(['shell.hello']);
    expect(mistakesInPo(refreshed, 'fr', changed)).toEqual([
      'shell.hello was translated from another English text',
    ]);
  });

  test.each([
    [{ 'shell.hello': '' }, 'shell.hello is not translated'],
    [{ 'shell.hello': 'Bonjour' }, 'shell.hello lacks {name}'],
    [{ 'shell.hello': 'Bonjour {nom} {name}' }, 'shell.hello has {nom}, which is given no value'],
    [{ 'shell.hello': "Bonjour d'{name}" }, 'shell.hello lacks {name}'],
    [{ 'shell.hello': 'Bonjour {name' }, /^shell.hello is no ICU message/],
    [
      { 'files.count': '{count, plural, other {# fichiers}}' },
      "files.count has no 'one' in the plural of {count}",
    ],
  ])('is refused with %j', (french, mistake) => {
    const mistakes = mistakesInPo(translated(french, complete), 'fr', english);
    expect(mistakes).toEqual([
      typeof mistake === 'string' ? mistake : expect.stringMatching(mistake),
    ]);
  });

  test('is refused without a text, with one too many, and with another English', () => {
    const other = { 'shell.hello': 'Hi {name}', 'shell.bye': 'Bye' };
    expect(mistakesInPo(complete, 'fr', other)).toEqual([
      'shell.bye is not in the file',
      'shell.hello shows another English text than the product',
      'files.count is no text any more',
    ]);
  });
});
