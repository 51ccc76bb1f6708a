import { expectAccessible } from '../src/accessible.ts';
import { expect, test, testAlone } from '../src/journey.ts';
import { Appointments, Receipt, Receipts } from '../src/pages/appointments.ts';
import { Booked } from '../src/pages/booked.ts';
import type { ChooseType } from '../src/pages/choose-type.ts';
import { ChooseType as Home } from '../src/pages/choose-type.ts';
import { Confirm } from '../src/pages/confirm.ts';
import { Login } from '../src/pages/login.ts';
import { PaymentFailure, PaymentSuccess, PracticeBank } from '../src/pages/payment-end.ts';
import { type Payment, practiceCards } from '../src/pages/payment.ts';

/** From home to the payment of a private appointment. */
async function toPayPrivately(home: ChooseType): Promise<Payment> {
  const { confirm } = await (await home.search('Private visit')).pickFirst();
  return confirm.toPayment('a sore knee', { warned: true });
}

/** On to the bank with a card that asks it first. */
async function toBank(home: ChooseType): Promise<PracticeBank> {
  const payment = await toPayPrivately(home);
  await payment.payWith(practiceCards.bankFirst);
  return PracticeBank.arrive(payment.page);
}

// Shows: 2.payment.1, 2.booked.1, 4.confirm-next.8, 7.client.1
test('a private visit of 200 is warned of, paid and booked (§2 Payment, R-31)', async ({
  page,
  atHome,
}) => {
  const home = await atHome('new1@practice.example');
  await expect(home.main.getByText('CAD 200.00').filter({ visible: true }).first()).toBeVisible();
  const { slot, confirm } = await (await home.search('Private visit')).pickFirst();
  await expect(confirm.summary).toContainText('CAD 200.00');
  const warning = await confirm.nextWarned('a sore knee');
  await expect(warning.box).toContainText('The fee for this appointment is CAD 200.00.');
  await warning.press('Cancel');
  await warning.expectGone();
  const payment = await confirm.toPayment('a sore knee', { warned: true });
  await expect(payment.total).toHaveText('CAD 200.00');
  await expect(payment.summary).toContainText(/until 09:1[5-9]/);
  const booked = await payment.payAndBook();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment Received');
  await expect(booked.sentence).toContainText(slot.time);
  await expect(booked.main).toContainText(/You paid CAD 200\.00\. Payment reference: P-\w{10}/);
  await page.goto('/appointments');
  const appointments = await Appointments.arrive(page);
  const card = appointments.card('Private visit');
  await expect(card).toContainText('CAD 200.00');
  await expect(card.getByRole('button', { name: 'Cancel Appointment' })).toBeDisabled();
  await appointments.receipt(card);
  // By its address alone.
  const address = page.url();
  await page.goto('/account');
  await page.goto(address);
  const receipt = await Receipt.arrive(page);
  await expect(receipt.main).toContainText(/Patient\S+ \S+.*CAD 200\.00.*P-\w{10}/s);
  await receipt.press('Back');
  const receipts = await Receipts.arrive(page);
  await expect(receipts.main.getByRole('link', { name: /^Private visit, / })).toHaveCount(1);
  await receipts.main.getByRole('link', { name: 'Back' }).click();
  await Appointments.arrive(page);
});

// Shows: 4.confirm-next.2
test('a driver medical of 150 is warned of, paid and booked', async ({ page, atHome }) => {
  const home = await atHome('new2@practice.example');
  const { confirm } = await (await home.search('Driver medical')).pickFirst();
  const payment = await confirm.toPayment('1234567', { warned: true });
  await expect(payment.total).toHaveText('CAD 150.00');
  await payment.payAndBook();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment Received');
});

// Shows: 4.confirm-next.7
test('an in-person visit costs nora 10, and nobody warns her', async ({ page, atHome }) => {
  const home = await atHome('nora@practice.example');
  const { confirm } = await (await home.search('In-person visit')).pickFirst();
  const payment = await confirm.toPayment('a sore knee', { warned: false });
  await expect(payment.total).toHaveText('CAD 10.00');
  await payment.payAndBook();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment Received');
});

