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
    // Typed letters would choose another one where a slow machine takes a second between two.
    await this.page.getByLabel('Whose time').selectOption({ label: provider });
    await answer('From', from);
    await tabTo('button', 'Show who is affected');
    await press('Enter');
    await expect(this.page.getByRole('heading', { name: /^Closing / })).toBeFocused();
    await expectAccessible(this.page);
  }

  /** Closes a whole day of a provider. */
  async closeDay(provider: string, day: string): Promise<void> {
    await this.page.getByLabel('Whose time').selectOption({ label: provider });
    await this.page.getByLabel('First day').fill(day);
    const { tabTo, press } = this.keyboard;
    await tabTo('button', 'Show who is affected');
    await press('Enter');
    await expect(this.page.getByRole('heading', { name: /^Closing / })).toBeFocused();
    await this.close();
  }

  /** Asks for the first page of whom the closing would affect. */
  async showNames(): Promise<void> {
    const { tabTo, press } = this.keyboard;
    await tabTo('button', 'Show names and emails');
    await press('Enter');
    await expect(this.page.getByText(/^Page 1 of /)).toBeFocused();
    await expectAccessible(this.page);
  }

  /** Who is affected, or what became of them. */
  row(patient: RegExp): Locator {
    return this.page.getByRole('row', { name: patient });
  }

  /** Goes back to the form, which has what was chosen. */
  async change(provider: string, from: string): Promise<void> {
    const { tabTo, press } = this.keyboard;
    await tabTo('button', 'Change the time');
    await press('Enter');
    const who = this.page.getByLabel('Whose time');
    await expect(who.locator('option:checked')).toHaveText(provider);
    await expect(this.page.getByLabel('From', { exact: true })).toHaveValue(from);
    await tabTo('button', 'Show who is affected');
    await press('Enter');
    await expect(this.page.getByRole('heading', { name: /^Closing / })).toBeFocused();
  }

  /** Closes the time that was foreseen; the page of the closing has the focus. */
  async close(): Promise<void> {
    const { tabTo, press } = this.keyboard;
    await tabTo('button', /^Close this time/);
    await press('Enter');
    await expect(this.page.getByRole('heading', { level: 1, name: /^Closed: / })).toBeFocused();
    await expectAccessible(this.page);
  }

  /** Opens closed time again, on the page of the closing. */
  async reopen(): Promise<void> {
    const { tabTo, press } = this.keyboard;
    await tabTo('button', 'Open this time again');
    await press('Enter');
    const dialog = this.page.getByRole('dialog', { name: /^Open .* again\?$/ });
    await expect(dialog).toBeVisible();
    await expectAccessible(this.page);
    await tabTo('button', 'Open this time again');
    await press('Enter');
    await expect(dialog).toHaveCount(0);
    await expect(this.page.getByText(/^Opened again by /)).toBeFocused();
    await expectAccessible(this.page);
  }
}

/** Whom a closing leaves to call. */
export class DeskToCall {
  readonly list: Locator;
  private readonly page: Page;
  constructor(page: Page) {
    this.page = page;
    this.list = page.getByRole('region', { name: 'To call' });
  }

  row(patient: string): Locator {
    return this.list.getByRole('row').filter({ hasText: patient });
  }

  /** The list says so by now, on whatever computer. */
  async shows(patient: string, last: RegExp): Promise<void> {
    await expect(this.row(patient).getByRole('cell').nth(2)).toHaveText(last);
  }

  /** Presses the button of a row by keyboard. */
  async press(patient: string, button: string): Promise<void> {
    await this.row(patient).getByRole('button', { name: button }).focus();
    await this.page.keyboard.press('Enter');
  }
}

/** The working week of a provider; painted by keyboard alone. */
export class DeskWeek {
  private readonly page: Page;
  private readonly keyboard: Keyboard;
  private constructor(page: Page) {
    this.page = page;
    this.keyboard = keyboardOf(page);
  }

  static async arrive(page: Page, provider: string): Promise<DeskWeek> {
    const name = `Working week of ${provider}`;
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(page.getByRole('grid', { name: 'Working week' })).toBeVisible();
    await expectAccessible(page);
    return new DeskWeek(page);
  }

  /** 'Monday 08:00' */
  cell(at: string): Locator {
    return this.page.getByRole('gridcell', { name: new RegExp(`^${at}: `) });
  }

  /** Goes to a quarter of an hour with the arrow keys, chooses so many downwards, and presses a key. */
  async paint(at: string, quarters: number, key: string): Promise<void> {
    const { press } = this.keyboard;
    const inGrid = this.page.locator('[role=grid] td[tabindex="0"]');
    for (let steps = 0; steps < 80 && !(await this.isFocused()); steps += 1) await press('Tab');
    await press('Home');
    for (let rows = 0; rows < 96; rows += 1) {
      const name = (await inGrid.getAttribute('aria-label')) ?? '';
      if (name.startsWith(`${at}: `)) break;
      await press('ArrowDown');
    }
    await expect(this.cell(at)).toBeFocused();
    for (let more = 1; more < quarters; more += 1) await press('Shift+ArrowDown');
    await press(key);
  }

  private isFocused(): Promise<boolean> {
    return this.page.evaluate(() => document.activeElement?.matches('[role=grid] td') === true);
  }

  /** One day alone, in place of the week. */
  async showDay(date: string): Promise<void> {
    await this.page.getByLabel('What is shown').selectOption({ label: 'One day alone' });
    await this.page.getByLabel('Day', { exact: true }).fill(date);
    await expect(this.page.getByRole('grid', { name: 'Working time of the day' })).toBeVisible();
    await expectAccessible(this.page);
  }

  async foresee(): Promise<void> {
    await this.keyboard.tabTo('button', 'Show what would change');
    await this.keyboard.press('Enter');
    const heading = this.page.getByRole('heading', { name: /would stand outside/ });
    await expect(heading).toBeFocused();
    await expectAccessible(this.page);
  }

  get outside(): Locator {
    return this.page.getByRole('table', { name: 'Appointments outside of the week' });
  }

  /** What was foreseen, by the button beneath it. */
  async save(button = 'Save the week'): Promise<void> {
    await this.keyboard.tabTo('button', button);
    await this.keyboard.press('Enter');
    await expect(this.page.getByRole('alert')).toContainText('Saved.');
    await expect(this.page.getByRole('alert')).toBeFocused();
  }
}
