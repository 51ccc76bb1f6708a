import { expect } from '@playwright/test';

import { ChooseType } from '../pages/choose-type.ts';
import { LinkRefused } from '../pages/dashboard.ts';
import { confirmLinkIn, expectMail } from '../pages/mailbox.ts';
import { NewPassword, PasswordChanged, Recovery } from '../pages/recovery.ts';
import { ConfirmEmail, SignedUp, SignUp } from '../pages/sign-up.ts';
import type { Flow } from './flow.ts';
import { said } from '../said.ts';
import { stopClock } from '../waiting.ts';

const email = 'ada@example.ca';
const done = { success: true, status: true, extras: { message: 'Done.' } };

/** Sign-up, recovery and the ways in from the clinic's dashboard. */
export const signUpFlows: readonly Flow[] = [
  {
    go: async ({ page, stop }) => {
      await page.goto('/register');
      const form = await SignUp.arrive(page);
      await form.expectCaptchaSolved();
      await stop('sign-up');
      await form.submit.click();
      await expect(form.alert().first()).toBeFocused();
      await stop('sign-up-mistakes');
      await form.answer({
        'First Name': 'Ada',
        'Last Name': 'Byron',
        Day: '17',
        Month: 'May',
        Year: '2012',
        Address: '12 Main Street',
        City: 'Vancouver',
        Province: 'British Columbia',
        'Postal Code': 'V5K 0A1',
        Email: email,
        'Confirm Email': email,
        Password: 'a sentence of words',
        'Confirm Password': 'a sentence of words',
        'Health Card Province': 'British Columbia',
        'Health Card Number': '9246813507',
        'Confirm Health Card Number': '9246813507',
      });
      await form.gender.getByText(said(page, 'Female'), { exact: true }).click();
      await form.phone('Mobile Phone', 'Area code').pressSequentially('6045550123');
      await form.consent.check();
      await stop('sign-up-representative');
      const asked = await form.send();
      await stop('sign-up-birth-date');
      await asked.press('Confirm');
      const sent = await SignedUp.arrive(page);
      await expect(sent.says("Checked: you're not a bot.")).toBeVisible();
      await stop('sign-up-done');
      await page.goto(confirmLinkIn(await expectMail(page, email, /./)));
      const confirm = await ConfirmEmail.arrive(page);
      await stop('confirm-email');
      await confirm.confirm('a sentence of other words');
      await expect(confirm.alert()).toBeVisible();
      await stop('confirm-email-refused');
      await confirm.confirm('a sentence of words');
      await expect(
        confirm.says('Your email address is confirmed. You can log in now.'),
      ).toBeVisible();
      await stop('email-confirmed');
    },
  },
  {
    go: async ({ page, stop }) => {
      await page.clock.install();
      await page.goto('/resetPassword');
      const who = await Recovery.arrive(page);
      await who.expectCaptchaSolved();
      await stop('recovery');
      await who.next.click();
      await expect(who.alert().first()).toBeFocused();
      await stop('recovery-mistakes');
      await page.route('**/api/login/forgot**', (route) => route.fulfill({ json: done }));
      await page.route('**/api/login/reset', (route) => route.fulfill({ json: done }));
      await who.identify({ email: 'rosa@practice.example', born: ['1', 'May', '1980'] });
      const found = await who.userFound();
      await stop('recovery-user-found');
      await found.press('Confirm');
      const reset = await NewPassword.arrive(page);
      await stop('recovery-reset');
      // The countdown waits for whoever looks.
      await stopClock(page);
      await reset.fill('ABCD2345', 'a new sentence');
      await PasswordChanged.arrive(page);
      await stop('recovery-done');
    },
  },
  {
    go: async ({ page, stop }) => {
      await page.goto('/auth/link_that-was-never-made/I');
      await LinkRefused.arrive(page);
      await stop('login-link-refused');
    },
  },
  {
    email: 'new3@practice.example',
    go: async ({ page, stop }) => {
      await page.route('**/api/services/config', async (route) => {
        const answer = (await (await route.fetch()).json()) as { extras: object };
        const flags = { dashboard: true, preferredPharmacy: false };
        const extras = { ...answer.extras, flags, dashboardUrl: '/practice/dashboard' };
        await route.fulfill({ json: { ...answer, extras } });
      });
      await page.goto('/');
      await ChooseType.arrive(page);
      await expect(
        page.getByRole('button', { name: said(page, 'Back to the clinic site') }),
      ).toBeVisible();
      await stop('header-with-dashboard');
    },
  },
];
