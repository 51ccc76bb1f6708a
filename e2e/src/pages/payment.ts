import { expect, type Locator } from '@playwright/test';

import { expectAccessible } from '../accessible.ts';
import { Booked } from './booked.ts';
import { Screen } from './screen.ts';
import { said } from '../said.ts';

/** The cards of the practice clinic. */
export const practiceCards = {
  good: '4242 4242 4242 4242',
  bankFirst: '4000 0000 0000 3220',
  declined: '4000 0000 0000 0002',
} as const;

/** §2 Payment. */
export class Payment extends Screen {
  static readonly heading = 'Pay for Appointment';

  /** 'CAD 200.00' */
  get total(): Locator {
    return this.main
      .getByRole('definition')
      .filter({ has: this.page.locator('xpath=preceding-sibling::dt[.="Total"]') });
  }

  /** 'Your appointment', beside the form. */
  get summary(): Locator {
    return this.main.getByRole('complementary', { name: said(this.page, 'Your appointment') });
  }

  get number(): Locator {
    return this.main.getByRole('textbox', { name: said(this.page, 'Card number') });
  }

  async fill(number: string): Promise<void> {
    await expect(this.number).toBeVisible();
    await expectAccessible(this.page);
    await this.number.fill(number);
    await this.main.getByRole('textbox', { name: said(this.page, 'Expiry (MM/YY)') }).fill('1230');
    await this.main.getByRole('textbox', { name: said(this.page, 'CVC') }).fill('123');
  }

  /** Types a card and presses Pay Online; what follows is for the journey to say. */
  async payWith(number: string): Promise<void> {
    await this.fill(number);
    await this.press('Pay Online');
  }

  async payAndBook(number: string = practiceCards.good): Promise<Booked> {
    await this.payWith(number);
    return Booked.arrive(this.page);
  }
}
