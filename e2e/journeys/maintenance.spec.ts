import type { Page } from '@playwright/test';

import { expectAccessible } from '../src/accessible.ts';
import { expect, test, testAlone } from '../src/journey.ts';
import { liveSocket } from '../src/live-socket.ts';
import { Appointments } from '../src/pages/appointments.ts';
import { Booked } from '../src/pages/booked.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { Confirm } from '../src/pages/confirm.ts';
import { Dialog } from '../src/pages/dialog.ts';
import { Login } from '../src/pages/login.ts';
import { practiceCards } from '../src/pages/payment.ts';
import { expectHeading } from '../src/pages/screen.ts';
import { liveConnection, stopClock } from '../src/waiting.ts';

const MAINTENANCE =
  'Our appointment booking website is currently undergoing maintenance. We apologize for the inconvenience. Please login later in order to book an appointment with one of our doctors.';

const message = (page: Page) => page.getByRole('alertdialog', { name: 'Maintenance' });

// Shows: 2.shell.9, 4.auth.8, 8.maintenance.1, R-70
testAlone(
  'maintenance in the middle of a booking signs out, traps nobody, and the booking goes on after it (R-70)',
  async ({ page, atHome, clinic }) => {
    const home = await atHome('new1@practice.example');
    const grid = await home.search('In-person visit');
    const { slot, confirm } = await grid.pickFirst();
    await confirm.reason.fill('a sore knee');

    await clinic.command('offline', '--message', 'We are back at two o’clock.');
    await expectHeading(page, 'Log in');
    const shown = await Dialog.arrive(page, 'Maintenance');
    await expect(shown.box).toContainText(MAINTENANCE);
    await expect(shown.box).toContainText('We are back at two o’clock.');
    await page.keyboard.press('Escape');
    await expect(message(page)).toBeVisible();
    const login = await Login.arrive(page);
    await expect(login.shell.tabs).toBeHidden();
    await (await login.shell.openLegal('Terms of Use')).press('Close');
    expect(await clinic.command('status')).toContain('maintenance is announced');

    await clinic.command('online');
    await expect(message(page)).toBeHidden();
    await login.logIn('new1@practice.example');
    const again = await Confirm.arrive(page);
    await expect(again.reason).toHaveValue('a sore knee');
    await expect(again.fact('Time')).toContainText(slot.time);
    await again.book('a sore knee');
  },
);

// Shows: R-70
testAlone(
  'maintenance while a card is charged does not touch the payment (R-70, R-40)',
  async ({ page, atHome, clinic }) => {
    const home = await atHome('new1@practice.example');
    const grid = await home.search('Private visit');
    const { confirm } = await grid.pickFirst();
    const payment = await confirm.toPayment('a second opinion', { warned: true });
    let answer = () => {};
    const mayAnswer = new Promise<void>((go) => (answer = go));
    let charged = () => {};
    const isCharged = new Promise<void>((done) => (charged = done));
    await page.route('**/services/charge', async (route) => {
      const response = await route.fetch();
      charged();
      await mayAnswer;
      await route.fulfill({ response });
    });
    await payment.payWith(practiceCards.good);
    await isCharged;
    await clinic.command('offline');
    await expect(message(page)).toContainText(MAINTENANCE);
    answer();
    await clinic.command('online');
    await expect(message(page)).toBeHidden();
    await page.goto('/appointments');
    await (await Login.arrive(page)).logIn('new1@practice.example');
    const appointments = await Appointments.arrive(page);
    await expect(appointments.cards('Upcoming')).toHaveCount(1);
    await expect(appointments.cards('Upcoming')).toContainText('200');
  },
);

// Shows: 4.auth.8, R-70
test('a connection that is lost while a card is charged waits for the charge (R-70)', async ({
  page,
  atHome,
}) => {
  const wire = await liveSocket(page);
  await page.clock.install();
  const connected = liveConnection(page);
  const home = await atHome('new1@practice.example');
  const grid = await home.search('Private phone consultation');
  const { confirm } = await grid.pickFirst();
  const payment = await confirm.toPayment('a second opinion', { warned: false });
  let answer = () => {};
  const mayAnswer = new Promise<void>((go) => (answer = go));
  const charged = page.waitForRequest('**/services/charge');
  await page.route('**/services/charge', async (route) => {
    await mayAnswer;
    await route.continue();
  });
  await payment.payWith(practiceCards.good);
  await charged;
  await connected;
  wire.cut();
  await page.clock.fastForward(16_000);
  await expect(payment.button('Paying…')).toBeVisible();
  await expect(message(page)).toBeHidden();
  // Fifteen seconds of the page's clock later it is gone again.
  await stopClock(page);
  answer();
  await expectHeading(page, Booked.heading);
  await page.clock.fastForward(16_000);
  await page.clock.resume();
  await expect(message(page)).toContainText(MAINTENANCE);
});

// Shows: 4.auth.8, R-70
test('a connection that is away for longer than 15 seconds shows the message; a shorter gap shows nothing (R-70)', async ({
  page,
  as,
}) => {
  const wire = await liveSocket(page);
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/services/oscarStatus')) asked += 1;
  });
  await page.clock.install();
  await as('new2@practice.example');
  await page.goto('/');
  const home = await ChooseType.arrive(page);
  // On load, and when the connection stood.
  await expect.poll(() => asked).toBe(2);

  wire.cut();
  await page.clock.fastForward(5_000);
  await expect.poll(wire.tries).toBeGreaterThan(1);
  wire.mend();
  await expect.poll(() => asked).toBe(3);
  await page.clock.fastForward(20_000);
  await expect(home.shell.tabs).toBeVisible();
  await expect(message(page)).toBeHidden();

  await page.route('**/api/**', (route) => route.abort());
  wire.cut();
  await page.clock.fastForward(10_000);
  await expect(message(page)).toBeHidden();
  await page.clock.fastForward(6_000);
  await expect(message(page)).toContainText(MAINTENANCE);
  await expect(home.shell.tabs).toBeHidden();

  await page.unroute('**/api/**');
  wire.mend();
  await page.clock.fastForward(16_000);
  await expect(message(page)).toBeHidden();
});

// Shows: R-70
test('a device without a connection says so and waits; only a clinic that stays away signs out (R-70)', async ({
  page,
  context,
  as,
}) => {
  const wire = await liveSocket(page);
  await page.clock.install();
  const connected = liveConnection(page);
  const come = page.waitForResponse(/maintenance-message.*\.js$/);
  await as('new3@practice.example');
  await page.goto('/');
  const home = await ChooseType.arrive(page);
  await connected;
  // What is shown when the connection is lost has come before.
  await (await come).finished();
  await page.waitForLoadState('networkidle');
  const offline = page.getByText('You are offline.');

  wire.cut();
  await context.setOffline(true);
  await expect(offline).toBeVisible();
  await expectAccessible(page);
  await page.clock.fastForward(16_000);
  await page.clock.fastForward(60_000);
  await expect(message(page)).toBeHidden();
  await expect(home.shell.tabs).toBeVisible();

  await context.setOffline(false);
  await expect(offline).toBeHidden();
  await page.clock.fastForward(16_000);
  await expect(message(page)).toContainText(MAINTENANCE);
  await expectHeading(page, 'Log in');
});
