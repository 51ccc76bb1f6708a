import { expect, type Locator, type Page } from '@playwright/test';

import { expectAccessible } from '../accessible.ts';
import { said } from '../said.ts';

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
    name: string | readonly string[],
  ): Promise<D> {
    const exactly = { name: said(page, name), exact: true };
    const box = page.getByRole('dialog', exactly).or(page.getByRole('alertdialog', exactly));
    await expect(box).toBeVisible();
    await expect(box.getByRole('heading', exactly)).toBeFocused();
    await expectAccessible(page);
    return new this(page, box);
  }

  button(name: string): Locator {
    return this.box.getByRole('button', { name: said(this.page, name), exact: true });
  }

  async press(name: string): Promise<void> {
    await this.button(name).click();
  }

  async expectGone(): Promise<void> {
    await expect(this.box).toBeHidden();
  }
}
