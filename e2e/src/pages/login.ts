import { expect, type Locator } from '@playwright/test';

import { practicePassword } from '../sign-in.ts';
import { Screen } from './screen.ts';
import { said } from '../said.ts';

/** §2 Login. */
export class Login extends Screen {
  static readonly heading = 'Log in';

  get email(): Locator {
    return this.main.getByLabel(said(this.page, 'Email'), { exact: true });
  }

  get password(): Locator {
    return this.main.getByLabel(said(this.page, 'Password'), { exact: true });
  }

  get submit(): Locator {
    return this.main.getByRole('button', {
      name: said(this.page, ['Log in', 'Logging in…']),
    });
  }

  get captcha(): Locator {
    return this.main.getByRole('group', {
      name: said(this.page, "Check that you're not a bot"),
    });
  }

  /** The captcha solves itself; a patient waits for its words. */
  async expectCaptchaSolved(): Promise<void> {
    await expect(
      this.captcha.getByText(said(this.page, "Checked: you're not a bot.")),
    ).toBeVisible();
  }

  /** Types and presses as a patient does; where that leads is for the journey to say. */
  async logIn(email: string, password = practicePassword): Promise<void> {
    await this.email.fill(email);
    await this.password.fill(password);
    await this.expectCaptchaSolved();
    await this.submit.click();
  }
}
