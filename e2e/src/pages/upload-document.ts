import { expect, type Locator } from '@playwright/test';

import type { AttachedFile } from '../attached-files.ts';
import { expectAccessible } from '../accessible.ts';
import { Dialog } from './dialog.ts';
import { said, saying } from '../said.ts';

/** Step 1 and Step 2 of an appointment that needs documents (§2 Booking step 3). */
export class UploadDocument extends Dialog {
  static readonly steps = {
    healthCard: 'Step 1: Upload your health card',
    pictureId: 'Step 2: Upload your picture ID',
  } as const;

  get chooser(): Locator {
    return this.box.getByLabel(said(this.page, 'Choose files'));
  }

  async choose(...files: readonly AttachedFile[]): Promise<void> {
    await this.chooser.setInputFiles(files);
  }

  /** The preview of a chosen picture, which the browser has drawn. */
  async expectDrawn(name: string): Promise<void> {
    const picture = this.box.getByRole('img', { name: said(this.page, `Preview of ${name}`) });
    await expect(picture).toBeVisible();
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
  }

  /** What the picker says about its files. */
  async expectRefused(text: string): Promise<void> {
    await expect(this.chooser).toHaveAccessibleDescription(saying(this.page, 'Error:', text));
    await expectAccessible(this.page);
  }

  async upload(): Promise<void> {
    await this.press('Upload');
  }
}
