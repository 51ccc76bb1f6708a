import { expect, type Locator, type Page } from '@playwright/test';

/** A person at the keyboard whose presses are counted; what is data, such as a name, is not. */
export class CountedKeys {
  pressed = 0;
  private readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      this.pressed += 1;
      await this.page.keyboard.press(key);
    }
  }

  /** Key by key, each counted. */
  async type(words: string, delay = 0): Promise<void> {
    this.pressed += words.length;
    await this.page.keyboard.type(words, { delay });
  }

  /** Names, dates of birth and numbers. */
  async data(words: string): Promise<void> {
    await this.page.keyboard.type(words);
  }

  /** Goes on with Tab, each counted, until a control has the focus. */
  async tabTo(wanted: Locator): Promise<void> {
    await expect(wanted.first()).toBeVisible();
    const isThere = () =>
      wanted.evaluateAll((all) => all.includes(document.activeElement as never));
    for (let steps = 0; steps < 60 && !(await isThere()); steps += 1) await this.press('Tab');
    expect(await isThere()).toBe(true);
  }
}
