import { expect } from '@playwright/test';

import { Account } from '../pages/account.ts';
import { Appointments } from '../pages/appointments.ts';
import { Dialog } from '../pages/dialog.ts';
import { Login } from '../pages/login.ts';
import type { Guide, Flow } from './draw.ts';

async function appointments({ page }: Guide): Promise<Appointments> {
  await page.goto('/appointments');
  return Appointments.arrive(page);
}

/** My Appointments, the account and what a session shows. */
export const patientFlows: readonly Flow[] = [
  {
    email: 'casey@practice.example',
    go: async (guide) => {
      const list = await appointments(guide);
      await guide.snap('appointments');
      await list.unfold('Previous');
      await list.unfold('Cancelled');
      await guide.snap('appointments-unfolded');
      const cancel = await list.cancel(list.cards('Upcoming').first());
      await guide.snap('appointments-cancel');
      await cancel.press('Back');
      await Appointments.arrive(guide.page);
      const move = await list.reschedule(list.cards('Upcoming').first());
      await guide.snap('appointments-reschedule');
      await move.press('Yes, reschedule appointment');
      await expect(guide.page.getByRole('heading', { name: /^Reschedule / })).toBeVisible();
      await guide.snap('type-reschedule');
    },
  },
  ...['two', 'soon', 'vera', 'rosa', 'ines'].map((name) => ({
    email: `${name}@practice.example`,
    go: async (guide: Guide) => {
      await appointments(guide);
      await guide.snap(`appointments-of-${name}`);
    },
  })),
  {
    email: 'dee@practice.example',
    go: async ({ page, snap }) => {
      await page.route('**/api/me/appointments*', () => {});
      await page.goto('/appointments');
      await expect(page.getByText('Loading your appointments…')).toBeVisible();
      await snap('appointments-loading');
      await page.unroute('**/api/me/appointments*');
      await page.route('**/api/me/appointments*', (route) => route.abort());
      await page.goto('/appointments');
      await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
      await snap('appointments-failed');
    },
  },
  {
    email: 'tess@practice.example',
    go: async ({ page, snap }) => {
      await page.route('**/api/me', (route) => route.abort());
      await page.goto('/');
      await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible();
      await snap('no-connection');
    },
  },
  {
    email: 'casey@practice.example',
    go: async ({ page, snap }) => {
      await page.goto('/account');
      const account = await Account.arrive(page);
      await snap('account');
      await account.press('Change password');
      await snap('account-password');
      await account.edit();
      await snap('account-edit');
      await account.field('Address').fill('');
      await account.expectRefused('Address', 'Highlighted input field cannot be empty');
      await snap('account-refused');
      await account.shell.tab('My Appointments').click();
      await Dialog.arrive(page, 'Leave without saving?');
      await snap('account-leave');
    },
  },
  {
    email: 'una@practice.example',
    go: async ({ page, snap }) => {
      await page.goto('/');
      const account = await Account.arrive(page);
      await snap('account-family-doctor');
      await account.answerFamilyDoctor('Yes');
      await snap('account-confirm');
    },
  },
  {
    email: 'new4@practice.example',
    go: async ({ page, snap, home }) => {
      await page.clock.install();
      await home();
      await page.clock.fastForward('19:02');
      await Dialog.arrive(page, 'Are you still there?');
      await snap('inactivity-warning');
      await page.clock.fastForward('01:05');
      await Login.arrive(page);
      await snap('login-after-inactivity');
    },
  },
];
