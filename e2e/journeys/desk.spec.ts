import { expectAccessible } from '../src/accessible.ts';
import { expect, test } from '../src/journey.ts';
import { keyboardOf } from '../src/keyboard.ts';
import { deskCode, signInAtDesk } from '../src/sign-in-at-desk.ts';
import { practicePassword } from '../src/sign-in.ts';

const DAY = '/desk/day/2026-11-21';

// Shows: S-18
test('a receptionist signs in, sees a patient book live, and notes by keyboard that they came', async ({
  page,
  clinic,
  caller,
}) => {
  await signInAtDesk(page, clinic.url, 'robin@practice.example', DAY);
  const sheet = page.getByRole('group', { name: 'Appointments by provider' });
  await expect(sheet.getByRole('region', { name: 'A. Stone' })).toBeVisible();
  await expectAccessible(page);

  const patient = await caller('new1@practice.example');
  const day = await patient.get('/doctors/schedule?from=2026-11-21&to=2026-11-21&id=101&type=O');
  const [{ providers }] = day.body['extras'] as [
    { providers: { schedule: { start: number }[] }[] },
  ];
  const start = providers[0]?.schedule.at(-1)?.start ?? 0;
  expect((await patient.book({ doctor: '101', start })).status).toBe(200);
  const entry = sheet.getByRole('button', { name: /Newcomer, Ari/ });
  await expect(entry).toContainText('Expected');

  await entry.focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary', { name: 'Newcomer, Ari' });
  await expect(panel.getByText('new1@practice.example')).toBeVisible();
  await expect(panel.getByRole('heading', { name: 'Newcomer, Ari' })).toBeFocused();
  await expectAccessible(page);
  await panel.getByRole('button', { name: 'Arrived' }).focus();
  await page.keyboard.press('Enter');
  await expect(entry).toContainText('Arrived');
  await expect(panel.getByRole('alert')).toHaveText('Noted: Arrived.');
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(entry).toBeFocused();

  await page.keyboard.press('Enter');
  await panel.getByRole('button', { name: 'Cancel appointment' }).click();
  const question = page.getByRole('dialog', { name: 'Cancel this appointment?' });
  await question.getByLabel('Who wants it cancelled').selectOption('The clinic');
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Cancel appointment' }).click();
  await expect(page.getByText('The appointment is cancelled.')).toBeVisible();
  await expect(entry).toHaveCount(0);
});

test('a locked screen shows nothing of a patient, and opens where it was', async ({
  page,
  clinic,
}) => {
  await signInAtDesk(page, clinic.url, 'morgan@practice.example', DAY);
  const entry = page.getByRole('button', { name: /Expected/ }).first();
  // The names of all screens fit beside each other.
  const names = page.getByRole('navigation', { name: 'Screens' }).getByRole('listitem');
  const tops = await names.evaluateAll((all) =>
    all.map((each) => each.getBoundingClientRect().top),
  );
  expect(new Set(tops).size).toBe(1);
  await entry.click();
  await expect(page.getByRole('complementary', { name: /,/ })).toBeVisible();
  await page.getByRole('button', { name: 'Lock' }).click();
  await expect(page.getByRole('heading', { name: 'The screen is locked' })).toBeVisible();
  await expect(entry).toHaveCount(0);
  await expect(page.getByRole('complementary', { name: /,/ })).toHaveCount(0);
  expect(await page.locator('body').innerText()).not.toMatch(/Expected|\d{4}-\d\d-\d\d|@/);
  await expectAccessible(page);
  await page.getByLabel('Your password or a new code').fill(practicePassword);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary', { name: /,/ })).toBeVisible();

  // Over a dialog, it opens with the dialog, and what was typed in it.
  await page.getByRole('button', { name: 'Find patient' }).click();
  const search = page.getByRole('dialog').getByRole('textbox');
  await search.fill('newcomer be');
  // As a quarter of an hour of nothing does it.
  const lock = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  await page.evaluate((init) => fetch('/api/desk/lock', init), lock);
  await expect(page.getByRole('heading', { name: 'The screen is locked' })).toBeFocused({
    timeout: 60_000,
  });
  await expect(search).toHaveCount(0);
  await page.keyboard.press('Tab');
  await page.keyboard.type(practicePassword);
  await page.keyboard.press('Enter');
  await expect(search).toBeFocused();
  await page.keyboard.type('a');
  await expect(search).toHaveValue('newcomer bea');
  await page.keyboard.press('Escape');
  await expect(search).toHaveCount(0);
});

