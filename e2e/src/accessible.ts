import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** What axe must find nothing against: WCAG 2.2 A and AA, and its good practices. */
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Has axe look at the page as it is now. */
export async function expectAccessible(page: Page): Promise<void> {
  // No page here has frames, which is all that axe's slower way is for.
  const axe = new AxeBuilder({ page }).withTags(standards).setLegacyMode(true);
  const { violations } = await axe.analyze();
  const found = violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help} (${nodes.map(({ target }) => target.join(' ')).join(', ')})`,
  );
  expect(found).toEqual([]);
}
