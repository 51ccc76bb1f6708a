import { expect, type Locator } from '@playwright/test';

import { expectAccessible } from '../accessible.ts';
import { Confirm } from './confirm.ts';
import { said } from '../said.ts';
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

/** Of a free time, in any language: '11:00, Sat Nov 21, …', or '11:00 to 11:40, 40 minutes, …'. */
const chipName = /^⟦*\d\d:\d\d[, ]/;

/** §2 Booking step 2. */
export class SlotGrid extends Screen {
  static readonly heading = ['Booking {what}', 'Reschedule {what}'];

  chips(): Locator {
    return this.main.getByRole('button', { name: chipName });
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
    return this.main.getByText(
      said(this.page, ['Available times on {day}', 'Available times from {from} to {to}']),
    );
  }

  /** The search is over and found free times. */
  async expectFound(range?: string): Promise<void> {
    if (range === undefined) await expect(this.range).toBeVisible();
    else await expect(this.range).toHaveText(range);
    await expect(this.chips().first()).toBeVisible();
    await expectAccessible(this.page);
  }

  /** A free time: the nth that begins so. */
  async offered(begins: string | RegExp = chipName, nth = 0): Promise<OfferedSlot> {
    const chip = this.chip(begins).nth(nth);
    await expect(chip).toBeVisible();
    // In one look: between two of them the times may move up.
    const { slot = '', spoken } = await chip.evaluate((button: HTMLElement) => ({
      slot: button.dataset['slot'],
      spoken: button.ariaLabel ?? '',
    }));
    const [doctor = '', start = ''] = slot.split('@');
    return { doctor, start: Number(start), time: /\d\d:\d\d/.exec(spoken)?.[0] ?? '', spoken };
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
