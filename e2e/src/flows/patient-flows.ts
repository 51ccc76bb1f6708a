import { expect } from '@playwright/test';

import { picture } from '../attached-files.ts';
import { Account } from '../pages/account.ts';
import { Appointments } from '../pages/appointments.ts';
import { ChooseType } from '../pages/choose-type.ts';
import { Dialog } from '../pages/dialog.ts';
import { Login } from '../pages/login.ts';
import { Messages } from '../pages/messages.ts';
import type { Guide, Flow } from './flow.ts';
import { said } from '../said.ts';
import { inactivityCounts } from '../waiting.ts';

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
      await guide.stop('appointments');
      await list.unfold('Previous');
      await list.unfold('Cancelled');
      await guide.stop('appointments-unfolded');
      const cancel = await list.cancel(list.cards('Upcoming').first());
      await guide.stop('appointments-cancel');
      await cancel.press('Back');
      await Appointments.arrive(guide.page);
      const move = await list.reschedule(list.cards('Upcoming').first());
      await guide.stop('appointments-reschedule');
      await move.press('Yes, reschedule appointment');
      const choose = await ChooseType.arrive(guide.page);
      await guide.stop('type-reschedule');
      const { confirm } = await (await choose.search('In-person visit')).pickFirst();
      await guide.stop('confirm-reschedule');
      await confirm.book('a sore knee');
      await guide.stop('booked-rescheduled');
    },
  },
  ...['two', 'soon', 'vera', 'rosa', 'ines'].map((name) => ({
    email: `${name}@practice.example`,
    go: async (guide: Guide) => {
      await appointments(guide);
      await guide.stop(`appointments-of-${name}`);
    },
  })),
  {
    email: 'dee@practice.example',
    go: async ({ page, stop }) => {
      await page.route('**/api/me/appointments*', () => {});
      await page.goto('/appointments');
      await expect(page.getByText(said(page, 'Loading your appointments…'))).toBeVisible();
      await stop('appointments-loading');
      await page.unroute('**/api/me/appointments*');
      await page.route('**/api/me/appointments*', (route) => route.abort());
      await page.goto('/appointments');
      await expect(page.getByRole('button', { name: said(page, 'Try again') })).toBeVisible();
      await stop('appointments-failed');
    },
  },
  {
    email: 'tess@practice.example',
    go: async ({ page, stop }) => {
      await page.route('**/api/me', (route) => route.abort());
      await page.goto('/');
      await expect(page.getByRole('heading', { name: said(page, 'No connection') })).toBeVisible();
      await stop('no-connection');
    },
  },
  {
    email: 'casey@practice.example',
    go: async ({ page, stop }) => {
      await page.goto('/account');
      const account = await Account.arrive(page);
      await stop('account');
      await account.press('Change password');
      await stop('account-password');
      await account.edit();
      await stop('account-edit');
      await account.field('Address').fill('');
      await account.expectRefused('Address', 'Highlighted input field cannot be empty');
      await stop('account-refused');
      await account.shell.tab('My Appointments').click();
      await Dialog.arrive(page, 'Leave without saving?');
      await stop('account-leave');
    },
  },
  {
    email: 'nora@practice.example',
    go: async ({ page, context, stop }) => {
      await page.goto('/account?view=messages');
      const messages = await Messages.arrive(page);
      await stop('messages-none');
      await messages.press('Write to the clinic');
      await messages.write('Your message', 'My knee hurts.');
      await messages.attach(picture('knee.png'));
      await stop('message');
      await messages.send();
      const mine = messages.entry('My knee hurts.');
      await mine.getByRole('button', { name: said(page, 'Show knee.png') }).click();
      await stop('message-sent');
      await messages.press('Back to messages');
      await stop('messages');
      const icon = page.getByRole('button', { name: said(page, 'Suggest an improvement') });
      await icon.click();
      const suggestion = page.getByRole('dialog');
      await expect(suggestion.getByRole('img')).toBeVisible();
      await stop('suggestion');
      await suggestion.getByRole('button', { name: said(page, 'Submit') }).click();
      await stop('suggestion-empty');
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: said(page, 'OK') })
        .click();
      await page.keyboard.press('Escape');
      await context.setOffline(true);
      await expect(
        page.getByText(
          said(page, 'You are offline. We wait for your connection; what you have typed stays.'),
        ),
      ).toBeVisible();
      await stop('offline');
    },
  },
  {
    email: 'una@practice.example',
    go: async ({ page, stop }) => {
      await page.goto('/');
      const account = await Account.arrive(page);
      await stop('account-family-doctor');
      await account.answerFamilyDoctor('Yes');
      await stop('account-confirm');
    },
  },
  {
    email: 'new4@practice.example',
    go: async ({ page, stop, home }) => {
      await page.clock.install();
      await home();
      await inactivityCounts(page);
      await page.clock.fastForward('19:02');
      await Dialog.arrive(page, 'Are you still there?');
      await stop('inactivity-warning');
      await page.clock.fastForward('01:05');
      await Login.arrive(page);
      await stop('login-after-inactivity');
    },
  },
];
