import { expectTold, refuseCalls } from '../src/in-view.ts';
import { expect, test } from '../src/journey.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { practiceCards } from '../src/pages/payment.ts';
import { SlotGrid } from '../src/pages/slot-grid.ts';

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

test('step 2: a clinic that cannot be reached', async ({ page, atHome }) => {
  const home = await atHome('new1@practice.example');
  const grid = await home.search('In-person visit');
  await grid.expectFound();
  await page.route('**/schedule/hold', (route) => route.abort());
  await grid.chips().first().click();
  await expectTold(grid.alert(), "We couldn't hold this time for you.");
  await page.unroute('**/schedule/hold');
});

// Shows: R-36
test('step 3: a report of a crash that is not complete, and records that cannot be asked', async ({
  page,
  atHome,
}) => {
  const home = await atHome('new2@practice.example');
  const { confirm } = await (await home.search('ICBC injury claim visit')).pickFirst();
  await confirm.reason.fill('AB');
  await confirm.press('Next');
  await expectTold(confirm.alert(), 'Date of crash is not valid');

  await confirm.press('Back');
  const grid = await SlotGrid.arrive(page);
  await grid.press('Back');
  const again = await (await ChooseType.arrive(page)).search('In-person visit');
  const plain = (await again.pickFirst()).confirm;
  await plain.reason.fill('x');
  await plain.press('Next');
  await expectTold(plain.alert(), 'The minimum length of');
  await plain.reason.fill('a sore knee');
  await page.route('**/api/demographics', (route) => route.fulfill({ status: 500, json: {} }));
  await plain.press('Next');
  await expectTold(plain.alert(), 'Get demographic failed.');
  await page.unroute('**/api/demographics');
  const details = await plain.next();
  await page.route('**/agreement/save', (route) => route.fulfill({ status: 500, json: {} }));
  await details.press('Agree');
  await expectTold(plain.alert(), 'Server error.');
});

test('step 3: a patient record that cannot be made', async ({ page, atHome }) => {
  const home = await atHome('tess@practice.example');
  const { confirm } = await (await home.search('In-person visit')).pickFirst();
  await confirm.reason.fill('a sore knee');
  await page.route('**/demographics/create', (route) => route.fulfill({ status: 422, json: {} }));
  await (await confirm.nextTo('Family Doctor')).press('No');
  await expectTold(confirm.alert(), 'Create Demorgraphic request failed.');
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
