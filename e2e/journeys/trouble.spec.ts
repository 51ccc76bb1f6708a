import { expectAccessible } from '../src/accessible.ts';
import { expectTold } from '../src/in-view.ts';
import { expect, test } from '../src/journey.ts';
import { deafen, liveSocket } from '../src/live-socket.ts';
import { Appointments } from '../src/pages/appointments.ts';
import { Booked } from '../src/pages/booked.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { Login } from '../src/pages/login.ts';
import { SlotGrid } from '../src/pages/slot-grid.ts';
import { liveConnection } from '../src/waiting.ts';

const api = '**/api/**';
const unreachable = "We can't reach the clinic right now. Please check your connection.";

test('a double click books once', async ({ page, atHome, caller }) => {
  const home = await atHome('new1@practice.example');
  const grid = await home.search('In-person visit');
  const { confirm } = await grid.pickFirst();
  const details = await confirm.next('a sore knee');
  let sent = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/schedule/create')) sent += 1;
  });
  await details.button('Agree').dblclick();
  await Booked.arrive(page);
  expect(sent).toBe(1);
  const { body } = await (await caller('new1@practice.example')).get('/me/appointments');
  expect(body['appointments']).toHaveLength(1);
});

test('two tabs of one patient end with one visit, and the second is told why', async ({
  page,
  context,
  atHome,
}) => {
  const home = await atHome('new2@practice.example');
  const grid = await home.search('In-person visit');
  const first = await grid.pickFirst(/^11:\d\d, Sat Nov 21, Dr\. A\. Stone$/);

  const other = await context.newPage();
  await other.goto('/');
  const otherGrid = await (await ChooseType.arrive(other)).search('In-person visit');
  const second = await otherGrid.pickFirst(/^11:\d\d, Sat Nov 21, Dr\. O\. Price$/);

  await second.confirm.book('a sore knee');
  const details = await first.confirm.next('a sore knee');
  await details.press('Agree');
  await expect(first.confirm.alert()).toContainText('You can only book one appointment each day');

  await page.goto('/appointments');
  await expect((await Appointments.arrive(page)).cards('Upcoming')).toHaveCount(1);
});

test('a booking whose answer was lost on the way is asked for, at last when the patient says so, and is booked once', async ({
  page,
  atHome,
  caller,
}) => {
  await page.clock.install();
  const home = await atHome('new3@practice.example');
  const grid = await home.search('In-person visit');
  const { confirm } = await grid.pickFirst();
  let reached: 'no' | 'byNextBooking' | 'yes' = 'no';
  await page.route('**/schedule/create', async (route) => {
    // From now on the page learns nothing, whatever it asks or hears, until the patient says so.
    await page.route(api, (each) => {
      const books = each.request().url().endsWith('/schedule/create');
      if (reached === 'byNextBooking' && books) reached = 'yes';
      return reached === 'yes' ? each.continue() : each.abort();
    });
    await route.fetch();
    await route.abort();
  });
  const details = await confirm.next('a sore knee');
  await details.press('Agree');
  await expect(confirm.says('We are checking')).toBeVisible();
  await expectAccessible(page);
  await page.clock.fastForward('01:05');
  await expect(confirm.alert()).toContainText('Your appointment may have been booked');
  await expectAccessible(page);
  reached = 'byNextBooking';
  await confirm.press('Check again');
  await Booked.arrive(page);
  const { body } = await (await caller('new3@practice.example')).get('/me/appointments');
  expect(body['appointments']).toHaveLength(1);
});

test('a clinic that cannot be reached says so at the start, with a way to try again (R-70)', async ({
  page,
  as,
}) => {
  await as('new4@practice.example');
  await page.route(api, (route) => route.abort());
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1, name: 'No connection' })).toBeVisible();
  await expect(page.getByRole('alert')).toContainText(unreachable);
  await expectAccessible(page);
  await page.unroute(api);
  await page.getByRole('button', { name: 'Try again' }).click();
  await ChooseType.arrive(page);
});

