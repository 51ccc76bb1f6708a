import { expectAccessible } from '../src/accessible.ts';
import { expect, test } from '../src/journey.ts';
import { expectMail } from '../src/pages/mailbox.ts';
import { Appointments } from '../src/pages/appointments.ts';

const PATIENT = 'new1@practice.example';
const map = /^https:\/\/www\.google\.com\/maps\/search\/\?api=1&query=/;

test.use({ viewport: { width: 320, height: 640 } });

// Shows: R-84
test('an email about an appointment is read in light and dark on a narrow phone, and leads to it (R-84)', async ({
  page,
  as,
  caller,
}) => {
  await as(PATIENT);
  const start = Date.parse('2026-11-26T08:00:00-07:00') / 1000;
  expect((await (await caller(PATIENT)).book({ doctor: '101', start })).status).toBe(200);
  const text = await expectMail(page, PATIENT, /booked/i);
  expect(text).toContain('See My Appointments: http');

  await page.goto('/practice/mail');
  await page.getByRole('link', { name: 'The same as HTML' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your appointment is booked');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(page.getByRole('main')).toContainText(
    'Thu Nov 26 2026 08:00 British Columbia time (UTC−7 all year), with Dr. A. Stone',
  );
  await expectAccessible(page);
  const [content, width] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(content).toBeLessThanOrEqual(width ?? 0);
  const foot = page.getByRole('contentinfo');
  await expect(foot.getByRole('link', { name: 'Show the clinic on a map' })).toHaveAttribute(
    'href',
    map,
  );
  await expect(foot.getByRole('link', { name: /^Phone / })).toHaveAttribute('href', /^tel:/);
  await expect(foot.getByRole('link', { name: /^Email / })).toHaveAttribute('href', /^mailto:/);

  await page.getByRole('main').getByRole('link').click();
  await Appointments.arrive(page);
});
