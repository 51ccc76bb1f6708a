import { expect, type Page, type Response } from '@playwright/test';

import { said } from './said.ts';

/**
 * The service has kept answers that say this, or has said that it cannot. A draft goes out when a
 * time is picked too: that one is not waited for.
 */
export function draftKept(page: Page, words: string): Promise<Response> {
  return page.waitForResponse(
    (answer) =>
      answer.url().endsWith('/schedule/hold/draft') &&
      (answer.request().postData() ?? '').includes(words),
  );
}

/**
 * The page hears from now on what others do. Asked for before the page is opened: it asks for the
 * clinic's status then, and again when its connection stands.
 */
export function liveConnection(page: Page): Promise<void> {
  let asked = 0;
  return new Promise((stands) => {
    page.on('request', (request) => {
      if (request.url().endsWith('/services/oscarStatus')) asked += 1;
      if (asked === 2) stands();
    });
  });
}

/** From now on the minutes without a sign of life count: what counts them comes with this icon. */
export async function inactivityCounts(page: Page): Promise<void> {
  await expect(
    page.getByRole('button', { name: said(page, 'Suggest an improvement') }),
  ).toBeVisible();
}

/** From about now on the time of the page stands still; its clock was installed before. */
export async function stopClock(page: Page): Promise<void> {
  const soon = () => page.evaluate(() => Date.now() + 1_000);
  // On a slow machine the second is over before the clock can be stopped at its end.
  await expect(async () => page.clock.pauseAt(await soon())).toPass();
}
