import { expect, type Locator } from '@playwright/test';

import { expectAccessible } from '../accessible.ts';
import { Dialog } from './dialog.ts';
import { Screen } from './screen.ts';
import { choose, said, saying } from '../said.ts';

/** What a person types into the form; a label of the form to its answer. */
export type Answers = Readonly<Record<string, string>>;

/** §2 Sign Up. */
export class SignUp extends Screen {
  static readonly heading = 'Sign Up';

  field(label: string): Locator {
    return this.main.getByLabel(said(this.page, label), { exact: true });
  }

  get gender(): Locator {
    return this.main.getByRole('group', { name: said(this.page, 'Gender') });
  }

  phone(name: 'Mobile Phone' | 'Home Phone', part: 'Area code' | 'Next 3' | 'Last 4'): Locator {
    return this.main
      .getByRole('group', { name: said(this.page, name) })
      .getByLabel(said(this.page, part));
  }

  /** Month, day and year stand beside each other, and no name of a month is cut. */
  async expectBirthDateInOneLine(): Promise<void> {
    const parts = this.field('Day').or(this.field('Month')).or(this.field('Year'));
    await expect(parts).toHaveCount(3);
    // In one look: between two of them what stands above may have grown.
    const tops = await parts.evaluateAll((fields) =>
      fields.map((field) => field.getBoundingClientRect().top),
    );
    expect(new Set(tops).size).toBe(1);
    const left = await this.field('Month').evaluate((field) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(field);
      const pen = document.createElement('canvas').getContext('2d');
      if (pen === null) throw new Error('This browser measures no text');
      pen.font = font;
      const names = [...(field as HTMLSelectElement).options].map(({ text }) => text);
      const text = Math.max(...names.map((name) => pen.measureText(name).width));
      return field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - text;
    });
    const arrow = 16;
    expect(left).toBeGreaterThanOrEqual(arrow);
  }

  get consent(): Locator {
    return this.main.getByRole('checkbox');
  }

  /** Fills the fields named; lists are chosen from by what they show. */
  async answer(answers: Answers): Promise<void> {
    for (const [label, answer] of Object.entries(answers)) {
      const field = this.field(label);
      const isList = await field.evaluate((element) => element instanceof HTMLSelectElement);
      if (isList) await choose(field, answer);
      else await field.fill(answer);
    }
  }

  async expectCaptchaSolved(): Promise<void> {
    await expect(this.says("Checked: you're not a bot.")).toBeVisible();
  }

  get submit(): Locator {
    return this.main.getByRole('button', { name: said(this.page, 'Sign Up'), exact: true });
  }

  /** Sends the form and hears exactly these complaints, in the summary, which has the focus. */
  async expectRefused(...complaints: readonly string[]): Promise<void> {
    await this.submit.click();
    const summary = this.alert().filter({ hasText: saying(this.page, 'There is a problem') });
    await expect(summary).toBeFocused();
    await expect(summary.getByRole('listitem')).toHaveText([...complaints]);
    await expectAccessible(this.page);
  }

  /** Sends a form that is complete: the date of birth is asked about. */
  async send(): Promise<Dialog> {
    await this.submit.click();
    return Dialog.arrive(this.page, 'Please check the date of birth');
  }
}

/** After a sign-up. */
export class SignedUp extends Screen {
  static readonly heading = 'Please confirm your email';
}

/** Where the link of the confirmation mail leads. */
export class ConfirmEmail extends Screen {
  static readonly heading = 'Confirm your email';

  /** Types the password chosen at the sign-up and presses; the outcome is for the journey to say. */
  async confirm(password: string): Promise<void> {
    await this.main.getByLabel(said(this.page, 'Password'), { exact: true }).fill(password);
    await this.press('Confirm my email address');
  }
}
