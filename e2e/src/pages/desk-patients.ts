import { expect, type Locator, type Page } from '@playwright/test';

import { expectAccessible } from '../accessible.ts';

/** The page of patients at the front desk, and the record that is opened from it. */
export class DeskPatients {
  private readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }

  static async arrive(page: Page): Promise<DeskPatients> {
    await expect(page.getByRole('heading', { level: 1, name: 'Patients' })).toBeVisible();
    await expectAccessible(page);
    return new DeskPatients(page);
  }

  /** Who waits for somebody to look at what they sent. */
  get waiting(): Locator {
    return this.page.getByRole('region', { name: 'Waiting for somebody to look' });
  }

  /** Types a name and picks the first who is found, by keyboard. */
  async open(name: string): Promise<void> {
    await this.page.getByLabel('Name, birth date, phone or card number').focus();
    await this.page.keyboard.type(name);
    await this.page.keyboard.press('Enter');
    const found = this.page.getByRole('list', { name: 'Patients found' });
    await expect(found.getByRole('button').first()).toBeFocused();
    await expectAccessible(this.page);
    await this.page.keyboard.press('Enter');
  }

  /** Says why, where the record asks for it, and comes to it. */
  async lookBecause(reason: string, name: string): Promise<void> {
    await this.sayWhy(reason);
    await this.expectOpen(name);
  }

  /** Says why, where the record asks for it. */
  async sayWhy(reason: string): Promise<void> {
    const why = this.page.getByLabel('Why do you look at this patient?');
    await why.focus();
    await expectAccessible(this.page);
    await this.page.keyboard.type(reason);
    await this.page.keyboard.press('Tab');
    await this.page.keyboard.press('Enter');
  }

  /** The record is there, and its name has the focus. */
  async expectOpen(name: string): Promise<void> {
    await expect(this.page.getByRole('heading', { level: 1, name })).toBeFocused();
    await expectAccessible(this.page);
  }

  section(name: string): Locator {
    return this.page.getByRole('region', { name });
  }

  /** What came of a change; it has the focus. */
  async expectOutcome(says: string): Promise<void> {
    const outcome = this.page.getByRole('alert').filter({ hasText: says });
    await expect(outcome).toBeFocused();
    await expectAccessible(this.page);
  }
}
