import { expect, type Locator } from '@playwright/test';

import { Dialog } from './dialog.ts';
import { Screen } from './screen.ts';

interface Who {
  readonly email: string;
  /** Day, month by its name, year. */
  readonly born: readonly [day: string, month: string, year: string];
  readonly card?: string;
}

/** §2 Password recovery, the first step. */
export class Recovery extends Screen {
  static readonly heading = 'Forgot Password';

  get next(): Locator {
    return this.main.getByRole('button', { name: 'Next', exact: true });
  }

  async expectCaptchaSolved(): Promise<void> {
    await expect(this.says("Checked: you're not a bot.")).toBeVisible({ timeout: 30_000 });
  }

  /** Says who somebody is and goes on; where that leads is for the journey to say. */
  async identify({ email, born: [day, month, year], card = '' }: Who): Promise<void> {
    await this.main.getByLabel('Email', { exact: true }).fill(email);
    await this.main.getByLabel('Day', { exact: true }).fill(day);
    await this.main.getByLabel('Month', { exact: true }).selectOption({ label: month });
    await this.main.getByLabel('Year', { exact: true }).fill(year);
    await this.main.getByLabel(/^Health Card Number/).fill(card);
    await this.expectCaptchaSolved();
    await this.next.click();
  }

  userFound(): Promise<Dialog> {
    return Dialog.arrive(this.page, 'User Found');
  }

  async expectRefused(...complaints: readonly (string | RegExp)[]): Promise<void> {
    const summary = this.alert().filter({ hasText: 'There is a problem' });
    await expect(summary).toBeFocused();
    await expect(summary.getByRole('listitem')).toHaveText([...complaints]);
  }
}

/** The last step: code and new password. */
export class NewPassword extends Screen {
  static readonly heading = 'Set a new password';

  async fill(code: string, password: string, confirmed = password): Promise<void> {
    await this.main.getByLabel('Code', { exact: true }).fill(code);
    await this.main.getByLabel('New Password', { exact: true }).fill(password);
    await this.main.getByLabel('Confirm New Password', { exact: true }).fill(confirmed);
    await this.press('Set new password');
  }

  async expectRefused(...complaints: readonly (string | RegExp)[]): Promise<void> {
    const summary = this.alert().filter({ hasText: 'There is a problem' });
    await expect(summary).toBeFocused();
    await expect(summary.getByRole('listitem')).toHaveText([...complaints]);
  }
}

export class PasswordChanged extends Screen {
  static readonly heading = 'Your password has been changed';
}