test('an in-person visit costs rosa 200, with the warning', async ({ page, atHome }) => {
  const home = await atHome('rosa@practice.example');
  const { confirm } = await (await home.search('In-person visit')).pickFirst();
  const payment = await confirm.toPayment('a sore knee', { warned: true });
  await expect(payment.total).toHaveText('CAD 200.00');
  await payment.payAndBook();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment Received');
});

test('Back keeps the hold and the answers, and leads to payment again', async ({
  page,
  atHome,
}) => {
  const payment = await toPayPrivately(await atHome('new3@practice.example'));
  await payment.press('Back');
  const confirm = await Confirm.arrive(page);
  await expect(confirm.reason).toHaveValue('a sore knee');
  await expect(confirm.summary).toContainText(/until 09:[1-3]\d/);
  await (await confirm.toPayment('a sore knee', { warned: false })).payAndBook();
});

test('a declined card says why, and another one pays for the same time', async ({
  atHome,
  caller,
}) => {
  const payment = await toPayPrivately(await atHome('new4@practice.example'));
  await payment.payWith('4111 1111 1111 1111');
  await expect(payment.alert()).toContainText('Only the practice card numbers above work.');
  await payment.payWith(practiceCards.declined);
  await expect(payment.alert()).toContainText('Not paid yet');
  await expect(payment.alert()).toContainText('Your card was declined.');
  await expectAccessible(payment.page);
  await payment.payAndBook();
  const { body } = await (await caller('new4@practice.example')).get('/me/appointments');
  expect(body['appointments']).toHaveLength(1);
});

test('a double click pays once', async ({ page, atHome, caller }) => {
  const payment = await toPayPrivately(await atHome('new5@practice.example'));
  let sent = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/services/charge')) sent += 1;
  });
  await payment.fill(practiceCards.good);
  await payment.button('Pay Online').dblclick();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment Received');
  expect(sent).toBe(1);
  const { body } = await (await caller('new5@practice.example')).get('/me/appointments');
  expect(body['appointments']).toHaveLength(1);
});

