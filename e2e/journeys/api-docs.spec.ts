import { expectAccessible } from '../src/accessible.ts';
import { expect, test } from '../src/journey.ts';

test('the description of the calls is read on a phone, under our content policy', async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 812 });
  await page.goto('/api/docs');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Clinic booking: the calls');
  await page.locator('summary').first().press('Enter');
  await expect(
    page.getByText('Seconds after which it is worth trying again.').first(),
  ).toBeVisible();
  // With parameters, a form with files, and a file: the others are of the same form.
  for (const call of ['createBooking', 'startMessage', 'exportData'])
    await page.locator(`#${call} summary`).click();
  await expectAccessible(page);
  await page.locator('details').evaluateAll((all) => {
    for (const each of all) each.setAttribute('open', '');
  });
  const { content, window: shown } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    window: document.documentElement.clientWidth,
  }));
  expect(content).toBeLessThanOrEqual(shown);
});
