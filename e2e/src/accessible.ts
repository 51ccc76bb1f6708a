import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** What axe must find nothing against: WCAG 2.2 A and AA, and its good practices. */
const standards = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  // Off unless it is asked for: who says the words that are seen must reach the control.
  rules: { 'label-content-name-mismatch': { enabled: true } },
};

/** Of these, what colours decide: all else is as it was when the theme changes. */
const ofColours = ['color-contrast', 'link-in-text-block'];

/** A file for each form of screen in which axe has found nothing in this run, for all workers. */
const clean = resolve(import.meta.dirname, '../../node_modules/.cache/clean-screens');

export function forgetCleanScreens(): void {
  rmSync(clean, { recursive: true, force: true });
}

/**
 * Has axe look at the page as it is now, and at its colours in the other theme. A screen of a form
 * that was found clean before is not looked at again: only its words differ, in one language, and
 * how wide and in which colours it stands is part of its form.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const { form, theme } = await page.evaluate(formOfScreen);
  const mark = join(clean, createHash('sha256').update(form).digest('hex'));
  if (existsSync(mark)) return;
  const found = await look(axeOf(page).options(standards), theme);
  const other = theme === 'dark' ? 'light' : 'dark';
  await page.emulateMedia({ colorScheme: other });
  found.push(...(await look(axeOf(page).withRules(ofColours), other)));
  await page.emulateMedia({ colorScheme: theme });
  expect(found).toEqual([]);
  mkdirSync(clean, { recursive: true });
  writeFileSync(mark, '');
}

// No page here has frames, which is all that axe's slower way is for.
const axeOf = (page: Page) => new AxeBuilder({ page }).setLegacyMode(true);

async function look(axe: AxeBuilder, theme: string): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations.map(
    ({ id, help, nodes }) =>
      `${theme}: ${id}: ${help} (${nodes.map(({ target }) => target.join(' ')).join(', ')})`,
  );
}

/** Elements with their classes and states, and where words stand; alike neighbours once. Runs in the page. */
function formOfScreen(): { form: string; theme: 'light' | 'dark' } {
  const shown =
    /^(class|role|type|tabindex|lang|aria-(expanded|pressed|current|disabled|invalid|selected|checked|hidden|live|modal))$/;
  const attributesOf = (element: Element): string =>
    [...element.attributes]
      .map(({ name, value }) => (shown.test(name) ? `${name}=${value}` : name))
      .join(' ');
  const describe = (node: Node): string => {
    if (node.nodeType === Node.TEXT_NODE)
      return (node.nodeValue ?? '').trim() === '' ? '' : 'words';
    if (!(node instanceof Element)) return '';
    const inside = [...node.childNodes].map(describe);
    const once = inside.filter((form, at) => form !== '' && form !== inside[at - 1]);
    return `<${node.tagName} ${attributesOf(node)}>${once.join('')}`;
  };
  const root = document.documentElement;
  const { width, fontSize, backgroundColor } = getComputedStyle(root);
  return {
    form: [root.lang, width, fontSize, backgroundColor, describe(document.body)].join(),
    theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
  };
}
