import { expect, test } from '../src/journey.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { comeFromDashboard, LinkRefused } from '../src/pages/dashboard.ts';
import { Login } from '../src/pages/login.ts';

// Shows: 1.can.1, 2.routes.9, 4.auth.5, 6.visitor.1, R-68
test('a link of the dashboard logs in once, with I or D chosen and anything else ignored (R-68)', async ({
  page,
}) => {
  const referrers: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/me')) referrers.push(request.headers().referer ?? '');
  });
  await comeFromDashboard(page, 'new1@practice.example', 'I, injury claim visit');
  let home = await ChooseType.arrive(page);
  await expect(home.type('ICBC injury claim visit')).toBeChecked();
  expect(new URL(page.url()).pathname).toBe('/');
  expect(new Set(referrers)).toEqual(new Set(['']));

  await comeFromDashboard(page, 'new1@practice.example', 'D, driver medical');
  home = await ChooseType.arrive(page);
  await expect(home.type('Driver medical')).toBeChecked();

  const link = await comeFromDashboard(page, 'new1@practice.example');
  expect(link).toMatch(/\/auth\/[\w-]+\/Z$/);
  home = await ChooseType.arrive(page);
  await expect(home.types().and(page.locator(':checked'))).toHaveCount(0);

  await page.goto(link);
  const again = await LinkRefused.arrive(page);
  expect(new URL(page.url()).pathname).toBe('/auth');
  await expect(again.alert()).toHaveText(
    'The link is no longer valid: it works once, within five minutes. Please use a new one.',
  );
  await again.main.getByRole('link', { name: 'Go to Book Appointment' }).click();
  home = await ChooseType.arrive(page);
  await home.shell.logout().click();
  await Login.arrive(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(link);
  const visitor = await LinkRefused.arrive(page);
  await visitor.main.getByRole('link', { name: 'Log in' }).press('Enter');
  await Login.arrive(page);
});

// Shows: R-68
test('a link signs out whoever else was signed in; types that are closed to a patient stay so (R-68)', async ({
  page,
  as,
  clinic,
}) => {
  const verasToken = await as('vera@practice.example');
  await page.goto('/');
  await expect(
    (await ChooseType.arrive(page)).shell.header.getByText('Vera', { exact: true }),
  ).toBeVisible();
  await comeFromDashboard(page, 'dee@practice.example', 'D, driver medical');
  const home = await ChooseType.arrive(page);
  await expect(home.shell.header.getByText('Dee', { exact: true })).toBeVisible();
  await expect(home.types().and(page.locator(':checked'))).toHaveCount(0);
  // The page does not wait until the service has signed her out.
  await expect
    .poll(async () => {
      const headers = { 'x-access-token': verasToken };
      return (await fetch(`${clinic.url}/api/me`, { headers })).status;
    })
    .toBe(401);
});
