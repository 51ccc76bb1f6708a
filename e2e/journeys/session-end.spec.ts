import { expect, test, testAlone } from '../src/journey.ts';
import { Account } from '../src/pages/account.ts';
import { Appointments } from '../src/pages/appointments.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { Dialog } from '../src/pages/dialog.ts';
import { Login } from '../src/pages/login.ts';
import { inactivityCounts } from '../src/waiting.ts';

/** When a patient was last active in any tab. Runs in the page. */
const lastSign = () => localStorage.getItem('clinic.active');

// Shows: 4.auth.9, 8.inactivity.1, R-71
test('two tabs share what keeps a session: one extends for both, and both end alike (R-71)', async ({
  page,
  context,
  as,
}) => {
  await context.clock.install();
  await as('new1@practice.example');
  await page.goto('/');
  await ChooseType.arrive(page);
  const other = await context.newPage();
  await other.goto('/appointments');
  await Appointments.arrive(other);
  for (const tab of [page, other]) await inactivityCounts(tab);

  await context.clock.fastForward('19:02');
  const warning = await Dialog.arrive(page, 'Are you still there?');
  const theirs = await Dialog.arrive(other, 'Are you still there?');
  await theirs.press('Stay logged in');
  await theirs.expectGone();
  await context.clock.fastForward('00:06');
  await warning.expectGone();

  await context.clock.fastForward('18:00');
  await page.mouse.click(5, 300);
  // What one tab keeps the other can read a moment later.
  await expect.poll(() => other.evaluate(lastSign)).toBe(await page.evaluate(lastSign));
  await context.clock.fastForward('02:30');
  await expect(other.getByRole('alertdialog')).toBeHidden();
  await context.clock.fastForward('17:30');
  for (const tab of [page, other]) {
    const login = await Login.arrive(tab);
    await expect(login.says("You've been logged out due to inactivity")).toBeVisible();
  }
});

// Shows: 4.auth.6, R-69
test('what ended a session is told in every tab, and each comes back to where it was', async ({
  page,
  context,
  as,
  caller,
}) => {
  await as('casey@practice.example');
  await page.goto('/appointments?all=true#older');
  await Appointments.arrive(page);
  const other = await context.newPage();
  await other.goto('/account');
  await Account.arrive(other);
  const elsewhere = await caller('casey@practice.example');
  expect((await elsewhere.endSessions()).status).toBe(200);

  await expect((await Login.arrive(other)).alert()).toHaveText('Please log in again.');
  const login = await Login.arrive(page);
  await expect(login.alert()).toHaveText('Please log in again.');
  await login.logIn('casey@practice.example');
  await Appointments.arrive(page);
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/appointments?all=true');
  expect(new URL(page.url()).hash).toBe('#older');
  await Account.arrive(other);
});

testAlone(
  'the service counts the same twenty minutes, and a tab that comes back late is at the login (R-3)',
  async ({ atHome, clinic }) => {
    const home = await atHome('new1@practice.example');
    await clinic.advance(20 * 60);
    await home.page.reload();
    await Login.arrive(home.page);
  },
);
