import type { Page } from '@playwright/test';

import { expect, test } from '../src/journey.ts';
import { openSignedInAtDesk } from '../src/sign-in-at-desk.ts';

test.use({ isUnhurried: false });

/** As keyboards repeat it: thirty times, as one second does. */
async function hold(page: Page, key: string) {
  for (let repeats = 0; repeats < 30; repeats += 1) await page.keyboard.down(key);
}

// Shows: S-18
test('a held Enter searches at the front desk, and neither picks nor books', async ({
  context,
  clinic,
  take,
}) => {
  take('new1@practice.example');
  const path = '/desk/day/2026-11-21';
  const page = await openSignedInAtDesk(context, clinic.url, 'robin@practice.example', path);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') asked.push(new URL(request.url()).pathname);
  });
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog');
  await expect(page.getByLabel('Name, birth date, phone or card number')).toBeFocused();
  await page.keyboard.type('newcomer ari');
  // In event time: what appeared may be pressed.
  await page.evaluate(async () => {
    const { timeStamp } = new Event('now');
    while (new Event('now').timeStamp < timeStamp + 150) await new Promise(requestAnimationFrame);
  });
  await hold(page, 'Enter');
  const found = dialog.getByRole('list', { name: 'Patients found' }).getByRole('button').first();
  await found.focus();
  await hold(page, 'Enter');
  await expect(found).toBeFocused();
  expect(asked).toEqual(['/api/desk/patients/find']);
  await page.keyboard.up('Enter');

  // As a screen reader does it, without a key. Here an Enter was begun elsewhere, and goes on.
  await found.evaluate((button) => (button as HTMLElement).click());
  const time = dialog.getByRole('listbox', { name: 'Free times' }).getByRole('option').first();
  await dialog.getByLabel('Provider').focus();
  await page.keyboard.down('Enter');
  await time.focus();
  await hold(page, 'Enter');
  await page.keyboard.up('Enter');
  // A Space that was begun elsewhere is lifted here, and the middle and the right button press.
  await dialog.getByLabel('Provider').focus();
  await page.keyboard.down('Space');
  await time.focus();
  await page.keyboard.up('Space');
  await time.click({ button: 'middle' });
  await time.click({ button: 'right' });
  await expect(time).toBeVisible();
  expect(asked.filter((path) => /\/book\/[^/]+$/.test(path))).toEqual([]);
});
