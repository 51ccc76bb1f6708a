import type { Page } from '@playwright/test';

import { expect, test } from '../src/journey.ts';
import { Appointments } from '../src/pages/appointments.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { Login } from '../src/pages/login.ts';

/** Nothing is wider than the window, so that nobody scrolls sideways to read. */
async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const { content, window: width } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    window: document.documentElement.clientWidth,
  }));
  expect(content).toBeLessThanOrEqual(width);
}

async function bookFrom(page: Page): Promise<void> {
  const home = await ChooseType.arrive(page);
  await expectNoSidewaysScroll(page);
  const calendar = await home.openCalendar();
  await expectNoSidewaysScroll(page);
  await calendar.box.getByRole('button', { name: 'Sunday, November 22, 2026' }).click();
  await calendar.press('Show this day');
  const grid = await home.search('In-person visit');
  await grid.expectFound('Free times on Sun Nov 22');
  await expectNoSidewaysScroll(page);
  const { confirm } = await grid.pickFirst();
  await expectNoSidewaysScroll(page);
  const details = await confirm.next('a sore knee');
  await expectNoSidewaysScroll(page);
  const booked = await details.agree();
  await expectNoSidewaysScroll(page);
  await booked.shell.tab('My Appointments').click();
  const visits = await Appointments.arrive(page);
  await expect(visits.cards('Upcoming')).toHaveCount(1);
  await expectNoSidewaysScroll(page);
}

test.describe('at 320 px', () => {
  test.use({ viewport: { width: 320, height: 640 }, hasTouch: true });

  test('a person logs in and books without scrolling sideways', async ({ page }) => {
    await page.goto('/login');
    const login = await Login.arrive(page);
    await expectNoSidewaysScroll(page);
    await login.logIn('new1@practice.example');
    await bookFrom(page);
  });

  test('what is pressed is as large as a thumb', async ({ atHome }) => {
    const home = await atHome('new2@practice.example');
    const grid = await home.search('In-person visit');
    await grid.expectFound();
    const chip = await grid.chips().first().boundingBox();
    expect(chip?.height).toBeGreaterThanOrEqual(44);
    expect(chip?.width).toBeGreaterThanOrEqual(64);
    for (const tab of await grid.shell.tabs.getByRole('link').all())
      expect((await tab.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  });
});

test.describe('with text of twice the size', () => {
  test.use({ viewport: { width: 640, height: 900 } });

  test('a person books without scrolling sideways', async ({ page, as }) => {
    await as('new3@practice.example');
    await page.addInitScript(() => {
      addEventListener('DOMContentLoaded', () => {
        document.documentElement.style.fontSize = '200%';
      });
    });
    await page.goto('/');
    await bookFrom(page);
  });
});