// Shows: S-18
test('a clinician sees by keyboard where they are signed in, ends it there, and changes their password', async ({
  page,
  browser,
  clinic,
}) => {
  const stone = 'stone@practice.example';
  const office = await (await browser.newContext({ baseURL: clinic.url })).newPage();
  await signInAtDesk(office, clinic.url, stone, '/desk');
  await signInAtDesk(page, clinic.url, stone, '/desk/your-sign-in');
  const keys = keyboardOf(page);
  const sessions = page.getByRole('listitem').filter({ hasText: 'last active' });
  await expect(sessions).toHaveCount(2);
  await expect(sessions.filter({ hasText: '(here)' })).toHaveCount(1);
  await expectAccessible(page);
  await keys.tabTo('button', /^Sign out there: Chrome/);
  await keys.press('Enter');
  const done = (says: RegExp) => page.getByRole('alert').filter({ hasText: says });
  await expect(done(/^Chrome.* is signed out\.$/)).toBeFocused();
  await expect(sessions).toHaveCount(1);
  // Nobody has touched it.
  await expect(office.getByRole('heading', { name: 'Front desk' })).toBeVisible();
  await office.context().close();

  await keys.answer('Your current password', practicePassword);
  await keys.answer('Your new password', 'Walnut-and-Rain-7');
  await keys.press('Enter');
  await expect(done(/^Your password is changed, and you are signed out/)).toBeFocused();
  await expectAccessible(page);
  await keys.tabTo('button', 'Sign out');
  await keys.press('Enter');
  await keys.answer('Email', stone);
  await keys.answer('Password', 'Walnut-and-Rain-7');
  await keys.answer('Code of your app', await deskCode(clinic.url, stone));
  await keys.press('Enter');
  await expect(page.getByRole('heading', { name: 'Your sign-in' })).toBeVisible();
});

// Shows: S-18
test('a passkey is added by keyboard, opens the locked screen alone, and signs in beside the password', async ({
  page,
  clinic,
}) => {
  // A device that knows its owner, as a phone does. A passkey belongs to a name, never to a number.
  const device = await page.context().newCDPSession(page);
  await device.send('WebAuthn.enable');
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const named = clinic.url.replace('127.0.0.1', 'localhost');
  await signInAtDesk(page, clinic.url, 'avery@practice.example', `${named}/desk/`);
  await page.getByRole('link', { name: 'Avery Quinn, your sign-in' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Your sign-in' })).toBeVisible();
  await page.getByLabel('Name').focus();
  await page.keyboard.type('Avery’s phone');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText(
    'Avery’s phone is added. You get an email about it.',
  );
  await expect(page.getByRole('row', { name: /Avery’s phone.*Not yet/ })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Lock' }).click();
  await page.getByRole('button', { name: 'Use a passkey' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Your sign-in' })).toBeVisible();

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Email').fill('avery@practice.example');
  await page.getByLabel('Password').fill(practicePassword);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByRole('heading', { name: 'Your sign-in' })).toBeVisible();
  await page.getByRole('button', { name: 'Remove Avery’s phone' }).click();
  const question = page.getByRole('dialog', { name: 'Remove Avery’s phone?' });
  await expect(question).toBeVisible();
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('You have none yet.')).toBeVisible();
});
