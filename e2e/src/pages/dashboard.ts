import { expect, type Page } from '@playwright/test';

import { Screen } from './screen.ts';

/** The stand-in for the clinic's own dashboard, where patients are signed in already. */
export const dashboardPath = '/practice/dashboard';

export async function expectDashboard(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Practice dashboard' })).toBeVisible();
}

/** Comes from the dashboard as a patient; gives the link that it signed in with. */
export async function comeFromDashboard(
  page: Page,
  email: string,
  type: 'None' | 'I, injury claim visit' | 'D, driver medical' = 'None',
): Promise<string> {
  await page.goto(dashboardPath);
  await page.getByLabel('Patient').selectOption({ value: email });
  await page.getByRole('radio', { name: type }).check();
  const [link] = await Promise.all([
    page.waitForRequest('**/auth/**'),
    page.getByRole('button', { name: 'Book an appointment' }).click(),
  ]);
  return link.url();
}

/** A login link that did not work. */
export class LinkRefused extends Screen {
  static readonly heading = 'This login link did not work';
}

/** The login where the dashboard signs in: why a session ended, and the way there. */
export class SignedOut extends Screen {
  static readonly heading = 'Log in';
}
