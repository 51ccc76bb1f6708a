import { expect, type Locator } from '@playwright/test';

import { expectAccessible } from '../accessible.ts';
import { Dialog } from './dialog.ts';
import { Screen } from './screen.ts';
import { choose, said, saying } from '../said.ts';

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
    return this.main.getByRole('button', { name: said(this.page, 'Next'), exact: true });
  }

  async expectCaptchaSolved(): Promise<void> {
    await expect(this.says("Checked: you're not a bot.")).toBeVisible();
  }

  /** Says who somebody is and goes on; where that leads is for the journey to say. */
  async identify({ email, born: [day, month, year], card = '' }: Who): Promise<void> {
    await this.main.getByLabel(said(this.page, 'Email'), { exact: true }).fill(email);
    await this.main.getByLabel(said(this.page, 'Day'), { exact: true }).fill(day);
    await choose(this.main.getByLabel(said(this.page, 'Month'), { exact: true }), month);
    await this.main.getByLabel(said(this.page, 'Year'), { exact: true }).fill(year);
    await this.main.getByLabel(saying(this.page, 'Health Card Number')).fill(card);
    await this.expectCaptchaSolved();
    await this.next.click();
  }

  userFound(): Promise<Dialog> {
    return Dialog.arrive(this.page, 'User Found');
  }

  async expectRefused(...complaints: readonly (string | RegExp)[]): Promise<void> {
    const summary = this.alert().filter({ hasText: saying(this.page, 'There is a problem') });
    await expect(summary).toBeFocused();
    await expect(summary.getByRole('listitem')).toHaveText([...complaints]);
    await expectAccessible(this.page);
  }
}

/** The last step: code and new password. */
export class NewPassword extends Screen {
  static readonly heading = 'Set a new password';

  async fill(code: string, password: string, confirmed = password): Promise<void> {
    await this.main.getByLabel(said(this.page, 'Code'), { exact: true }).fill(code);
    await this.main.getByLabel(said(this.page, 'New Password'), { exact: true }).fill(password);
    await this.main
      .getByLabel(said(this.page, 'Confirm New Password'), { exact: true })
      .fill(confirmed);
    await this.press('Set new password');
  }

  async expectRefused(...complaints: readonly (string | RegExp)[]): Promise<void> {
    const summary = this.alert().filter({ hasText: saying(this.page, 'There is a problem') });
    await expect(summary).toBeFocused();
    await expect(summary.getByRole('listitem')).toHaveText([...complaints]);
    await expectAccessible(this.page);
  }
}

export class PasswordChanged extends Screen {
  static readonly heading = 'Your password has been changed';
}
