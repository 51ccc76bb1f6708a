import { expectAccessible } from '../src/accessible.ts';
import { expect, test } from '../src/journey.ts';
import { Confirm } from '../src/pages/confirm.ts';
import { ImmigrationForm } from '../src/pages/immigration-form.ts';
import { Payment } from '../src/pages/payment.ts';

const empty = [
  'Country of birth',
  'Passport number',
  'Issuing country',
  'Date of issue',
  'Date of expiry',
  'Visa status',
  'How did you hear about us?',
];

// Shows: 2.confirm.7, 2.immigration.1, 5.immigration.1, 5.immigration.2, 8.alerts.10, R-82,
// text.post-services-emedical-getorcreate
test('an immigration exam asks for its form before the payment, keeps what was typed, and knows it the next time (§2, §5 Immigration form, R-32, R-82)', async ({
  page,
  atHome,
}) => {
  const home = await atHome('new3@practice.example');
  await home.choose({ type: 'Immigration medical exam', doctor: 'Dr. A. Stone' });
  const grid = await home.next();
  const { confirm } = await grid.pickFirst(/^\d\d:\d\d, Wed Nov 25, /);
  await (await confirm.nextWarned('a visa')).press('I accept the fee');
  await agree();
  const form = await ImmigrationForm.arrive(page, ImmigrationForm.heading);
  await form.save();
  await form.expectRefused(...empty.map((label) => `${label}: Highlighted field cannot be empty`));
  await form.write({ 'Passport number': 'AB 12 34 56', 'How did you hear about us?': 'A friend' });
  await form.choose({
    'Country of birth': 'United Kingdom',
    'Issuing country': 'Stateless person (1954 Convention)',
    'Visa status': 'Worker (WRK)',
  });
  await form.date('Date of issue', '2001', 'May', '6');
  await form.date('Date of expiry', '2026', 'November', '20');
  await form.save();
  await form.expectRefused(
    'Date of issue must be between 2001-05-07 and today',
    'Date of expiry must be equal to or after today',
  );

  // Back leads to the confirm page; what was typed is there again.
  await form.press('Back');
  await form.expectGone();
  await confirm.press('Next');
  await agree();
  await expect(form.field('Passport number')).toHaveValue('AB 12 34 56');
  await expect(form.part('Date of issue', 'Day')).toHaveValue('6');
  await form.date('Date of issue', '2020', 'March', '1');
  await form.date('Date of expiry', '2035', 'December', '31');

  await page.route('**/services/emedical/getorcreate', (route) => route.abort());
  await form.save();
  await expect(form.box.getByRole('alert')).toContainText('Create Medical Profile Failed.');
  await expectAccessible(page);
  await page.unroute('**/services/emedical/getorcreate');
  await form.save();
  const payment = await Payment.arrive(page);
  await expect(payment.total).toHaveText('CAD 250.00');

  // The profile is kept: it fills the form from the service after a reload.
  await payment.press('Back');
  await expect(confirm.reason).toHaveValue('a visa');
  await page.reload();
  await page.getByRole('button', { name: 'Continue' }).click();
  // Home has a Next of its own.
  await (await Confirm.arrive(page)).press('Next');
  await page.getByRole('button', { name: 'I accept the fee' }).click();
  await agree();
  await expect(form.field('Passport number')).toHaveValue('AB123456');
  await form.save();
  await Payment.arrive(page);

  async function agree() {
    await page.getByRole('button', { name: 'Agree', exact: true }).click();
  }
});
