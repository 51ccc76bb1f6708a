import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readPo } from './po.ts';

const french = Object.entries(
  readPo(readFileSync(new URL('../locales/fr.po', import.meta.url), 'utf8')),
);
const written = (unwanted: RegExp) => french.filter(([, words]) => unwanted.test(words));

describe('The French texts', () => {
  test.each([
    ['a typewriter apostrophe, which also quotes in ICU', /'/],
    ['a colon that may begin a line', /(?<!\u00A0): |[^\u00A0]:$/],
    ['a guillemet that may stand alone on a line', /«(?!\u00A0)|(?<!\u00A0)»/],
    ['a space before a mark that takes none in Canada', /[ \u00A0][;!?]/],
    ['a percent or dollar sign that may stand alone on a line', /(?<!\u00A0)[$%]/],
    ['the word of France for an email', /(?<!\{)\be-?mails?\b/i],
  ])('have nowhere %s', (_, unwanted) => {
    expect(french.length).toBeGreaterThan(1000);
    expect(written(unwanted)).toEqual([]);
  });
});
