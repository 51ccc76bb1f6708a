import { expect, type Locator } from '@playwright/test';

import { CancelAppointment } from './cancel-visit.ts';
import { Dialog } from './dialog.ts';
import { Screen } from './screen.ts';
import { said, saying } from '../said.ts';

/** What was paid for an appointment, to print. */
export class Receipt extends Screen {
  static readonly heading = 'Receipt';
}

/** All that was paid. */
export class Receipts extends Screen {
  static readonly heading = 'Receipts';
}

/** §2 My Appointments. */
export class Appointments extends Screen {
  static readonly heading = 'My Appointments';

  section(name: 'Upcoming' | 'Previous' | 'Cancelled'): Locator {
    return this.main.getByRole('region', { name: saying(this.page, name) });
  }

  /** Opens a section that begins folded. */
  async unfold(name: 'Previous' | 'Cancelled'): Promise<Locator> {
    const fold = this.section(name).getByRole('button', { name: saying(this.page, name) });
    if ((await fold.getAttribute('aria-expanded')) === 'false') await fold.click();
    await expect(fold).toHaveAttribute('aria-expanded', 'true');
    return this.section(name);
  }

  cards(section: 'Upcoming' | 'Previous' | 'Cancelled'): Locator {
    const heading = this.page.getByRole('heading', { level: 3 });
    return this.section(section).getByRole('listitem').filter({ has: heading });
  }

  /** The card that says all of this. */
  card(...words: string[]): Locator {
    return words.reduce(
      (cards, hasText) => cards.filter({ hasText }),
      this.main.getByRole('listitem'),
    );
  }

  async cancel(card: Locator): Promise<CancelAppointment> {
    await card.getByRole('button', { name: said(this.page, 'Cancel Appointment') }).click();
    return CancelAppointment.arrive(this.page);
  }

  async receipt(card: Locator): Promise<Receipt> {
    await card.getByRole('link', { name: said(this.page, 'Receipt') }).click();
    return Receipt.arrive(this.page);
  }

  async reschedule(card: Locator): Promise<Dialog> {
    await card.getByRole('button', { name: said(this.page, 'Reschedule Appointment') }).click();
    return Dialog.arrive(this.page, 'Warning');
  }
}
