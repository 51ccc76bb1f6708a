import { expect, type Locator } from '@playwright/test';

import { expectAccessible } from '../accessible.ts';
import { Dialog } from './dialog.ts';
import { Screen } from './screen.ts';
import { said, saying } from '../said.ts';

/** §2 My Account. */
export class Account extends Screen {
  static readonly heading = 'My Account';

  get profile(): Locator {
    return this.main.getByRole('region', {
      name: said(this.page, 'Your information'),
      exact: true,
    });
  }

  /** What stands beside a name of the profile: 'City' → 'Vancouver'. */
  fact(name: string): Locator {
    return this.profile
      .getByRole('definition')
      .filter({ has: this.page.locator(`xpath=preceding-sibling::dt[.="${name}"]`) });
  }

  field(label: string): Locator {
    return this.profile.getByLabel(saying(this.page, label)).first();
  }

  async edit(): Promise<void> {
    await this.press('Edit');
    await expect(this.button('Update')).toBeVisible();
  }

  /** Update, refused with this text at the field and in the summary that takes the focus. */
  async expectRefused(label: string, text: string): Promise<void> {
    await this.press('Update');
    await expect(this.alert()).toContainText(saying(this.page, text));
    await expect(this.alert()).toBeFocused();
    await expect(this.field(label)).toHaveAttribute('aria-invalid', 'true');
    await expectAccessible(this.page);
  }

  async update(): Promise<void> {
    await this.press('Update');
    const alerts = this.page.getByRole('log', { name: said(this.page, 'Messages') });
    await expect(alerts.getByText(said(this.page, 'User info updated successfully'))).toBeVisible();
  }

  /** The question that comes first when the clinic asks for an update; then what is to be confirmed. */
  async answerFamilyDoctor(answer: 'Yes' | 'No'): Promise<Dialog> {
    const question = await Dialog.arrive(this.page, 'Family Doctor');
    await question.press(answer);
    return Dialog.arrive(this.page, 'Confirm your information');
  }
}
