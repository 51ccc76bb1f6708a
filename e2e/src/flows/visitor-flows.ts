import { expect } from '@playwright/test';

import { Login } from '../pages/login.ts';
import { NotFound } from '../pages/not-found.ts';
import { expectHeading } from '../pages/screen.ts';
import type { Flow } from './flow.ts';
import { said } from '../said.ts';

/** What somebody sees who is not signed in. */
export const visitorFlows: readonly Flow[] = [
  {
    go: async ({ page, stop }) => {
      await page.goto('/login');
      const login = await Login.arrive(page);
      await login.email.focus();
      await login.expectCaptchaSolved();
      await stop('login');
      await login.logIn('new1@practice.example', 'not my password');
      await expect(login.alert()).toBeVisible();
      await stop('login-refused');
      const terms = await login.shell.openLegal('Terms of Use');
      await stop('terms-of-use');
      await terms.press('Fee Schedule');
      await stop('fee-schedule');
    },
  },
  {
    go: async ({ page, stop }) => {
      await page.goto('/no/such/page');
      await NotFound.arrive(page);
      await stop('not-found');
      await page.goto('/walkin');
      await expectHeading(page, 'Walk-in information');
      await stop('walk-in');
    },
  },
  {
    go: async ({ page, stop }) => {
      await page.route('**/api/services/oscarStatus', (route) =>
        route.fulfill({ json: { success: true, status: false } }),
      );
      await page.goto('/login');
      await expect(
        page.getByRole('alertdialog', { name: said(page, 'Maintenance') }),
      ).toBeVisible();
      await stop('maintenance');
    },
  },
];
