import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

import { PSEUDO, PSEUDO_MIRRORED } from '@clinic/texts/pseudo';
import { expect, type Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

import { BETWEEN, catalogueOf } from './said.ts';

/** What axe finds is told in full, what is right not. It loads no styles, which none of these rules reads. */
const brief: RunOptions = { resultTypes: ['violations'], preload: { assets: ['media'] } };

/** What axe must find nothing against: WCAG 2.2 A and AA, and its good practices. */
const standards: RunOptions = {
  ...brief,
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  // Off unless it is asked for: who says the words that are seen must reach the control.
  rules: { 'label-content-name-mismatch': { enabled: true } },
};

/** And that what can be pressed is 24 by 24 px, or as far from its neighbours; axe leaves it out unless it is asked. */
const standardsOfDense: RunOptions = {
  ...standards,
  rules: { ...standards.rules, 'target-size': { enabled: true } },
};

/** Of these, what colours decide: all else is as it was when the theme changes. */
const ofColours: RunOptions = {
  ...brief,
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Between two rules it lets the page go on, also where a journey has stopped the clock of the page. */
const axeSource = `(() => {
  const setTimeout = (act, ms = 0) => {
    if (ms > 0) return window.setTimeout(act, ms);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      act();
    };
    port2.postMessage(null);
  };
  ${readFileSync(axeFile, 'utf8')}
})()`;

/**
 * A file for each form of screen in which axe has found nothing in this run, for all workers. It names the screen:
 * `sort -u node_modules/.cache/clean-screens/*` lists what a run has looked at.
 */
const clean = resolve(import.meta.dirname, '../../node_modules/.cache/clean-screens');

export function forgetCleanScreens(): void {
  rmSync(clean, { recursive: true, force: true });
}

/**
 * Has axe look at the page as it is now, and at its colours in the other theme. A screen of a form
 * that was found clean before is not looked at again: only its words differ, in one language, and
 * how wide and in which colours it stands is part of its form. A locale made from English adds
 * nothing for axe: its screens are those of the journeys in English.
 */
export async function expectAccessible(page: Page, { isDense = false } = {}): Promise<void> {
  const locale = catalogueOf(page)?.locale;
  if (locale === PSEUDO || locale === PSEUDO_MIRRORED) return;
  await page.evaluate(untilMotionEnds);
  const { form, theme, screen } = await page.evaluate(formOfScreen);
  const mark = join(clean, createHash('sha256').update(`${form}${isDense}`).digest('hex'));
  if (existsSync(mark)) return;
  // What the browser has to read of axe is most of its cost.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const found = await look(page, isDense ? standardsOfDense : standards, theme);
  const other = theme === 'dark' ? 'light' : 'dark';
  await page.emulateMedia({ colorScheme: other });
  found.push(...(await look(page, ofColours, other)));
  await page.emulateMedia({ colorScheme: theme });
  expect(found).toEqual([]);
  mkdirSync(clean, { recursive: true });
  writeFileSync(mark, `${screen}\n`);
}

/**
 * A dialog begins transparent, even where motion is reduced to a moment: until a busy browser draws its next frame,
 * axe takes it as hidden, and what is behind it as out of reach. Runs in the page.
 */
async function untilMotionEnds(): Promise<void> {
  const ending = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map(({ finished }) => finished));
}

/** What axe finds against the page, in words; no page here has frames. */
async function look(page: Page, options: RunOptions, theme: string): Promise<string[]> {
  const found = await page.evaluate(async (what) => {
    const { axe } = window as unknown as {
      axe: { run: (what: RunOptions) => Promise<AxeResults> };
    };
    const { violations } = await axe.run(what);
    return violations.map(
      ({ id, help, nodes }) =>
        `${id}: ${help} (${nodes.map(({ target }) => target.join(' ')).join(', ')})`,
    );
  }, options);
  return found.map((each) => `${theme}: ${each}`);
}

/** Elements with their classes and states, and where words stand; alike neighbours once. Runs in the page. */
function formOfScreen(): { form: string; theme: 'light' | 'dark'; screen: string } {
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
  const words = (where: string): string =>
    [...document.querySelectorAll(where)].map((part) => part.textContent.trim()).join(' + ');
  const state = document.querySelectorAll('[role=alert], [aria-invalid=true], [role=status]');
  const said = [...state].map((part) => part.getAttribute('role') ?? part.id).join(' ');
  return {
    form: [root.lang, width, fontSize, backgroundColor, describe(document.body)].join(),
    theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
    screen: [root.lang, width, fontSize, words('h1'), words('dialog[open] h2'), said].join(' | '),
  };
}

/**
 * What keeps a reader from the words of the page: those that are not in the language in which the
 * journey reads it, and those that are cut off on the narrowest phone, or on a phone with text of
 * twice the size.
 */
export async function wordsLost(page: Page): Promise<string[]> {
  const catalogue = catalogueOf(page);
  if (catalogue === undefined) throw new Error('The journey did not say which language it reads.');
  const size = page.viewportSize();
  const mistakes = (await page.evaluate(wordsOnPage, BETWEEN)).flatMap((words) => {
    const mistake = catalogue.mistakeIn(words);
    return mistake === null ? [] : [`${mistake}: ${words}`];
  });
  for (const [width, fontSize] of [
    [320, ''],
    [375, '212.5%'],
  ] as const) {
    await page.setViewportSize({ width, height: 812 });
    await page.evaluate((size) => (document.documentElement.style.fontSize = size), fontSize);
    // Frames of the page itself stand still where a journey has stopped its clock.
    await (await page.waitForSelector('body')).waitForElementState('stable');
    const cut = await page.evaluate(wordsCutOff);
    mistakes.push(...cut.map((words) => `cut off at ${width} px ${fontSize}: ${words}`));
  }
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
  if (size !== null) await page.setViewportSize(size);
  return [...new Set(mistakes)];
}

/**
 * What is read or heard on the page, without what people typed: that stands in a field, or is marked
 * as not to be translated, as private, as a name or by a language of its own. Runs in the page.
 */
function wordsOnPage(between: string): string[] {
  const typed =
    'script, style, noscript, textarea, bdi, [translate="no"], [data-private], body [lang]';
  const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true });
  const elements = [...document.body.querySelectorAll('*')].filter(
    (element) => element.closest(typed) === null && isShown(element.closest('select') ?? element),
  );
  const said = ['aria-label', 'aria-description', 'aria-valuetext', 'placeholder', 'title', 'alt'];
  const words = elements.flatMap((element) => [
    // A sentence may stand around what somebody typed.
    [...element.childNodes]
      .map((node) => (node.nodeType === Node.TEXT_NODE ? (node.nodeValue ?? '') : '\uFFFC'))
      .join(between),
    ...said.map((name) => element.getAttribute(name) ?? ''),
  ]);
  return [document.title, ...words].map((each) => each.trim()).filter((each) => each !== '');
}

