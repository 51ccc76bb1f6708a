import { expect, type Locator } from '@playwright/test';

import { Dialog } from './dialog.ts';
import { Screen } from './screen.ts';
import { SlotGrid } from './slot-grid.ts';
import { said, saying } from '../said.ts';

/** §2 Booking step 1. */
export class ChooseType extends Screen {
  static readonly heading = [
    'Please choose appointment type:',
    'Reschedule {description} Appointment',
  ];

  /** The card of a type, by its name. */
  type(name: string): Locator {
    return this.radio('Appointment type', name);
  }

  types(): Locator {
    return this.group('Appointment type').getByRole('radio');
  }

  /** The row of a doctor, or of 'Earliest available doctor'. */
  doctor(name: string): Locator {
    return this.radio('Doctor', name);
  }

  doctors(): Locator {
    return this.group('Doctor').getByRole('radio');
  }

  async choose({ type, doctor }: { type?: string; doctor?: string }): Promise<void> {
    if (type !== undefined) {
      await this.showType(type);
      await this.type(type).click();
    }
    if (doctor !== undefined) await this.doctor(doctor).check();
  }

  /** The types behind a button; on a phone all of them, while the day and the doctor are asked. */
  async showType(name: string): Promise<void> {
    const ways = [this.button('Change type'), this.otherTypes] as const;
    await expect(this.type(name).or(ways[0]).or(ways[1]).first()).toBeVisible();
    for (const way of ways)
      if (!(await this.type(name).isVisible()) && (await way.isVisible())) await way.click();
  }

  /** The way to the types that are not shown from the beginning. */
  get otherTypes(): Locator {
    return this.main.getByRole('button', { name: said(this.page, ['Other types ({count})']) });
  }

  /** A day of the open calendar, as a screen reader says it: 'Saturday, November 21, 2026'. */
  day(spoken: string): Locator {
    return this.calendar.getByRole('button', { name: spoken, exact: true });
  }

  get calendar(): Locator {
    return this.main
      .getByRole('group', { name: said(this.page, 'Day'), exact: true })
      .filter({ visible: true });
  }

  async next(): Promise<SlotGrid> {
    await this.press('Next');
    return SlotGrid.arrive(this.page);
  }

  /** Step 1 for a type and a doctor, on to the grid. */
  async search(type: string, doctor = 'Earliest available doctor'): Promise<SlotGrid> {
    await this.choose({ type, doctor });
    return this.next();
  }

  /** What the doctor's row says beneath the name, and whether it can be chosen. */
  async expectDoctor(
    name: string,
    { line, selectable }: { line: string; selectable: boolean },
  ): Promise<void> {
    const row = this.doctor(name);
    await expect(row).toHaveAccessibleDescription(line);
    await expect(row).toBeEnabled({ enabled: selectable });
  }

  /** The notice about a booking that was begun and is still held. */
  get begun(): Locator {
    return this.main
      .getByRole('status')
      .filter({ hasText: saying(this.page, 'Continue your booking') });
  }

  async openCalendar(): Promise<Dialog> {
    await this.press('Choose from a calendar');
    return Dialog.arrive(this.page, 'Choose a day');
  }

  private group(name: string): Locator {
    return this.main.getByRole('group', { name: said(this.page, name), exact: true });
  }

  private radio(group: string, name: string): Locator {
    return this.group(group).getByRole('radio', { name: said(this.page, name), exact: true });
  }
}
