import { expect, type Locator, type Page } from '@playwright/test';

import { expectAccessible } from '../accessible.ts';

/** The inbox of the front desk, by keyboard alone. */
export class DeskMessages {
  private readonly page: Page;
  private constructor(page: Page) {
    this.page = page;
  }

  static async arrive(page: Page): Promise<DeskMessages> {
    await expect(page.getByRole('heading', { level: 1, name: 'Messages' })).toBeVisible();
    await expect(page.getByRole('heading', { name: /wait.* for an answer$/ })).toBeVisible();
    await expectAccessible(page);
    return new DeskMessages(page);
  }

  /** The name of the screen, with how many are new. */
  get tab(): Locator {
    return this.page.getByRole('navigation', { name: 'Screens' }).getByRole('link', {
      name: /^Messages/,
    });
  }

  /** The lists of who waits, and of what is settled. */
  entry(words: string | RegExp): Locator {
    return this.page.getByRole('listitem').getByRole('button', { name: words });
  }

  get outcome(): Locator {
    return this.page.getByRole('alert');
  }

  /** Opens a message: from the first of its list, by the arrows. */
  async open(patient: string, words: string): Promise<Locator> {
    const wanted = this.entry(words);
    await expect(wanted).toBeVisible();
    await this.page.locator('[id^="message-"][tabindex="0"]').first().focus();
    for (let steps = 0; steps < 20; steps += 1) {
      if (await wanted.evaluate((entry) => entry === document.activeElement)) break;
      await this.page.keyboard.press('ArrowDown');
    }
    await this.page.keyboard.press('Enter');
    const panel = this.page.getByRole('complementary', { name: patient });
    await expect(panel.getByRole('heading', { name: patient })).toBeFocused();
    await expectAccessible(this.page);
    return panel;
  }
}
