import { expect, type Locator } from '@playwright/test';

import type { Confirm } from './confirm.ts';
import { choose, said } from '../said.ts';

/** What type I asks on confirm beside the claim number (§2 Booking step 3). */
export class CrashForm {
  readonly main: Locator;

  constructor({ main }: Confirm) {
    this.main = main;
  }

  part(name: 'Year' | 'Month' | 'Day'): Locator {
    return this.group('Date of crash').getByLabel(said(this.main.page(), name), { exact: true });
  }

  async date(year: string, month: string, day: string): Promise<void> {
    await this.part('Year').fill(year);
    await choose(this.part('Month'), month);
    await this.part('Day').fill(day);
  }

  text(label: 'Symptoms' | 'What other treatment?' | 'What medication are you taking?'): Locator {
    return this.main.getByRole('textbox', { name: said(this.main.page(), label), exact: true });
  }

  choice(group: string, name: string): Locator {
    return this.group(group).getByRole('radio', {
      name: said(this.main.page(), name),
      exact: true,
    });
  }

  box(name: string): Locator {
    return this.main.getByRole('checkbox', { name: said(this.main.page(), name), exact: true });
  }

  group(name: string): Locator {
    return this.main.getByRole('group', { name: said(this.main.page(), name), exact: true });
  }

  /** A complete report of a crash in spring. */
  async fill(): Promise<void> {
    await this.date('2026', 'March', '27');
    await this.choice('How do you want to be seen by the doctor?', 'PHONE').check();
    await this.text('Symptoms').fill('Neck pain since the crash');
    await this.box('Working with modified duties').check();
    await this.box('Massage therapy').check();
    await this.box('Other treatment').check();
    await this.text('What other treatment?').fill('Yoga');
    await this.choice('Are you taking any medication?', 'Yes').check();
    await this.text('What medication are you taking?').fill('Ibuprofen');
  }

  /** What `fill` entered stands here. */
  async expectFilled(): Promise<void> {
    await expect(this.part('Year')).toHaveValue('2026');
    await expect(this.part('Month')).toHaveValue('3');
    await expect(this.part('Day')).toHaveValue('27');
    await expect(this.choice('How do you want to be seen by the doctor?', 'PHONE')).toBeChecked();
    await expect(this.text('Symptoms')).toHaveValue('Neck pain since the crash');
    await expect(this.box('Working with modified duties')).toBeChecked();
    await expect(this.box('Massage therapy')).toBeChecked();
    await expect(this.text('What other treatment?')).toHaveValue('Yoga');
    await expect(this.text('What medication are you taking?')).toHaveValue('Ibuprofen');
  }
}
