import { expect, type Page } from '@playwright/test';

import { expectAccessible } from './accessible.ts';
import { practicePassword } from './sign-in.ts';

const used = new Map<string, string>();

/** The code that the app of somebody of the practice clinic's staff shows. It is good once: after another sign-in, the next. */
export async function deskCode(clinicUrl: string, email: string): Promise<string> {
  const whose = `${clinicUrl} ${email}`;
  let code = '';
  await expect
    .poll(
      async () => {
        const codes = await (await fetch(`${clinicUrl}/practice/codes`)).text();
        code = new RegExp(`${email}.*?<code>(\\d{6})</code>`).exec(codes)?.[1] ?? '';
        return code !== '' && code !== used.get(whose);
      },
      { timeout: 40_000 },
    )
    .toBe(true);
  used.set(whose, code);
  return code;
}

/** Signs in at the front desk with the code of the practice page, by keyboard alone, and opens a page of it. */
export async function signInAtDesk(page: Page, clinicUrl: string, email: string, path: string) {
  const code = await deskCode(clinicUrl, email);
  await page.goto(path);
  await expect(page.getByRole('heading', { name: 'Front desk' })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Email').focus();
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(practicePassword);
  await page.getByLabel('Code of your app').focus();
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Lock' })).toBeVisible();
}