/** What lies outside of its box, of a box that cuts it off, or of the window. Runs in the page. */
function wordsCutOff(): string[] {
  const root = document.documentElement;
  const found =
    root.scrollWidth > root.clientWidth ? [`the page is ${root.scrollWidth} px wide`] : [];
  const open = document.querySelector('dialog[open]:last-of-type') ?? document.body;
  const texts = document.createTreeWalker(open, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    const parent = text.parentElement;
    if (!parent?.checkVisibility({ visibilityProperty: true })) continue;
    if (parent.closest('script, style, noscript, option, svg') || !text.nodeValue?.trim()) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const rects = [...range.getClientRects()].filter(({ width }) => width > 0);
    const why = rects.map((rect) => whyCut(parent, rect)).find((each) => each !== null);
    if (why !== undefined) found.push(`${text.nodeValue.trim()} (${why})`);
  }
  return found;

  function whyCut(parent: Element, words: DOMRect): string | null {
    const own = parent.closest('li, p, a, button, label, legend, td, th, dt, dd, h1, h2, h3');
    let isOwnBox = true;
    let scrolls = false;
    for (let box: Element | null = parent; box !== null; box = box.parentElement) {
      const { display, overflowX, overflowY, position } = getComputedStyle(box);
      if (display.startsWith('inline') && !/-(block|flex|grid)$/.test(display)) continue;
      if (display === 'contents') continue;
      const { left, right, top, bottom, width } = box.getBoundingClientRect();
      // Only heard.
      if (width <= 1) return null;
      if (/auto|scroll/.test(overflowX) && box.scrollWidth > box.clientWidth) return null;
      const isWider = words.left < left - 2 || words.right > right + 2;
      const isItsPlace = isOwnBox || own?.contains(box) === true;
      if (isWider && (isItsPlace || overflowX !== 'visible')) return `wider than ${box.className}`;
      scrolls ||= /auto|scroll/.test(overflowY);
      const isHigher = words.top < top - 4 || words.bottom > bottom + 4;
      if (isHigher && !scrolls && overflowY !== 'visible') return `higher than ${box.className}`;
      if (position === 'fixed') break;
      isOwnBox = false;
    }
    return words.left < -1 || words.right > innerWidth + 1 ? 'outside of the window' : null;
  }
}
