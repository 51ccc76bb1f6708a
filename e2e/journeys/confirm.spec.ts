import { expect, test } from '../src/journey.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { SlotGrid } from '../src/pages/slot-grid.ts';

test('the reason is asked for letter for letter, from two characters to eighty (§5 Reason field)', async ({
  atHome,
}) => {
  const home = await atHome('new1@practice.example');
  const grid = await home.search('In-person visit');
  const { confirm } = await grid.pickFirst();
  await expect(confirm.reason).toHaveAccessibleName('Reason for the visit');
  await confirm.expectReasonRefused('Please enter reason for the visit');
  await confirm.reason.fill('   ');
  await confirm.expectReasonRefused('Please enter reason for the visit');
  await confirm.reason.fill(' a ');
  await confirm.expectReasonRefused('The minimum length of reason for the visit is 2');
  await confirm.reason.fill('a'.repeat(81));
  await expect(confirm.says('1 character too many')).toBeVisible();
  await confirm.expectReasonRefused('The maximum length of reason for the visit is 80');
  // Eighty characters as a person counts them, although each of these is two to a computer.
  await confirm.reason.fill('🤧'.repeat(80));
  await expect(confirm.says('No characters left')).toBeVisible();
  const details = await confirm.next();
  await details.press('Cancel');
  await details.expectGone();
  await (await confirm.next('ab')).agree();
});

test('a driver medical asks for the licence number of seven characters', async ({ atHome }) => {
  const home = await atHome('new1@practice.example');
  const grid = await home.search('Driver medical');
  const { confirm } = await grid.pickFirst(/^16:\d\d, /);
  await expect(confirm.reason).toHaveAccessibleName('Driver licence number');
  await confirm.expectReasonRefused('Please enter driver licence number');
  await confirm.reason.fill('123456');
  await confirm.expectReasonRefused('The minimum length of driver licence number is 7');
});

test('an injury claim visit asks for the claim number of eight characters, and its booking opens later', async ({
  atHome,
}) => {
  const home = await atHome('new1@practice.example');
  const grid = await home.search('ICBC injury claim visit');
  const { confirm } = await grid.pickFirst();
  await expect(confirm.reason).toHaveAccessibleName('Injury claim number');
  await expect(confirm.main).toContainText(
    'The injury claim number, not the vehicle claim number.',
  );
  await confirm.reason.fill('1234567');
  await confirm.expectReasonRefused('The minimum length of injury claim number is 8');
  await confirm.reason.fill('12345678');
  await confirm.press('Next');
  const later = await confirm.notOpenYet();
  await expect(later.box).toContainText(
    'We cannot finish this booking online yet. Please call or write to the clinic: they will book this time with you.',
  );
  await expect(later.box).toContainText(/This time stays held for you until 09:1\d\./);
  await later.press('Choose another type');
  await ChooseType.arrive(later.page);
});

test('within six hours Appointment Details says that a visit cannot be cancelled; later it does not (R-38)', async ({
  atHome,
}) => {
  const home = await atHome('new1@practice.example');
  const grid = await home.search('In-person visit');
  const today = await grid.pickFirst(/^11:\d\d, Sat Nov 21/);
  const soon = await today.confirm.next('a sore knee');
  await expect(soon.box).toContainText(
    /This appointment starts within 6 hours\. It cannot be cancelled, and a No Show fee (of CAD \d+\.\d\d )?applies if you do not come\./,
  );
  await soon.press('Cancel');
  await today.confirm.press('Back');
  const back = await SlotGrid.arrive(grid.page);
  await back.press('Next Day');
  await back.expectFound('Free times on Sun Nov 22');
  const tomorrow = await back.pickFirst();
  await expect(tomorrow.confirm.reason).toHaveValue('a sore knee');
  const later = await tomorrow.confirm.next();
  await expect(later.box).not.toContainText('within 6 hours');
});

test('a patient books one visit a day and two in all (§5 Booking limits, R-54)', async ({
  page,
  atHome,
  caller,
}) => {
  const home = await atHome('new1@practice.example');
  const elsewhere = await caller('new1@practice.example');
  const grid = await home.search('In-person visit');
  await grid.expectFound('Free times on Sat Nov 21');
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
  await back.expectFound('Free times on Sun Nov 22');
  await (await back.pickFirst()).confirm.book('a sore knee');

  await page.goto('/');
  const third = await (await ChooseType.arrive(page)).search('In-person visit', 'Dr. A. Stone');
  const refused = await third.offered(/, Mon Nov 23, /);
  await third.chip(refused.spoken).click();
  await expect(third.alert()).toContainText(
    'You can only book maximum of two upcomming appointments',
  );
});
