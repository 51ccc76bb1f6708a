import { expect } from '@playwright/test';

import { heicPicture, picture } from '../attached-files.ts';
import { Dialog } from '../pages/dialog.ts';
import { ImmigrationForm } from '../pages/immigration-form.ts';
import { UploadDocument } from '../pages/upload-document.ts';
import type { Flow } from './flow.ts';

/** What some appointments ask for after Next: documents, and the form of an immigration exam. */
export const appointmentFormsFlows: readonly Flow[] = [
  {
    email: 'riley@practice.example',
    go: async ({ page, stop, home }) => {
      const grid = await (await home()).search('In-person visit', 'Dr. A. Stone');
      const { confirm } = await grid.pickFirst();
      await (await confirm.nextWarned('a cough')).press('I accept the fee');
      const card = await UploadDocument.arrive(page, UploadDocument.steps.healthCard);
      await stop('upload-health-card');
      await card.choose(heicPicture);
      await card.expectRefused('Please upload another type of image such as JPEG, JPG or PNG');
      await stop('upload-refused');
      await card.choose(picture('front.png'), picture('back.png'));
      await card.expectDrawn('back.png');
      await page.route('**/message/upload', () => {});
      await card.upload();
      await expect(card.box.getByRole('progressbar')).toBeVisible();
      await stop('upload-on-its-way');
    },
  },
  {
    email: 'nora@practice.example',
    go: async ({ page, stop, home }) => {
      const choose = await home();
      await choose.choose({ type: 'Immigration medical exam', doctor: 'Dr. A. Stone' });
      const { confirm } = await (await choose.next()).pickFirst();
      await (await confirm.nextWarned('a visa')).press('I accept the fee');
      await (await Dialog.arrive(page, 'Appointment Details')).press('Agree');
      const form = await ImmigrationForm.arrive(page, ImmigrationForm.heading);
      await stop('immigration');
      await form.save();
      await expect(form.box.getByRole('alert')).toBeFocused();
      await stop('immigration-refused');
    },
  },
];
