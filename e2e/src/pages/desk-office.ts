import { readFile } from 'node:fs/promises';

import { expect, type Download, type Locator, type Page } from '@playwright/test';

import { expectAccessible } from '../accessible.ts';

/** What a manager has beside the days: Money, Reports and Set-up. */
export class DeskOffice {
  private readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }

  /** Opens a screen by its name above the page. */
  async open(screen: 'Money' | 'Reports' | 'Set-up'): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Screens' }).getByText(screen).click();
    await expect(this.page.getByRole('heading', { level: 1, name: screen })).toBeVisible();
  }

  /** A table, once it is there. */
  async table(name: string | RegExp): Promise<Locator> {
    const table = this.page.getByRole('table', { name });
    await expect(table).toBeVisible();
    await expectAccessible(this.page);
    return table;
  }

  /** The table of a picture, once that was seen. */
  async pictureAsTable(name: string, caption: string | RegExp = name): Promise<Locator> {
    const chart = this.page.getByRole('region', { name });
    await expect(chart.getByRole('img', { name: caption })).toBeVisible();
    await expectAccessible(this.page);
    await chart.getByRole('button', { name: 'Show as a table' }).click();
    return this.table(caption);
  }

  /** What came of the last press; it has the focus. */
  async outcome(says: string | RegExp): Promise<void> {
    const alert = this.page.getByRole('alert').filter({ hasText: says });
    await expect(alert).toBeVisible();
    await expect(alert).toBeFocused();
    await expectAccessible(this.page);
  }

  /** Presses, and gives what the browser saved. */
  async saved(press: () => Promise<void>): Promise<{ name: string; text: string }> {
    const [download] = await Promise.all([this.page.waitForEvent('download'), press()]);
    return { name: download.suggestedFilename(), text: await textOf(download) };
  }

  /** Chooses a file of the page's own making. */
  async choose(label: string, name: string, text: string): Promise<void> {
    const file = { name, mimeType: 'text/csv', buffer: Buffer.from(text) };
    await this.page.getByLabel(label).setInputFiles(file);
  }
}

const textOf = async (download: Download) => readFile(await download.path(), 'utf8');
