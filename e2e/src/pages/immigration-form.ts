import { expect, type Locator } from '@playwright/test';

import { Dialog } from './dialog.ts';

type DateGroup = 'Date of birth' | 'Date of issue' | 'Date of expiry';

/** The immigration exam profile of an appointment M or G (§2, §3). */
export class ImmigrationForm extends Dialog {
  static readonly heading = 'Immigration Medical Exam';

  field(label: string): Locator {
    return this.box.getByLabel(label, { exact: true });
  }

  async write(texts: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, text] of Object.entries(texts)) await this.field(label).fill(text);
  }

  async choose(options: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, option] of Object.entries(options))
      await this.field(label).selectOption({ label: option });
  }

  part(group: DateGroup, part: 'Year' | 'Month' | 'Day'): Locator {
    return this.box.getByRole('group', { name: group }).getByLabel(part, { exact: true });
  }

  async date(group: DateGroup, year: string, month: string, day: string): Promise<void> {
    await this.part(group, 'Year').selectOption(year);
    await this.part(group, 'Month').selectOption({ label: month });
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
  }
}
