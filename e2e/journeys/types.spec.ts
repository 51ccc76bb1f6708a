import { expect, test } from '../src/journey.ts';
import { AppointmentDetails } from '../src/pages/appointment-details.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { ImmigrationForm } from '../src/pages/immigration-form.ts';
import { Payment } from '../src/pages/payment.ts';
import { SlotGrid } from '../src/pages/slot-grid.ts';

// Shows: 1.can.8
test('a private phone consultation costs 75 without a warning, and says that the provider will call', async ({
  page,
  atHome,
}) => {
  const home = await atHome('new1@practice.example');
  const grid = await home.search('Private phone consultation');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Booking Private phone consultation: Our provider will call you',
  );
  const { confirm } = await grid.pickFirst();
  const payment = await confirm.toPayment('test results', { warned: false });
  await expect(payment.total).toHaveText('CAD 75.00');
  const booked = await payment.payAndBook();
  await expect(booked.main).not.toContainText('Arrive 15 minutes early');
});

// Shows: 1.can.8, 2.confirm.2
test('a driver medical asks for the licence number of seven characters (§5 Reason field)', async ({
  atHome,
}) => {
  const home = await atHome('new2@practice.example');
  const { confirm } = await (await home.search('Driver medical')).pickFirst(/^16:\d\d, /);
  await expect(confirm.reason).toHaveAccessibleName('Driver licence number');
  await confirm.expectReasonRefused('Please enter driver licence number');
  await confirm.reason.fill('123456');
  await confirm.expectReasonRefused('The minimum length of driver licence number is 7');
  const payment = await confirm.toPayment('1234567', { warned: true });
  await expect(payment.total).toHaveText('CAD 150.00');
});

// Shows: 1.can.8, 2.confirm.7, 4.confirm-next.7, R-20, R-32
test('an exam that only the open hours serve has nothing until day 20, and asks for its form then (R-20, R-32)', async ({
  page,
  atHome,
}) => {
  const home = await atHome('new3@practice.example');
  const type = 'Immigration medical exam (other)';
  const grid = await home.search(type);
  await (await grid.warning()).press('No');
  await expect(grid.main).toContainText(
    'There are no appointments available for the parameters you selected. Please choose another day, doctor or appointment type.',
  );
  await grid.press('Back');
  const again = await ChooseType.arrive(page);
  await again.calendar.getByRole('button', { name: 'Next month' }).click();
  await again.day('Friday, December 11, 2026').click();
  await again.press('Next');
  const found = await SlotGrid.arrive(page);
  const { confirm } = await found.pickFirst(/^10:\d\d, Fri Dec 11/);
  await (await confirm.nextWarned('a visa')).press('I accept the fee');
  const details = await AppointmentDetails.arrive(page, 'Appointment Details');
  await details.press('Agree');
  const form = await ImmigrationForm.arrive(page, ImmigrationForm.heading);
  await form.write({ 'Passport number': 'AB123456', 'How did you hear about us?': 'A friend' });
  await form.choose({
    'Country of birth': 'Canada',
    'Issuing country': 'Canada',
    'Visa status': 'Worker (WRK)',
  });
  await form.date('Date of issue', '2020', 'March', '1');
  await form.date('Date of expiry', '2035', 'December', '31');
  await page.goBack();
  await form.expectGone();
  await confirm.press('Next');
  await (await AppointmentDetails.arrive(page, 'Appointment Details')).press('Agree');
  const kept = await ImmigrationForm.arrive(page, ImmigrationForm.heading);
  await expect(kept.field('Passport number')).toHaveValue('AB123456');
  await kept.save();
  const payment = await Payment.arrive(page);
  await expect(payment.total).toHaveText('CAD 250.00');
  await payment.payAndBook();
});

// Shows: R-20
test('without a site for it a medication refill is not offered (R-20)', async ({
  page,
  atHome,
}) => {
  await page.route('**/services/config', async (route) => {
    const answer = await route.fetch();
    const config = (await answer.json()) as { extras: object };
    const extras = { ...config.extras, medicationSiteUrl: null };
    await route.fulfill({ json: { ...config, extras } });
  });
  const home = await atHome('new4@practice.example');
  await home.otherTypes.click();
  await expect(home.types()).toHaveCount(8);
  await expect(home.type('Medication refill')).toBeHidden();
});
