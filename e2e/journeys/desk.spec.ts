import { expectAccessible } from '../src/accessible.ts';
import { CountedKeys } from '../src/counted-keys.ts';
import { expectTold } from '../src/in-view.ts';
import { expect, test, testAlone } from '../src/journey.ts';
import { keyboardOf } from '../src/keyboard.ts';
import { MOST_KB, fetchedBy, scriptsKb } from '../src/page-weight.ts';
import { deskCode, openSignedInAtDesk, signInAtDesk } from '../src/sign-in-at-desk.ts';
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
  const question = page.getByRole('dialog', {
    name: /^Cancel the appointment of Newcomer, Ari on /,
  });
  await question.getByLabel('Who wants it cancelled').selectOption('The clinic');
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Cancel appointment' }).click();
  await expect(page.getByText(/^Cancelled: .* of Newcomer, Ari\.$/)).toBeVisible();
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
  await expect(page.getByLabel('Your password or a new code')).toBeFocused({ timeout: 60_000 });
  await expect(search).toHaveCount(0);
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

test('where a part of the front desk is missing the page stays and says so, fetches it when it is shown again, and reloads once the browser has asked', async ({
  browser,
  clinic,
}) => {
  // One of its own: the console of the browser tells of what is missing too.
  const context = await browser.newContext({ baseURL: clinic.url });
  const page = await context.newPage();
  const missing = /\/desk\/assets\/(book-dialog|other-page)-.*\.(css|js)$/;
  await page.route(missing, (route) => route.fulfill({ status: 404, json: {} }));
  const says = page.getByRole('alert').filter({ hasText: 'This part of the page' });
  const reload = page.getByRole('button', { name: 'Reload the page' });
  await signInAtDesk(page, clinic.url, 'robin@practice.example', DAY);
  await page.getByRole('link', { name: 'Schedule' }).click();
  await expectTold(says, 'could not be loaded');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Day' }).click();
  await expect(says).toBeHidden();

  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/attendance', async (route) => {
    await answered;
    await route.continue();
  });
  await page
    .getByRole('button', { name: /Expected/ })
    .first()
    .click();
  const panel = page.getByRole('complementary').filter({ hasText: 'Arrived' });
  await panel.getByRole('button', { name: 'Arrived' }).click();
  await page.getByRole('button', { name: 'Find patient' }).click();
  await expectTold(says, 'could not be loaded');
  await expectAccessible(page);
  const question = page.waitForEvent('dialog').then(async (asked) => {
    await asked.dismiss();
    return asked.type();
  });
  await reload.click();
  expect(await question).toBe('beforeunload');
  answer();
  await expect(panel.getByRole('alert')).toHaveText('Noted: Arrived.');

  await page.unroute(missing);
  const schedule = page.getByRole('heading', { level: 1, name: 'Schedule' });
  await page.getByRole('link', { name: 'Schedule' }).click();
  await expect(schedule).toBeVisible();
  await reload.click();
  await expect(says).toBeHidden();
  await expect(schedule).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  await context.close();
});

test('the scripts of the front desk’s sign-in and day sheet are no heavier than they may be', async ({
  context,
  clinic,
}) => {
  const signIn = await fetchedBy(await context.newPage(), '/desk');
  expect(scriptsKb(signIn), JSON.stringify(signIn)).toBeLessThanOrEqual(MOST_KB.deskSignIn);

  await openSignedInAtDesk(context, clinic.url, 'robin@practice.example', DAY);
  const page = await context.newPage();
  const day = await fetchedBy(page, DAY);
  await expect(page.getByRole('group', { name: 'Appointments by provider' })).toBeVisible();
  expect(scriptsKb(day), JSON.stringify(day)).toBeLessThanOrEqual(MOST_KB.daySheet);
});

// Shows: S-18, R-135
testAlone(
  'a clinician’s next patient is seen in two keys, and the front desk sees how late they run',
  async ({ page, browser, clinic, caller, take }) => {
    take('new2@practice.example');
    const patient = await caller('new2@practice.example');
    const day = await patient.get('/doctors/schedule?from=2026-11-21&to=2026-11-21&id=101&type=O');
    const [{ providers }] = day.body['extras'] as [
      { providers: { schedule: { start: number }[] }[] },
    ];
    const start = providers[0]?.schedule.at(-1)?.start ?? 0;
    expect((await patient.book({ doctor: '101', start }, 'a cough that stays')).status).toBe(200);

    const office = await (await browser.newContext({ baseURL: clinic.url })).newPage();
    await signInAtDesk(office, clinic.url, 'robin@practice.example', DAY);
    const sheet = office.getByRole('group', { name: 'Appointments by provider' });
    await sheet.getByRole('button', { name: /Newcomer, Bea/ }).click();
    await office
      .getByRole('complementary', { name: 'Newcomer, Bea' })
      .getByRole('button', { name: 'Arrived' })
      .click();

    await signInAtDesk(page, clinic.url, 'stone@practice.example', '/desk');
    await expect(page.getByRole('heading', { name: 'My day' })).toBeVisible();
    await expectAccessible(page);
    const bea = page.getByRole('button', { name: /^\d\d:\d\d Newcomer, Bea/ });
    await expect(bea).toContainText('Arrived');
    await expect(bea).toBeFocused();
    const keys = new CountedKeys(page);
    await keys.press('r');
    await expect(bea).toContainText('In the room');
    await keys.press('s');
    await expect(bea).toContainText('Seen');
    expect(keys.pressed).toBeLessThanOrEqual(2);
    await expect(sheet.getByRole('button', { name: /Newcomer, Bea/ })).toContainText('Seen');

    await keys.press('Enter');
    await expect(page.getByText('a cough that stays')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: '20 min late' }).click();
    await expect(page.getByText(/^The front desk sees that you run 20 min late/)).toBeVisible();
    await expect(sheet.getByRole('heading', { name: /A\. Stone 20 min late/ })).toBeVisible();

    await page.getByRole('button', { name: 'Book a follow-up' }).click();
    const dialog = page.getByRole('dialog');
    const times = dialog.getByRole('listbox', { name: 'Free times' });
    await expect(times).toBeFocused();
    await expect(times.getByRole('option', { selected: true })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await expect(page.locator(':focus')).toHaveText('Book this time');
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('alert').filter({ hasText: /^Booked: / })).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'My week' }).click();
    await page.waitForURL('**/desk/day/week/101/**');
    await expect(page.getByRole('button', { name: /Newcomer, Bea/ }).first()).toBeVisible();
    await expectAccessible(page);
    await office.context().close();
  },
);
