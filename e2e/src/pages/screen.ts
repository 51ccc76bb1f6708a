import { expect, type Locator, type Page } from '@playwright/test';

import { expectAccessible } from '../accessible.ts';
import { Shell } from './shell.ts';
import { said } from '../said.ts';

interface KindOfScreen<S> {
  new (page: Page): S;
  /** What its first heading says. */
  readonly heading: string | readonly string[];
}

/**
 * A screen that a patient is on. It is made only through `arrive`, which waits for the heading and
 * has axe look at the page, so that no journey can forget either.
 */
export class Screen {
  readonly page: Page;
  readonly main: Locator;
  readonly shell: Shell;

  constructor(page: Page) {
    this.page = page;
    this.main = page.getByRole('main');
    this.shell = new Shell(page);
  }

  static async arrive<S extends Screen>(this: KindOfScreen<S>, page: Page): Promise<S> {
    await expectHeading(page, this.heading);
    await expect(page.getByText(said(page, 'Loading…'), { exact: true })).toHaveCount(0);
    await expectAccessible(page);
    return new this(page);
  }

  button(name: string | RegExp): Locator {
    return this.main.getByRole('button', { name: said(this.page, name), exact: true });
  }

  async press(name: string | RegExp): Promise<void> {
    await this.button(name).click();
  }

  /** A sentence that stands on the screen, letter for letter. */
  says(text: string): Locator {
    return this.main.getByText(said(this.page, text), { exact: true });
  }

  /** The box above a form that failed, or another message that interrupts. */
  alert(): Locator {
    return this.main.getByRole('alert');
  }
}

export async function expectHeading(page: Page, words: string | readonly string[]): Promise<void> {
  const name = said(page, words);
  await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
}
