import { expect, type Locator, type Page } from '@playwright/test';

import { expectAccessible } from '../accessible.ts';

/** A dialog that is open, made only by `arrive`, which has axe look at it. */
export class Dialog {
  readonly page: Page;
  readonly box: Locator;

  constructor(page: Page, box: Locator) {
    this.page = page;
    this.box = box;
  }

  static async arrive<D extends Dialog>(
    this: new (page: Page, box: Locator) => D,
    page: Page,
    name: string | RegExp,
  ): Promise<D> {
    const exactly = { name, exact: true };
    const box = page.getByRole('dialog', exactly).or(page.getByRole('alertdialog', exactly));
    await expect(box).toBeVisible();
    await expect(box.getByRole('heading', exactly)).toBeFocused();
    await expectAccessible(page);
    return new this(page, box);
  }

  button(name: string): Locator {
    return this.box.getByRole('button', { name, exact: true });
  }

  async press(name: string): Promise<void> {
    await this.button(name).click();
  }

  async expectGone(): Promise<void> {
    await expect(this.box).toBeHidden();
  }
}
