import { expect, type Locator, type Page } from '@playwright/test';

import { test as journey } from './journey.ts';

/** The day sheet of the fake OSCAR, in a window beside the patient's: who uses it plays the receptionist. */
export class DaySheet {
  readonly #page: Page;
  readonly #address: string;

  constructor(page: Page, address: string) {
    this.#page = page;
    this.#address = address;
  }

  async show(date: string): Promise<void> {
    await this.#page.goto(`${this.#address}?date=${date}`);
    await expect(this.#page.getByRole('heading', { level: 1 })).toHaveText(`Day sheet of ${date}`);
  }

  /** An appointment of this day, by the time at which it begins. */
  item(time: string): Locator {
    return this.#page.getByRole('listitem').filter({ hasText: new RegExp(`^${time}–`) });
  }

  async cancel(date: string, time: string): Promise<void> {
    await this.show(date);
    const item = this.item(time);
    await item.getByLabel(/^Status/).selectOption('Cancelled');
    await item.getByRole('button', { name: /^Set status/ }).click();
    await expect(item.locator('s')).toBeVisible();
  }

  async move(date: string, from: string, to: string): Promise<void> {
    await this.show(date);
    const item = this.item(from);
    await item.getByLabel(/^Time/).fill(to);
    await item.getByRole('button', { name: /^Move/ }).click();
    await expect(this.item(to)).toBeVisible();
  }

  /** Whether OSCAR answers anybody. */
  async answers(does: boolean): Promise<void> {
    await this.#page.goto(this.#address);
    await this.#page.getByLabel('is down').setChecked(!does);
    await this.#page.getByRole('button', { name: 'Switch' }).click();
    await expect(this.#page.getByLabel('is down')).toBeChecked({ checked: !does });
  }
}

/** In a clinic whose book a fake OSCAR keeps. */
export const test = journey.extend<{ sheet: DaySheet }>({
  clinicEnv: { EMR: 'fake-oscar' },
  sheet: async ({ clinic, browser }, give) => {
    if (clinic.daySheet === null) throw new Error('This clinic is on no fake OSCAR');
    const page = await browser.newPage();
    await give(new DaySheet(page, clinic.daySheet));
    await page.close();
  },
});
