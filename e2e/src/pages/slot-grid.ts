import { expect, type Locator } from '@playwright/test';

import { expectAccessible } from '../accessible.ts';
import { Confirm } from './confirm.ts';
import { Dialog } from './dialog.ts';
import { Screen } from './screen.ts';

/** A free time as the grid offers it. */
export interface OfferedSlot {
  readonly doctor: string;
  readonly start: number;
  /** 'HH:mm' */
  readonly time: string;
  /** What a screen reader says: '11:00, Sat Nov 21, Dr. A. Stone'. */
  readonly spoken: string;
}

/** §2 Booking step 2. */
export class SlotGrid extends Screen {
  static readonly heading = /^(Booking|Reschedule) /;

  chips(): Locator {
    return this.main.getByRole('button', { name: /^\d\d:\d\d, / });
  }

  /** One time, as a screen reader says it, or by how that begins. */
  chip(spoken: string | RegExp): Locator {
    return this.main.getByRole('button', { name: spoken, exact: true });
  }

  /** Columns by their head: 'Provider A. Stone', or 'Sat Nov 21'. */
  column(head: string): Locator {
    return this.main.getByRole('group', { name: head, exact: true });
  }

  /** The range of the grid, as its words say. */
  get range(): Locator {
    return this.main.getByText(/^Available times (on|from) /);
  }

  /** The search is over and found free times. */
  async expectFound(range?: string): Promise<void> {
    await expect(this.range).toHaveText(range ?? /^Available times /);
    await expect(this.chips().first()).toBeVisible();
    await expectAccessible(this.page);
  }

  /** A free time: the nth that begins so. */
  async offered(begins: string | RegExp = /^\d\d:\d\d, /, nth = 0): Promise<OfferedSlot> {
    const chip = this.chip(begins).nth(nth);
    await expect(chip).toBeVisible();
    const [doctor = '', start = ''] = ((await chip.getAttribute('data-slot')) ?? '').split('@');
    const spoken = (await chip.getAttribute('aria-label')) ?? '';
    return { doctor, start: Number(start), time: spoken.slice(0, 5), spoken };
  }

  async pick(slot: OfferedSlot): Promise<Confirm> {
    await this.chip(slot.spoken).click();
    return Confirm.arrive(this.page);
  }

  async pickFirst(begins?: string | RegExp): Promise<{ slot: OfferedSlot; confirm: Confirm }> {
    const slot = await this.offered(begins);
    return { slot, confirm: await this.pick(slot) };
  }

  /** The modal after a search that found nothing. */
  warning(): Promise<Dialog> {
    return Dialog.arrive(this.page, 'Warning');
  }
}
