import { expect, type Locator, type Page } from '@playwright/test';

import { expectAccessible } from '../accessible.ts';

/** The audit trail at the front desk. */
export class DeskAudit {
  private readonly page: Page;
  private constructor(page: Page) {
    this.page = page;
  }

  static async arrive(page: Page): Promise<DeskAudit> {
    await expect(page.getByRole('heading', { level: 1, name: 'Audit' })).toBeVisible();
    await expect(page.getByRole('table')).toBeVisible();
    await expectAccessible(page);
    return new DeskAudit(page);
  }

  row(words: string | RegExp): Locator {
    return this.page.getByRole('table').getByRole('row').filter({ hasText: words });
  }

  /** Chooses whose entries are shown. */
  async ofPatient(typed: string, name: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Choose a patient' }).click();
    await this.page.keyboard.type(typed);
    await this.page.keyboard.press('Enter');
    await expect(
      this.page.getByRole('list', { name: 'Patients found' }).locator(':focus'),
    ).toContainText(name);
    await expectAccessible(this.page);
    await this.page.keyboard.press('Enter');
    await expect(this.page.getByRole('table', { name: `Entries about ${name}` })).toBeVisible();
    await expectAccessible(this.page);
  }
}
