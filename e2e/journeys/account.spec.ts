import { expect, test, testAlone } from '../src/journey.ts';
import { Account } from '../src/pages/account.ts';
import { Appointments } from '../src/pages/appointments.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { Dialog } from '../src/pages/dialog.ts';
import { Login } from '../src/pages/login.ts';
import { practicePassword } from '../src/sign-in.ts';

// Shows: 2.shell.10, 2.account.2, 4.account.1, 5.account.1, 5.account.2, 5.account.3, 8.account.1,
//
test('a patient whom the clinic asks for an update answers, edits and then books (§4 Account, R-72)', async ({
  page,
  as,
}) => {
  await as('una@practice.example');
  await page.goto('/appointments');
  await Account.arrive(page);
  await page.goto('/');
  const account = await Account.arrive(page);
  expect(new URL(page.url()).pathname).toBe('/account');
  const confirm = await account.answerFamilyDoctor('Yes');
  await confirm.press('Edit my information');

  await account.field('Address').fill('');
  await account.expectRefused('Address', 'Highlighted input field cannot be empty');
  await account.field('Address').fill('12 Water Street');
  await account.field('Province').selectOption('');
  await account.expectRefused('Province', 'Please choose a Province from the drop down menu');
  await account.field('Province').selectOption({ label: 'Alberta' });
  await account.field('Mobile Phone').fill('604555');
  await account.expectRefused('Mobile Phone', 'The Mobile Phone Number you entered is invalid');
  await account.field('Mobile Phone').fill('');
  await account.field('Mobile Phone').pressSequentially('6045550177');
  await expect(account.field('Mobile Phone')).toHaveValue('604-555-0177');
  await account.field('Gender').selectOption('Transgendered');
  await account.field('Preferred Pharmacy').fill('pha');
  const found = page.getByRole('listbox', { name: 'Pharmacies found' });
  await found.getByRole('option').first().click();
  await account.update();

  await expect(account.fact('Address')).toHaveText('12 Water Street');
  await expect(account.fact('Province')).toHaveText('Alberta');
  await expect(account.fact('Mobile Phone')).toHaveText('604-555-0177');
  await expect(account.fact('Family doctor')).toHaveText('Yes');
  await expect(account.fact('Preferred Pharmacy')).not.toHaveText('Not provided');
  await account.shell.tab('My Appointments').click();
  await Appointments.arrive(page);
  await page.goto('/account');
  await expect((await Account.arrive(page)).fact('Address')).toHaveText('12 Water Street');
});

// Shows: 2.account.2, 4.account.2, R-72
testAlone(
  'a patient of 320 px whose information is correct is home with two presses (R-72)',
  async ({ page, as }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await as('una@practice.example');
    await page.goto('/');
    const account = await Account.arrive(page);
    const widths = () =>
      page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ]);
    const confirm = await account.answerFamilyDoctor('No');
    const [content = 0, shown = 0] = await widths();
    expect(content).toBeLessThanOrEqual(shown);
    await confirm.press('Information is correct');
    await ChooseType.arrive(page);
    await page.goto('/account');
    await (await Account.arrive(page)).edit();
    await Account.arrive(page);
    const [form = 0, room = 0] = await widths();
    expect(form).toBeLessThanOrEqual(room);
  },
);

// Shows: 2.routes.5, 2.account.1, 2.account.3, 6.account.1
test('what was typed survives a stray press, Cancel drops it, and name, e-mail and card stay (§6)', async ({
  page,
  as,
}) => {
  await as('casey@practice.example');
  await page.goto('/appointments');
  await (await Appointments.arrive(page)).shell.tab('My Account').click();
  const account = await Account.arrive(page);
  await expect(account.fact('Name')).toHaveText('Casey Morgan');
  await expect(account.fact('Date of Birth')).toHaveText('May 17, 1984');
  await expect(account.fact('Email')).toHaveText('casey@practice.example');
  await expect(account.fact('Health Card')).toHaveText('9876543218 (British Columbia)');
  await expect(account.profile.getByText(/come in person and bring a photo ID/)).toBeVisible();
  const city = await account.fact('City').textContent();

  await account.edit();
  for (const only of ['Name', 'Date of Birth', 'Email', 'Health Card'])
    await expect(account.profile.getByRole('textbox', { name: only, exact: true })).toHaveCount(0);
  await account.field('City').fill('Burnaby');
  await account.shell.tab('My Appointments').click();
  const stray = await Dialog.arrive(page, 'Leave without saving?');
  await stray.press('Keep editing');
  await expect(account.field('City')).toHaveValue('Burnaby');

  // By the browser's own way back nothing is asked, and nothing is lost.
  await page.goBack();
  await Appointments.arrive(page);
  await page.goForward();
  const again = await Account.arrive(page);
  await again.press('Cancel');
  await expect(again.fact('City')).toHaveText(city ?? '');
});

testAlone(
  'a patient changes the password and signs out everywhere',
  async ({ page, as, caller }) => {
    const elsewhere = await caller('casey@practice.example');
    await as('casey@practice.example');
    await page.goto('/account');
    const account = await Account.arrive(page);
    const sessions = account.main.getByRole('region', { name: "Where you're logged in" });
    await expect(sessions.getByRole('listitem')).toHaveCount(2);
    await expect(sessions.getByText(/\(this device\)$/)).toHaveCount(1);

    await account.press('Change password');
    await account.main.getByLabel('Current Password').fill('not this');
    await account.main.getByLabel('New Password', { exact: true }).fill('Another-2026');
    await account.main.getByLabel('Confirm New Password').fill('Another-2026');
    await account.press('Set new password');
    await expect(account.alert()).toContainText('This is not your current password.');
    await account.main.getByLabel('Current Password').fill(practicePassword);
    await account.press('Set new password');
    await expect(page.getByText(/^Your password has been changed\./)).toBeVisible();
    expect((await elsewhere.get('/me')).status).toBe(401);
    await expect(sessions.getByRole('listitem')).toHaveCount(1);

    await account.press('Log out everywhere');
    const login = await Login.arrive(page);
    await expect(login.says("You've been logged out everywhere.")).toBeVisible();
    await login.logIn('casey@practice.example', 'Another-2026');
    await Account.arrive(page);
  },
);
