import { type BrowserContext, expect, type Page } from '@playwright/test';

import { expectAccessible } from './accessible.ts';
import { advanceClock } from './clinic-process.ts';
import { said } from './said.ts';
import { practicePassword } from './sign-in.ts';
import { unhurried } from './unhurried.ts';

const used = new Map<string, string>();

/**
 * The code that the app of somebody of the practice clinic's staff shows. It is good once: after another sign-in the
 * clinic's clock is moved to the next half minute, which no journey notices.
 */
export async function deskCode(clinicUrl: string, email: string): Promise<string> {
  const whose = `${clinicUrl} ${email}`;
  const shown = async () => {
    const codes = await (await fetch(`${clinicUrl}/practice/codes`)).text();
    return new RegExp(`${email}.*?<code>(\\d{6})</code>`).exec(codes)?.[1] ?? '';
  };
  if ((await shown()) === used.get(whose)) await advanceClock(clinicUrl, 30);
  const code = await shown();
  expect(code).not.toBe('');
  used.set(whose, code);
  return code;
}

/** Signs in at the front desk with the code of the practice page, by keyboard alone, and opens a page of it. */
export async function signInAtDesk(
  page: Page,
  clinicUrl: string,
  email: string,
  path: string,
  codeNow = () => deskCode(clinicUrl, email),
) {
  await page.goto(path);
  await expect(page.getByRole('heading', { name: said(page, 'Front desk') })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel(said(page, 'Email')).focus();
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(practicePassword);
  await page.getByLabel(said(page, 'Code of your app')).focus();
  // Only now: on a slow machine one that was read before the page came is good no more.
  await page.keyboard.type(await codeNow());
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: said(page, 'Lock') })).toBeVisible();
}

/** Has a browser whose presses come when they come signed in, by one that is not hurried, and opens a page. */
export async function openSignedInAtDesk(
  context: BrowserContext,
  clinicUrl: string,
  email: string,
  path: string,
  codeNow?: () => Promise<string>,
): Promise<Page> {
  // What moves has no colours yet by which it could be judged.
  const plain = { baseURL: clinicUrl, reducedMotion: 'reduce' } as const;
  const other = await context.browser()?.newContext(plain);
  if (other === undefined) throw new Error('The context has no browser');
  const page = await (await unhurried(other)).newPage();
  await signInAtDesk(page, clinicUrl, email, path, codeNow);
  await context.addCookies(await other.cookies());
  await other.close();
  const opened = await context.newPage();
  await opened.goto(path);
  await expect(opened.getByRole('button', { name: 'Lock' })).toBeVisible();
  return opened;
}
