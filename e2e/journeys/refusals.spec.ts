import { picture } from '../src/attached-files.ts';
import { expectTold, expectUncovered, refuseCalls } from '../src/in-view.ts';
import { expect, test } from '../src/journey.ts';
import { deafen } from '../src/live-socket.ts';
import { AppointmentDetails } from '../src/pages/appointment-details.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { Dialog } from '../src/pages/dialog.ts';
import { ImmigrationForm } from '../src/pages/immigration-form.ts';
import { PaymentFailure, PracticeBank } from '../src/pages/payment-end.ts';
import { practiceCards } from '../src/pages/payment.ts';
import { SlotGrid } from '../src/pages/slot-grid.ts';
import { UploadDocument } from '../src/pages/upload-document.ts';

// On a phone, each refusal is in view and has the focus; those of narrow.spec.ts are not repeated.
test.use({ viewport: { width: 375, height: 812 }, hasTouch: true });

// Shows: R-21, 5.choose-type.2
test('step 1: no doctor, a patient who is blocked, and a doctor whom a late check excludes', async ({
  page,
  as,
  atHome,
}) => {
  const home = await atHome('fran@practice.example');
  await home.choose({ type: 'In-person visit' });
  await home.press('Next');
  await expectTold(home.alert(), 'Please choose a doctor or the earliest available doctor.');

  await as('bo@practice.example');
  await page.goto('/');
  const blocked = await ChooseType.arrive(page);
  await blocked.choose({ type: 'In-person visit' });
  await blocked.press('Next');
  await expectTold(blocked.alert(), 'You are blocked from booking an appointment');

  await as('ines@practice.example');
  await refuseCalls(page, '**/clinic/admin/patient/*', 'Not now.');
  await page.goto('/');
  const checked = await ChooseType.arrive(page);
  await checked.choose({ type: 'In-person visit', doctor: 'Dr. G. Liu' });
  await page.unroute('**/clinic/admin/patient/*');
  await checked.press('Next');
  await expectTold(checked.alert(), 'This doctor only sees patients who have an active doctor');
});

// Shows: R-30
test('the first card: a time that is lost, and one that is refused', async ({ page, atHome }) => {
  const home = await atHome('casey@practice.example');
  await refuseCalls(page, '**/schedule/hold', 'You have two visits already.');
  await home.press(/^Next available: /);
  await expectTold(home.alert(), 'You have two visits already.');
  await page.unroute('**/schedule/hold');
  await page.route('**/schedule/hold', (route) =>
    route.fulfill({
      status: 409,
      json: { success: false, extras: { code: 'slotTaken', message: 'It is taken.' } },
    }),
  );
  await home.press(/^Next available: /);
  const grid = await SlotGrid.arrive(page);
  await expectTold(grid.alert(), 'It is taken.');
  await grid.expectFound();
});

// Shows: R-25
test('step 2: days that the service refuses, and a clinic that cannot be reached', async ({
  page,
  atHome,
}) => {
  // A connection that has to be opened again would ask for them too.
  await deafen(page);
  const home = await atHome('new1@practice.example');
  await refuseCalls(page, '**/doctors/schedule?*', 'Closed for repairs.');
  const grid = await home.search('In-person visit');
  const refused = await Dialog.arrive(page, 'There is a problem');
  await expect(refused.box).toContainText('Closed for repairs.');
  await expectUncovered(refused.box);
  await page.unroute('**/doctors/schedule?*');
  await refused.press('OK');
  await grid.press('Try again');
  await grid.expectFound();
  await page.route('**/schedule/hold', (route) => route.abort());
  await grid.chips().first().click();
  await expectTold(grid.alert(), 'This time may be held for you');
  await page.unroute('**/schedule/hold');
});

