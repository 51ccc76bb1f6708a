import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** What axe must find nothing against: WCAG 2.2 A and AA, and its good practices. */
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The forms of screens in which axe has found nothing in this process. */
const clean = new Set<string>();

/**
 * Has axe look at the page as it is now. A screen of a form that was found clean before is not looked
 * at again: only its words differ, and how wide and in which colours it stands is part of its form.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const form = await page.evaluate(formOfScreen);
  if (clean.has(form)) return;
  // No page here has frames, which is all that axe's slower way is for.
  const axe = new AxeBuilder({ page }).withTags(standards).setLegacyMode(true);
  const { violations } = await axe.analyze();
  const found = violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help} (${nodes.map(({ target }) => target.join(' ')).join(', ')})`,
  );
  expect(found).toEqual([]);
  clean.add(form);
}

/** Elements with their classes and states, and where words stand; alike neighbours once. Runs in the page. */
function formOfScreen(): string {
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
  const { width, fontSize, backgroundColor } = getComputedStyle(document.documentElement);
  return [width, fontSize, backgroundColor, describe(document.body)].join();
}
