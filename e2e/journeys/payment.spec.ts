import { expectAccessible } from '../src/accessible.ts';
import { expect, test, testAlone } from '../src/journey.ts';
import { Appointments, Receipt, Receipts } from '../src/pages/appointments.ts';
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
  await expect(payment.summary).toContainText(/until 09:(1[5-9]|[2-5]\d)/);
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

// Shows: 2.payment-success.2, 4.payment.2
test('a declined card says why, another is approved at the bank, and no request carries a number; twice is once (R-42)', async ({
  page,
  context,
  atHome,
  caller,
}) => {
  const sent: string[] = [];
  context.on('request', (request) => {
    sent.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`);
  });
  const payment = await toPayPrivately(await atHome('new2@practice.example'));
  await payment.payWith('4111 1111 1111 1111');
  await expect(payment.alert()).toContainText('Only the practice card numbers above work.');
  await payment.payWith(practiceCards.declined);
  await expect(payment.alert()).toContainText('Not paid yet');
  await expect(payment.alert()).toContainText('Your card was declined.');
  await expectAccessible(page);
  await payment.payWith(practiceCards.bankFirst);
  const bank = await PracticeBank.arrive(page);
  await expect(bank.main).toContainText('Do you approve this payment of CAD 200.00?');
  await bank.press('Approve');
  const success = await PaymentSuccess.arrive(page);
  expect(new URL(page.url()).search).toBe('');
  await expect(success.main).toContainText('You will receive a confirmation email shortly.');
  await expect(success.main).toContainText('Arrive 15 minutes early.');
  await expect(success.main).toContainText('You paid CAD 200.00.');
  expect(sent.filter((request) => request.includes('/services/charge')).length).toBe(3);
  await page.reload();
  const again = await PaymentSuccess.arrive(page);
  await again.main.getByRole('link', { name: 'Continue to Appointments' }).click();
  await expect((await Appointments.arrive(page)).cards('Upcoming')).toHaveCount(1);
  const { body } = await (await caller('new2@practice.example')).get('/me/appointments');
  expect(body['appointments']).toHaveLength(1);

  const digits = sent.map((request) => request.replaceAll(/[\s-]|%20|\+/g, ''));
  for (const card of Object.values(practiceCards))
    expect(digits.filter((request) => request.includes(card.replaceAll(' ', '')))).toEqual([]);
  const kept = await page.evaluate(() =>
    JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
  );
  expect(kept).not.toMatch(/4000\s*0000|4242\s*4242/);
});

// Shows: 2.payment-success.4
test('who leaves the bank, or is declined there, is led from home back to another card', async ({
  page,
  atHome,
  caller,
}) => {
  const onwards = async (start: Home) => {
    await start.begun.getByRole('button', { name: 'Continue' }).click();
    const confirm = await Confirm.arrive(page);
    await expect(confirm.reason).toHaveValue('a sore knee');
    return confirm.toPayment('a sore knee', { warned: true });
  };
  await toBank(await atHome('new3@practice.example'));
  await page.goto('/');
  await (await onwards(await Home.arrive(page))).payWith(practiceCards.bankFirst);
  await (await PracticeBank.arrive(page)).press('Decline');
  const failure = await PaymentFailure.arrive(page);
  await expect(failure.alert()).toContainText('We are unable to authenticate your payment method.');
  await expect(failure.main.getByRole('link', { name: /^Call / })).toBeVisible();
  await failure.main.getByRole('link', { name: 'Return to Home' }).click();
  await (await onwards(await Home.arrive(page))).payAndBook();
  const { body } = await (await caller('new3@practice.example')).get('/me/appointments');
  expect(body['appointments']).toHaveLength(1);
});

// Shows: R-42
testAlone(
  'who comes back from the bank too late logs in, and learns that nothing was charged (R-42)',
  async ({ page, clinic, atHome }) => {
    await toBank(await atHome('new1@practice.example'));
    await clinic.advance(31 * 60);
    // The clinic has given the payment up by itself: the bank asks no more.
    await page.reload();
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
    await expect(payment.summary).toContainText(/until 09:(1[5-9]|[2-5]\d)/);
    await payment.press('Back');
    await expect((await Confirm.arrive(page)).reason).toHaveValue('a sore knee');
  });
});