// Shows: 5.reason.3, R-36
test('step 3: a reason or a report of a crash that is not complete, and records that cannot be asked or made', async ({
  page,
  atHome,
}) => {
  const home = await atHome('tess@practice.example');
  const { confirm } = await (await home.search('ICBC injury claim visit')).pickFirst();
  await confirm.reason.fill('AB');
  await confirm.press('Next');
  await expectTold(confirm.alert(), 'Date of crash is not valid');
  await expectTold(confirm.alert(), 'The minimum length of injury claim number is');

  await confirm.press('Back');
  const grid = await SlotGrid.arrive(page);
  await grid.press('Back');
  const again = await (await ChooseType.arrive(page)).search('In-person visit');
  const plain = (await again.pickFirst()).confirm;
  await plain.reason.fill('x');
  await plain.press('Next');
  await expectTold(plain.alert(), 'The minimum length of');
  await plain.reason.fill('x'.repeat(81));
  await plain.press('Next');
  await expectTold(plain.alert(), 'The maximum length of');
  await plain.reason.fill('a sore knee');
  await page.route('**/api/demographics', (route) => route.fulfill({ status: 500, json: {} }));
  await plain.press('Next');
  await expectTold(plain.alert(), 'Get demographic failed.');
  await page.unroute('**/api/demographics');
  await page.route('**/demographics/create', (route) => route.fulfill({ status: 422, json: {} }));
  await (await plain.nextTo('Family Doctor')).press('No');
  await expectTold(plain.alert(), 'Create Demorgraphic request failed.');
  await page.unroute('**/demographics/create');
  await (await plain.nextTo('Family Doctor')).press('No');
  const details = await AppointmentDetails.arrive(page, 'Appointment Details');
  await page.route('**/agreement/save', (route) => route.fulfill({ status: 500, json: {} }));
  await details.press('Agree');
  await expectTold(plain.alert(), 'Server error.');
});

test('step 3: a document that is missing, and one that cannot be uploaded', async ({
  page,
  atHome,
}) => {
  const home = await atHome('riley@practice.example');
  const { confirm } = await (await home.search('In-person visit', 'Dr. A. Stone')).pickFirst();
  await (await confirm.nextWarned('a cough')).press('I accept the fee');
  const card = await UploadDocument.arrive(page, UploadDocument.steps.healthCard);
  await card.upload();
  await expect(card.chooser).toBeFocused();
  await expectUncovered(card.box.getByText('Pleae choose your file to upload'));
  await card.choose(picture('card.png'));
  await page.route('**/message/upload', (route) => route.abort());
  await card.upload();
  await expectTold(card.box.getByRole('alert'), 'Uploading file failed.');
});

test('step 3: an immigration form that is empty', async ({ page, atHome }) => {
  const home = await atHome('new3@practice.example');
  const { confirm } = await (
    await home.search('Immigration medical exam (other)', 'Dr. O. Price')
  ).pickFirst();
  await (await confirm.nextWarned('a visa')).press('I accept the fee');
  await (await AppointmentDetails.arrive(page, 'Appointment Details')).press('Agree');
  const form = await ImmigrationForm.arrive(page, ImmigrationForm.heading);
  await form.save();
  await expectTold(form.box.getByRole('alert'), 'Highlighted field cannot be empty');
});

test('payment: a card that is not complete, another price, and a charge that fails', async ({
  page,
  atHome,
}) => {
  const home = await atHome('new4@practice.example');
  const { confirm } = await (await home.search('Private visit')).pickFirst();
  const payment = await confirm.toPayment('a second opinion', { warned: true });
  await expect(payment.number).toBeVisible();
  await payment.press('Pay Online');
  await expectTold(payment.alert(), 'There is a problem');
  await page.route('**/services/charge', (route) => route.fulfill({ status: 422, json: {} }));
  await payment.payWith(practiceCards.good);
  await expectTold(payment.alert(), 'Payment processing failed');
  await page.unroute('**/services/charge');
  await page.route('**/services/charge', (route) =>
    route.fulfill({
      status: 409,
      json: {
        success: false,
        extras: { code: 'amountDiffers', message: 'The fee has changed.', chargeAmount: 210 },
      },
    }),
  );
  await payment.press('Pay Online');
  await expectTold(payment.alert(), 'The fee has changed.');
});

// Shows: R-42
test('back from the bank: a time that is lost', async ({ page, atHome }) => {
  const home = await atHome('new5@practice.example');
  const { confirm } = await (await home.search('Private visit')).pickFirst();
  const payment = await confirm.toPayment('a second opinion', { warned: true });
  await payment.payWith(practiceCards.bankFirst);
  const bank = await PracticeBank.arrive(page);
  await refuseCalls(page, '**/services/charge', 'It is taken. You have not been charged.');
  await bank.press('Approve');
  const failure = await PaymentFailure.arrive(page);
  await expect(failure.alert()).toContainText('It is taken. You have not been charged.');
  await expectUncovered(failure.alert());
  // A new page is read from its heading, which what went wrong follows.
  await expect(page.getByRole('heading', { level: 1, name: PaymentFailure.heading })).toBeFocused();
});
