import { expect, test } from '../src/journey.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import {
  comeFromDashboard,
  expectDashboard,
  LinkRefused,
  SignedOut,
} from '../src/pages/dashboard.ts';
import { Login } from '../src/pages/login.ts';
import { expectHeading } from '../src/pages/screen.ts';
import { tokenKey } from '../src/sign-in.ts';
import { inactivityCounts } from '../src/waiting.ts';

test.describe('with the dashboard in use', () => {
  test.use({ clinicEnv: { PRACTICE_DASHBOARD: 'on' }, alone: true });

  // Shows: 1.can.1, 2.shell.2, 2.login.2, 4.auth.3, 9.flags.1, R-69
  test('visitors are sent to the dashboard, and patients go out by its two buttons (§2 Shell, R-69)', async ({
    page,
    clinic,
  }) => {
    for (const path of ['/', '/appointments', '/login']) {
      await page.goto(path);
      await expectDashboard(page);
    }
    await page.goto('/walkin');
    await expectHeading(page, 'Walk-in information');
    await page.goto('/auth/no-such-link/I');
    await (await LinkRefused.arrive(page)).press('Back to the clinic site');
    await expectDashboard(page);

    await comeFromDashboard(page, 'new1@practice.example');
    const home = await ChooseType.arrive(page);
    const [back, out] = ['Back to the clinic site', 'Logout'].map((name) =>
      home.shell.header.getByRole('button', { name, exact: true }),
    );
    await expect(back ?? home.main).toBeVisible();
    await expect(out ?? home.main).toBeVisible();
    await page.setViewportSize({ width: 320, height: 640 });
    await ChooseType.arrive(page);
    expect(
      await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      ),
    ).toBe(0);

    const token = await page.evaluate((key) => localStorage.getItem(key), tokenKey);
    await back?.click();
    await expectDashboard(page);
    expect(await page.evaluate((key) => localStorage.getItem(key), tokenKey)).toBeNull();
    await expect
      .poll(async () => {
        const headers = { 'x-access-token': token ?? '' };
        return (await fetch(`${clinic.url}/api/me`, { headers })).status;
      })
      .toBe(401);

    await comeFromDashboard(page, 'new1@practice.example');
    const again = await ChooseType.arrive(page);
    await again.shell.logout().press('Enter');
    await expect(page.getByText('You are signed out of the dashboard.')).toBeVisible();
    expect(new URL(page.url()).pathname).toBe('/practice/dashboard/logout');
  });

  // Shows: 8.inactivity.1, 8.maintenance.1, R-70
  test('whose session ended reads why, also on the way back from the dashboard; maintenance lets nobody in (R-69, R-70)', async ({
    page,
    clinic,
  }) => {
    await page.clock.install();
    await comeFromDashboard(page, 'new2@practice.example');
    await ChooseType.arrive(page);
    await inactivityCounts(page);
    await page.clock.fastForward('20:05');
    const ended = await SignedOut.arrive(page);
    await expect(ended.says("You've been logged out due to inactivity")).toBeVisible();
    await ended.press('Back to the clinic site');
    await expectDashboard(page);
    await page.goBack();
    const again = await SignedOut.arrive(page);
    await expect(again.says("You've been logged out due to inactivity")).toBeVisible();

    const maintenance = page.getByRole('alertdialog', { name: 'Maintenance' });
    await clinic.command('offline');
    await page.goto('/login');
    await expect(maintenance).toBeVisible();
    await SignedOut.arrive(page);
    const [link] = await Promise.all([
      page.waitForResponse('**/api/logout?hold=keep'),
      comeFromDashboard(page, 'new2@practice.example'),
    ]);
    expect(link.status()).toBe(200);
    await expect(maintenance).toBeVisible();
    await SignedOut.arrive(page);
    await clinic.command('online');
    await expectDashboard(page);
  });

  // Shows: 1.staff.1, 6.staff.1, R-72
  test('staff go to their dashboard when their session ends for want of a sign of life (R-72)', async ({
    page,
  }) => {
    await page.clock.install();
    await comeFromDashboard(page, 'sam@practice.example');
    await ChooseType.arrive(page);
    await inactivityCounts(page);
    await page.clock.fastForward('20:05');
    await expectDashboard(page);
  });
});

// Shows: 9.flags.1, R-69
test('without the dashboard the login is here, and so is the way out; patients need no way in (R-69)', async ({
  page,
  atHome,
}) => {
  const home = await atHome('new1@practice.example');
  for (const path of ['/login', '/register', '/resetPassword']) {
    await page.goto(path);
    await ChooseType.arrive(page);
    expect(new URL(page.url()).pathname).toBe('/');
  }
  await expect(home.shell.header.getByRole('button')).toHaveText(['Logout']);
  await home.shell.logout().click();
  await expect((await Login.arrive(page)).email).toBeVisible();
});
