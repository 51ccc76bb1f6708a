import { startFakeOscar } from '@clinic/oscar/fake';
import { expect, test as base } from '@playwright/test';

import { expectAccessible } from '../src/accessible.ts';
import { listenForErrors } from '../src/journey.ts';

/** The day sheet of the server that plays an OSCAR. */
const test = base.extend<{ sheet: string }>({
  sheet: async ({ context }, give) => {
    const failures = listenForErrors(context);
    const fake = await startFakeOscar({ profile: 'classic', today: '2026-11-23' });
    await give(fake.page);
    await fake.stop();
    expect(failures).toEqual([]);
  },
});

test('a person plays the receptionist by keyboard: books, marks, moves and cancels', async ({
  page,
  sheet,
}) => {
  await page.goto(sheet);
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('Day sheet of 2026-11-23');
  await expectAccessible(page);

  await page.getByLabel('Time', { exact: true }).fill('10:00');
  await page.getByRole('button', { name: 'Book' }).press('Enter');
  const item = page.getByRole('listitem').filter({ hasText: 'Lindqvist,Avery' });
  await expect(item).toContainText('10:00–10:15 Lindqvist,Avery (1), Office Visit, To do');
  await expectAccessible(page);

  await item.getByLabel(/^Status/).selectOption('Here');
  await item.getByRole('button', { name: /^Set status/ }).press('Enter');
  await expect(item).toContainText('Here');

  await item.getByLabel(/^Day/).fill('2026-11-24');
  await item.getByRole('button', { name: /^Move/ }).press('Enter');
  await expect(heading).toHaveText('Day sheet of 2026-11-24');
  await item.getByLabel(/^Status/).selectOption('Cancelled');
  await item.getByRole('button', { name: /^Set status/ }).press('Enter');
  await expect(item.locator('s')).toContainText('10:00–10:15');
  await expectAccessible(page);
});

test('the day sheet is no wider than a small phone, also with text of twice the size', async ({
  page,
  sheet,
}) => {
  await page.goto(sheet);
  await page.getByRole('button', { name: 'Book' }).press('Enter');
  await expect(page.getByText('Lindqvist,Avery (1), Office Visit')).toBeVisible();
  for (const [width, fontSize] of [
    [320, '100%'],
    [375, '200%'],
  ] as const) {
    await page.setViewportSize({ width, height: 812 });
    const html = page.locator('html');
    await html.evaluate((one, size) => {
      one.style.fontSize = size;
    }, fontSize);
    expect(await html.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
  }
});

test('what is switched on stays so until it is switched off', async ({ page, sheet }) => {
  await page.goto(sheet);
  await page.getByLabel('is done and the connection cut').check();
  await page.getByLabel('is down').check();
  await page.getByRole('button', { name: 'Switch' }).press('Enter');
  await expect(page.getByLabel('is done and the connection cut')).toBeChecked();
  await expect(page.getByLabel('is down')).toBeChecked();
  await expectAccessible(page);
});
