import { expect, type Locator } from '@playwright/test';

import { expectAccessible } from '../accessible.ts';
import { Dialog } from './dialog.ts';
import { choose, said } from '../said.ts';

type DateGroup = 'Date of birth' | 'Date of issue' | 'Date of expiry';

/** The immigration exam profile of an appointment M or G (§2, §3). */
export class ImmigrationForm extends Dialog {
  static readonly heading = 'Immigration Medical Exam';

  field(label: string): Locator {
    return this.box.getByLabel(said(this.page, label), { exact: true });
  }

  async write(texts: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, text] of Object.entries(texts)) await this.field(label).fill(text);
  }

  async choose(options: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, option] of Object.entries(options)) await choose(this.field(label), option);
  }

  part(group: DateGroup, part: 'Year' | 'Month' | 'Day'): Locator {
    return this.box.getByRole('group', { name: group }).getByLabel(part, { exact: true });
  }

  async date(group: DateGroup, year: string, month: string, day: string): Promise<void> {
    await this.part(group, 'Year').selectOption(year);
    await choose(this.part(group, 'Month'), month);
    await this.part(group, 'Day').fill(day);
  }

  async save(): Promise<void> {
    await this.press('Save and continue');
  }

  /** What the summary says, each line once for every field. */
  async expectRefused(...lines: readonly string[]): Promise<void> {
    const summary = this.box.getByRole('alert');
    await expect(summary.getByRole('link')).toHaveText([...lines]);
    await expect(summary).toBeFocused();
    await expectAccessible(this.page);
  }
}
