import { expect, test, testAlone } from '../src/journey.ts';
import { Appointments } from '../src/pages/appointments.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { Dialog } from '../src/pages/dialog.ts';
import { Login } from '../src/pages/login.ts';
import { confirmLinkIn, expectMail } from '../src/pages/mailbox.ts';
import { ConfirmEmail } from '../src/pages/sign-up.ts';
import { tokenKey } from '../src/sign-in.ts';
import { inactivityCounts } from '../src/waiting.ts';

/** One text for whatever fits no account. */
const INCORRECT =
  'The email or password is incorrect. If you have just signed up, open the link in our email first.';

// Shows: 1.can.1, 2.routes.2, 4.auth.2, 5.login.2, 6.visitor.1
test('a patient logs in and out, and the button waits for e-mail, password and captcha (§5 Login)', async ({
  page,
}) => {
  await page.goto('/login');
  const login = await Login.arrive(page);
  await expect(login.submit).toBeDisabled();
  await login.email.fill('new1@practice.example');
  await login.expectCaptchaSolved();
  await expect(login.submit).toBeDisabled();
  await login.password.fill('Practice-2026');
  await expect(login.submit).toBeEnabled();
  await login.email.fill('   ');
  await expect(login.submit).toBeDisabled();

  await login.logIn('  New1@Practice.EXAMPLE ');
  const home = await ChooseType.arrive(page);
  await expect(home.shell.header.getByText('Ari', { exact: true })).toBeVisible();
  expect(await page.evaluate((key) => localStorage.getItem(key), tokenKey)).toBeTruthy();
  expect(await page.context().cookies()).toMatchObject([
    { name: 'device', httpOnly: true, sameSite: 'Strict', path: '/' },
  ]);

  await home.shell.logout().click();
  const again = await Login.arrive(page);
  await expect(again.says("You're logged out.")).toBeVisible();
  await expect(again.shell.tabs).toBeHidden();
  expect(await page.evaluate((key) => localStorage.getItem(key), tokenKey)).toBeNull();
});

// Shows: 8.login.1
test('a wrong password is answered with the words of the service, and the captcha starts anew (§8 Login)', async ({
  page,
}) => {
  await page.goto('/login');
  const login = await Login.arrive(page);
  await login.logIn('new2@practice.example', 'not my password');
  await expect(login.alert()).toContainText(INCORRECT);
  await expect(login.alert()).toBeFocused();
  await expect(login.email).toHaveValue('new2@practice.example');

  await login.logIn('new2@practice.example');
  await ChooseType.arrive(page);
});

// Shows: R-60
test('without the password nobody learns what is wrong with an account; with it they do (R-60, R-66)', async ({
  page,
}) => {
  await page.goto('/login');
  const login = await Login.arrive(page);
  const answers = [
    // Each says something else than the one before, which stands until it is answered.
    ['nobody@practice.example', 'x', INCORRECT],
    [
      'cleo@practice.example',
      'Practice-2026',
      'This account is closed for online booking. Please contact the clinic.',
    ],
    ['cleo@practice.example', 'x', INCORRECT],
    [
      'ida@practice.example',
      'Practice-2026',
      'Online booking is not open for this account. Please contact the clinic.',
    ],
    ['uma@practice.example', 'Practice-2026', INCORRECT],
  ] as const;
  for (const [email, password, words] of answers) {
    await login.logIn(email, password);
    await expect(login.alert()).toContainText(words);
  }
});

// Shows: R-97
testAlone(
  'who signed up and lost the link has it sent again at the login, and confirms with the password (R-66, R-97)',
  async ({ page }) => {
    await page.goto('/login');
    const login = await Login.arrive(page);
    await login.logIn('uma@practice.example');
    await expect(login.alert()).toContainText(INCORRECT);
    await login.press('Send the link again');
    const again = login.main.getByRole('region', { name: 'The link from our email' });
    await expect(again.getByRole('heading')).toBeFocused();
    await expect(again.getByText("Checked: you're not a bot.")).toBeVisible();
    await again.getByRole('button', { name: 'Send the link again' }).click();
    await expect(again.getByText(/it is on the way/)).toBeVisible();

    await page.goto(confirmLinkIn(await expectMail(page, 'uma@practice.example', /confirm/i)));
    const confirm = await ConfirmEmail.arrive(page);
    await confirm.confirm('not my password');
    await expect(confirm.alert()).toContainText('This is not the password chosen');
    await confirm.confirm('Practice-2026');
    await expect(
      confirm.says('Your email address is confirmed. You can log in now.'),
    ).toBeVisible();
    await page.goto('/login');
    await (await Login.arrive(page)).logIn('uma@practice.example');
    await ChooseType.arrive(page);
  },
);

// Shows: 2.routes.11, 2.routes.12
test('who was sent to the login comes back to where they wanted to go (§2 Routes)', async ({
  page,
}) => {
  await page.goto('/appointments?all=true');
  await (await Login.arrive(page)).logIn('new3@practice.example');
  await Appointments.arrive(page);
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/appointments?all=true');

  await page.goto('/login');
  await ChooseType.arrive(page);
  expect(new URL(page.url()).pathname).toBe('/');
});

// Shows: 4.auth.9, 8.inactivity.1, R-71
test('twenty minutes without a sign of life log out, after a warning that can extend (R-71)', async ({
  page,
  atHome,
}) => {
  await page.clock.install();
  await atHome('new4@practice.example');
  await inactivityCounts(page);
  await page.clock.fastForward('19:02');
  const warning = await Dialog.arrive(page, 'Are you still there?');
  await warning.press('Stay logged in');
  await warning.expectGone();

  await page.clock.fastForward('19:02');
  await Dialog.arrive(page, 'Are you still there?');
  await page.clock.fastForward('01:05');
  const login = await Login.arrive(page);
  await expect(login.says("You've been logged out due to inactivity")).toBeVisible();
});

test('a logout in one tab logs out the other', async ({ context, atHome }) => {
  const home = await atHome('new5@practice.example');
  const other = await context.newPage();
  await other.goto('/appointments');
  await Appointments.arrive(other);
  await home.shell.logout().click();
  await Login.arrive(other);
});
