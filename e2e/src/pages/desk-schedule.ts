import { expect, type Locator, type Page } from '@playwright/test';

import { expectAccessible } from '../accessible.ts';
import { type Keyboard, keyboardOf } from '../keyboard.ts';

/** The schedule at the front desk; by keyboard alone. */
export class DeskSchedule {
  readonly page: Page;
  private readonly keyboard: Keyboard;
  private constructor(page: Page) {
    this.page = page;
    this.keyboard = keyboardOf(page);
  }

  static async arrive(page: Page): Promise<DeskSchedule> {
    await expect(page.getByRole('heading', { level: 1, name: 'Schedule' })).toBeVisible();
    await expectAccessible(page);
    return new DeskSchedule(page);
  }

  /** Asks who is affected when a provider's time is closed, today from a time on. */
  async foresee(provider: string, from: string): Promise<void> {
    const { answer, tabTo, press } = this.keyboard;
    await answer('Whose time', provider);
    await answer('From', from);
    await tabTo('button', 'Show who is affected');
    await press('Enter');
    await expect(this.page.getByRole('heading', { name: /^Closing / })).toBeFocused();
    await expectAccessible(this.page);
  }

  /** Who is affected, or what became of them. */
  row(patient: RegExp): Locator {
    return this.page.getByRole('row', { name: patient });
  }

  /** Closes the time that was foreseen; the page of the closing has the focus. */
  async close(): Promise<void> {
    const { tabTo, press } = this.keyboard;
    await tabTo('button', /^Close this time/);
    await press('Enter');
    await expect(this.page.getByRole('heading', { level: 1, name: /^Closed: / })).toBeFocused();
    await expectAccessible(this.page);
  }
}
