import { expectAccessible } from '../src/accessible.ts';
import { expect, test } from '../src/journey.ts';
import { AppointmentDetails } from '../src/pages/appointment-details.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { Confirm } from '../src/pages/confirm.ts';
import { Dialog } from '../src/pages/dialog.ts';
import { SlotGrid } from '../src/pages/slot-grid.ts';

/** Whether the focus is on the page beneath a dialog. Runs in the page. */
function isBeneath(): boolean {
  const { activeElement: focused } = document;
  return focused !== document.body && focused?.closest('dialog') === null;
}

// Shows: 5.limits.1, 5.limits.2
test('a patient books one visit a day and two in all (§5 Booking limits, R-54)', async ({
  page,
  atHome,
  caller,
}) => {
  const home = await atHome('new5@practice.example');
  const elsewhere = await caller('new5@practice.example');
  const grid = await home.search('In-person visit');
  await grid.expectFound('Available times on Sat Nov 21');
  const first = await grid.offered(/^11:\d\d, Sat Nov 21, Dr\. A\. Stone$/);
  const second = await grid.offered(/^11:\d\d, Sat Nov 21, Dr\. A\. Stone$/, 1);

  const confirm = await grid.pick(first);
  expect((await elsewhere.book(second)).status).toBe(200);
  const details = await confirm.next('a sore knee');
  await details.press('Agree');
  await expect(confirm.alert()).toContainText('You can only book one appointment each day');
  await expect(confirm.reason).toHaveValue('a sore knee');

  await confirm.press('Back');
  const back = await SlotGrid.arrive(page);
  await back.press('Next Day');
  await back.expectFound('Available times on Sun Nov 22');
  await (await back.pickFirst()).confirm.book('a sore knee');

  await page.goto('/');
  const third = await (await ChooseType.arrive(page)).search('In-person visit', 'Dr. A. Stone');
  const refused = await third.offered(/, Mon Nov 23, /);
  await third.chip(refused.spoken).click();
  await expect(third.alert()).toContainText(
    'You can only book maximum of two upcomming appointments',
  );
});

// Shows: 2.confirm.7, 4.confirm-next.5, R-36
test('who is not in the records is asked about a family doctor, and books (§4, R-36)', async ({
  page,
  atHome,
}) => {
  const home = await atHome('tess@practice.example');
  const grid = await home.search('In-person visit', 'Dr. A. Stone');
  const { confirm } = await grid.pickFirst();
  await confirm.reason.fill('a sore knee');
  const asked = await confirm.nextTo('Family Doctor');
  await page.keyboard.press('Escape');
  await asked.expectGone();
  await expect(confirm.button('Next')).toBeFocused();
  const created = page.waitForRequest('**/demographics/create');
  await (await confirm.nextTo('Family Doctor')).press('No');
  expect((await created).postDataJSON()).toMatchObject({ familyDoc: '1999', hasFamilyDoc: false });
  await (await AppointmentDetails.arrive(page, 'Appointment Details')).agree();
});

// Shows: 2.confirm.7
test('Escape, Cancel and the browser lead out of a dialog and back to Next, with the answers (§2 Booking step 3)', async ({
  page,
  atHome,
}) => {
  const home = await atHome('new2@practice.example');
  const { confirm } = await (await home.search('Private visit')).pickFirst();
  const warning = await confirm.nextWarned('a sore knee');
  await page.goBack();
  await warning.expectGone();
  await expect(confirm.button('Next')).toBeFocused();
  await expect(confirm.reason).toHaveValue('a sore knee');

  // By the keyboard alone: through the dialog, which keeps the focus, and on to the next one.
  await page.keyboard.press('Enter');
  const again = await Dialog.arrive(page, 'Warning');
  for (let presses = 0; presses < 8; presses += 1) {
    await page.keyboard.press('Tab');
    // Past the last control the focus is the browser's own, and never the page's beneath.
    expect(await page.evaluate(isBeneath)).toBe(false);
  }
  await again.button('I accept the fee').focus();
  await page.keyboard.press('Enter');
  const details = await AppointmentDetails.arrive(page, 'Appointment Details');
  await expect(details.box).toContainText('Fees are non-refundable.');
  await expect(details.box).toContainText("Draft for the clinic's counsel.");
  await page.keyboard.press('Escape');
  await details.expectGone();
  await expect(confirm.button('Next')).toBeFocused();

  // The way back through payment and confirm has no step that leads nowhere.
  await (await confirm.next()).agreeToPay();
  await page.goBack();
  const back = await Confirm.arrive(page);
  await expect(back.reason).toHaveValue('a sore knee');
  await page.goBack();
  await SlotGrid.arrive(page);
  await page.goBack();
  await ChooseType.arrive(page);
});

// Shows: 1.can.8, 2.confirm.9, 5.choose-type.3, 9.flags.1, R-73
test('where the clinic has switched it on, the preferred pharmacy is asked for before the visit (R-73)', async ({
  page,
  atHome,
}) => {
  await page.route('**/services/config', async (route) => {
    const answer = await route.fetch();
    const config = (await answer.json()) as { extras: { flags: object } };
    const flags = { ...config.extras.flags, preferredPharmacy: true };
    await route.fulfill({ json: { ...config, extras: { ...config.extras, flags } } });
  });
  const home = await atHome('new3@practice.example');
  const { confirm } = await (await home.search('In-person visit')).pickFirst();
  await confirm.reason.fill('a sore knee');
  const text = 'Before proceeding, please select your preferred pharmacy';
  const closed = await confirm.nextTo(text);
  await closed.press('Close');
  await closed.expectGone();
  await expect(confirm.button('Next')).toBeFocused();
  // It is optional: it is not asked for twice for one time.
  await (await confirm.next()).press('Cancel');
  await confirm.press('Back');
  await (await SlotGrid.arrive(page)).pickFirst();
  const prompt = await confirm.nextTo(text);
  await prompt.press('Confirm');
  await expect(prompt.box).toContainText('Please select the preferred pharmacy.');
  const search = prompt.box.getByRole('combobox', { name: 'Preferred pharmacy' });
  await expect(search).toBeFocused();
  await expectAccessible(page);
  await search.fill('ph');
  await expect(prompt.box.getByRole('option')).toHaveCount(0);
  await search.fill('pha');
  await expect(prompt.box.getByRole('option').first()).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const saved = page.waitForResponse('**/pharmacy/addPreferredPharmacy');
  await prompt.press('Confirm');
  expect((await saved).status()).toBe(200);
  const details = await AppointmentDetails.arrive(page, 'Appointment Details');
  await details.agree();
});