test('a payment whose answer was lost on the way is asked for until it is known, and is paid once', async ({
  page,
  atHome,
  caller,
}) => {
  const payment = await toPayPrivately(await atHome('new6@practice.example'));
  await page.route('**/services/charge', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await payment.payWith(practiceCards.good);
  await expect(payment.says('We are checking')).toBeVisible();
  // One that is just being asked may not meet a page that no longer loses its answer.
  await page.unrouteAll({ behavior: 'wait' });
  await Booked.arrive(page);
  const { body } = await (await caller('new6@practice.example')).get('/me/appointments');
  expect(body['appointments']).toHaveLength(1);
});

// Shows: 2.payment-success.2, 4.payment.2
test('approved at the bank, the visit is booked; the address tells nothing, and twice is once (R-42)', async ({
  page,
  atHome,
  caller,
}) => {
  const bank = await toBank(await atHome('new7@practice.example'));
  await expect(bank.main).toContainText('Do you approve this payment of CAD 200.00?');
  await bank.press('Approve');
  const success = await PaymentSuccess.arrive(page);
  expect(new URL(page.url()).search).toBe('');
  await expect(success.main).toContainText('You will receive a confirmation email shortly.');
  await expect(success.main).toContainText('Arrive 15 minutes early.');
  await expect(success.main).toContainText('You paid CAD 200.00.');
  await page.reload();
  const again = await PaymentSuccess.arrive(page);
  await again.main.getByRole('link', { name: 'Continue to Appointments' }).click();
  await expect((await Appointments.arrive(page)).cards('Upcoming')).toHaveCount(1);
  const { body } = await (await caller('new7@practice.example')).get('/me/appointments');
  expect(body['appointments']).toHaveLength(1);
});

// Shows: 2.payment-success.4
test('declined at the bank, the page says so, and home leads back to another card', async ({
  page,
  atHome,
}) => {
  const bank = await toBank(await atHome('new8@practice.example'));
  await bank.press('Decline');
  const failure = await PaymentFailure.arrive(page);
  await expect(failure.alert()).toContainText('We are unable to authenticate your payment method.');
  await expect(failure.main.getByRole('link', { name: /^Call / })).toBeVisible();
  await failure.main.getByRole('link', { name: 'Return to Home' }).click();
  const home = await Home.arrive(page);
  await home.begun.getByRole('button', { name: 'Continue' }).click();
  const confirm = await Confirm.arrive(page);
  await (await confirm.toPayment('a sore knee', { warned: true })).payAndBook();
});

test('who leaves the bank page finds the booking on home, and pays with another card', async ({
  page,
  atHome,
  caller,
}) => {
  await toBank(await atHome('new9@practice.example'));
  await page.goto('/');
  const home = await Home.arrive(page);
  await home.begun.getByRole('button', { name: 'Continue' }).click();
  const confirm = await Confirm.arrive(page);
  await expect(confirm.reason).toHaveValue('a sore knee');
  await (await confirm.toPayment('a sore knee', { warned: true })).payAndBook();
  const { body } = await (await caller('new9@practice.example')).get('/me/appointments');
  expect(body['appointments']).toHaveLength(1);
});

// Shows: R-42
testAlone(
  'who comes back from the bank too late logs in, and learns that nothing was charged (R-42)',
  async ({ page, clinic, atHome }) => {
    await toBank(await atHome('new1@practice.example'));
    await clinic.advance(31 * 60);
    // The clinic gives the payment up by itself; until then the bank still asks.
    await expect(async () => {
      await page.reload();
      await expect(page.getByRole('button', { name: 'Approve' })).toBeHidden({ timeout: 100 });
    }).toPass({ timeout: 40_000, intervals: [1000] });
    const login = await Login.arrive(page);
    expect(new URL(page.url()).search).toBe('');
    await login.logIn('new1@practice.example');
    const failure = await PaymentFailure.arrive(page);
    await expect(failure.alert()).toContainText(
      'This time could not be booked, and you have not been charged. Please choose a time again.',
    );
    expect(new URL(page.url()).search).toBe('');
    await page.goto('/appointments');
    await expect((await Appointments.arrive(page)).says('No upcoming appointments')).toBeVisible();
  },
);

// Shows: 2.payment-success.5
test('the success page without parameters counts as success and points to My Appointments', async ({
  page,
  as,
}) => {
  await as('fran@practice.example');
  await page.goto('/booking/payment/success');
  const success = await PaymentSuccess.arrive(page);
  await expect(success.says('Check My Appointments to see your booking')).toBeVisible();
});

test('no request of a whole paid journey carries a card number', async ({
  page,
  context,
  atHome,
}) => {
  const sent: string[] = [];
  context.on('request', (request) => {
    sent.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`);
  });
  const home = await atHome('ines@practice.example');
  const payment = await toPayPrivately(home);
  await payment.payWith(practiceCards.declined);
  await expect(payment.alert()).toContainText('Not paid yet');
  await payment.payWith(practiceCards.bankFirst);
  await (await PracticeBank.arrive(page)).press('Approve');
  await PaymentSuccess.arrive(page);
  expect(sent.filter((request) => request.includes('/services/charge')).length).toBe(3);
  const digits = sent.map((request) => request.replaceAll(/[\s-]|%20|\+/g, ''));
  for (const card of Object.values(practiceCards))
    expect(digits.filter((request) => request.includes(card.replaceAll(' ', '')))).toEqual([]);
  const kept = await page.evaluate(() =>
    JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
  );
  expect(kept).not.toMatch(/4000\s*0000|4242/);
});

test.describe('with cards at Stripe and no way to reach it', () => {
  test.use({
    alone: true,
    clinicEnv: {
      STRIPE_SECRET_KEY: 'sk_test_journey',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_journey',
      STRIPE_WEBHOOK_SECRET: 'whsec_journey',
    },
  });

  test('the payment step says what is wrong, and the time stays held', async ({ page, atHome }) => {
    await page.route('https://js.stripe.com/**', (route) => route.abort());
    const payment = await toPayPrivately(await atHome('new1@practice.example'));
    await expect(payment.alert()).toContainText(
      'The card form could not be loaded. You have not been charged.',
    );
    await expect(payment.alert().getByRole('button', { name: 'Try again' })).toBeVisible();
    await expect(payment.summary).toContainText(/until 09:1[5-9]/);
    await payment.press('Back');
    await expect((await Confirm.arrive(page)).reason).toHaveValue('a sore knee');
  });
});