test('a page that cannot be fetched says so, and leads back to home', async ({
  browser,
  clinic,
}) => {
  // One of its own: the console of the browser tells of it too.
  const context = await browser.newContext({ baseURL: clinic.url });
  const page = await context.newPage();
  await page.goto('/login');
  const login = await Login.arrive(page);
  await page.route('**/assets/recovery-page-*', (route) => route.abort());
  await login.main.getByRole('link', { name: 'Forgot Password' }).click();
  await expectTold(page.getByRole('alert'), 'Something went wrong on this page');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Go to Book Appointment' }).click();
  await Login.arrive(page);
  await context.close();
});

test('what a page could not fetch of its code it fetches again: the live connection by itself, the card form on a press', async ({
  page,
  atHome,
}) => {
  for (const part of ['esm', 'practice-card-form'])
    await page.route(`**/assets/${part}-*.js`, (route) => route.abort(), { times: 1 });
  const missed = page.waitForEvent('requestfailed', (request) => request.url().includes('/esm-'));
  const wire = await liveSocket(page);
  const grid = await (await atHome('new6@practice.example')).search('Private visit');
  await missed;
  await expect.poll(wire.tries).toBeGreaterThan(0);
  const { confirm } = await grid.pickFirst();
  const payment = await confirm.toPayment('a sore knee', { warned: true });
  await expect(payment.alert()).toContainText('The card form could not be loaded.');
  await payment.press('Try again');
  await expect(payment.number).toBeVisible();
});

test('the free times that could not be loaded can be asked for again', async ({ page, atHome }) => {
  // A connection that has to be opened again would ask for them too.
  await deafen(page);
  const home = await atHome('new5@practice.example');
  await page.route('**/doctors/schedule?*', (route) => route.abort());
  await home.choose({ type: 'In-person visit', doctor: 'Earliest available doctor' });
  await home.press('Next');
  const grid = await SlotGrid.arrive(page);
  await expect(grid.alert()).toContainText("We couldn't load the available times.");
  await expectAccessible(page);
  await page.unroute('**/doctors/schedule?*');
  await grid.press('Try again');
  await grid.expectFound('Available times on Sat Nov 21');

  await page.route('**/schedule/hold', (route) => route.abort());
  await grid.chip((await grid.offered()).spoken).click();
  await expect(grid.alert()).toContainText(
    'This time may be held for you: please try again to find out.',
  );
  await expectAccessible(page);
  await page.unroute('**/schedule/hold');
  await grid.pickFirst();
});

// Shows: 8.silent.1
test('an appointment list that cannot be loaded says nothing and can be asked for again (§8, R-55)', async ({
  page,
  as,
}) => {
  await as('casey@practice.example');
  let unanswered = 0;
  await page.route('**/api/me/appointments*', (route) => {
    unanswered += 1;
    return route.abort();
  });
  const connected = liveConnection(page);
  await page.goto('/appointments');
  const appointments = await Appointments.arrive(page);
  // Once connected they are asked for anew.
  await connected;
  await expect(appointments.button('Try again')).toBeVisible();
  const before = unanswered;
  await appointments.press('Try again');
  // A load gives up after three calls; that of the connection may still be under way.
  await expect.poll(() => unanswered).toBeGreaterThanOrEqual(before + 3);
  await expect(appointments.button('Try again')).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/api/me/appointments*');
  await appointments.press('Try again');
  await expect(appointments.cards('Upcoming')).toHaveCount(1);
});

// Shows: 2.shell.9, 8.maintenance.1
test("when the clinic's records are offline a message stands that cannot be closed, and signs out (§8, R-70)", async ({
  page,
  as,
}) => {
  await as('new7@practice.example');
  await page.route('**/api/services/oscarStatus', (route) =>
    route.fulfill({ json: { success: true, status: false } }),
  );
  await page.goto('/');
  const message = page.getByRole('alertdialog', { name: 'Maintenance' });
  await expect(message).toContainText(
    'Our appointment booking website is currently undergoing maintenance. We apologize for the inconvenience. Please login later in order to book an appointment with one of our doctors.',
  );
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(message).toBeVisible();
  await expect(message.getByRole('button')).toHaveCount(0);
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeHidden();
});
