import { expect, type Page } from '@playwright/test';

/** Where the link of a confirmation mail leads; of several forms, that of the newest. */
export const confirmLinkIn = (mail: string): string =>
  /\/confirm\/[\w-]+/.exec(mail)?.[0] ?? 'no link';

/** Waits for a mail in the practice mailbox, newest first; gives its words. */
export async function expectMail(page: Page, to: string, subject: RegExp): Promise<string> {
  const mail = page
    .getByRole('article')
    .filter({ hasText: `To ${to},` })
    .filter({ hasText: subject });
  await expect(async () => {
    await page.goto('/practice/mail');
    await expect(mail.first()).toBeVisible({ timeout: 100 });
  }).toPass({ timeout: 30_000, intervals: [100, 250, 500] });
  return (await mail.first().textContent()) ?? '';
}
