import { expect, type Locator, type Page } from '@playwright/test';

import { expectAccessible } from '../accessible.ts';
import { boxesOf } from '../in-view.ts';

/** The search for a patient at the front desk, and the booking that follows; by keyboard alone. */
export class DeskBooking {
  /** So many keys were pressed since the search was opened, the patient's name not counted. */
  keys = 0;
  private readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog');
  }

  private get times(): Locator {
    return this.dialog.getByRole('listbox', { name: 'Free times' });
  }

  /** The time that Enter takes. */
  get inHand(): Locator {
    return this.times.getByRole('option', { selected: true });
  }

  async press(key: string): Promise<void> {
    this.keys += 1;
    await this.page.keyboard.press(key);
  }

  /** Opens the search and types a name. */
  async search(name: string): Promise<void> {
    this.keys = 0;
    await this.press('Control+k');
    await expect(this.page.getByLabel('Name, birth date, phone or card number')).toBeFocused();
    await this.page.keyboard.type(name);
    await this.press('Enter');
  }

  /** Opens the search, types a name, and picks the first who is found. */
  async find(name: string): Promise<void> {
    await this.search(name);
    await expect(this.dialog.getByRole('list', { name: 'Patients found' })).toBeVisible();
    await expect(this.focused).toHaveText(/born/);
    await expectAccessible(this.page);
    await this.press('Enter');
    await this.atTimes();
  }

  /** The list of free times has the focus, and is filled. */
  async atTimes(): Promise<void> {
    await expect(this.times).toBeFocused();
    await expect(this.inHand).toBeVisible();
    await expectAccessible(this.page);
  }

  /** Takes the time in hand, and says yes to what it is. */
  async take(does = 'Book this time'): Promise<void> {
    await this.press('Enter');
    await expect(this.focused).toHaveText(does);
    await expectAccessible(this.page);
    await this.press('Enter');
  }

  /** Drags an appointment of the sheet into the column of a provider beside, down to where it may be dropped. */
  async dragTo(entry: Locator, provider: string): Promise<void> {
    const { mouse } = this.page;
    const column = this.page.getByRole('region', { name: provider });
    await entry.hover();
    const [from, to] = await boxesOf(entry, column);
    const x = to.x + to.width / 2;
    await mouse.down();
    const free = column.getByText(/^Move here: /);
    for (let down = 0; down < 8 && (await free.count()) === 0; down += 1) {
      await mouse.move(x, from.y + down * 28, { steps: 3 });
      // What stands there is drawn by then.
      await this.page.evaluate(async () => {
        for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
      });
    }
    await expect(free).toBeVisible();
    await mouse.up();
    await expect(this.dialog.getByRole('heading', { name: /^Move to / })).toBeVisible();
  }

  get focused(): Locator {
    return this.dialog.locator(':focus');
  }
}
