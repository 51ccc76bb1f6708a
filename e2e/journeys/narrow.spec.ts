import type { Locator, Page } from '@playwright/test';

import {
  expectNoSidewaysScroll,
  expectTold,
  expectUncovered,
  refuseCalls,
} from '../src/in-view.ts';
import { expect, test, testAlone } from '../src/journey.ts';
import { deafen } from '../src/live-socket.ts';
import { Account } from '../src/pages/account.ts';
import { AppointmentDetails } from '../src/pages/appointment-details.ts';
import { Appointments } from '../src/pages/appointments.ts';
import { Booked } from '../src/pages/booked.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { Confirm } from '../src/pages/confirm.ts';
import { Login } from '../src/pages/login.ts';
import { Messages } from '../src/pages/messages.ts';
import { practiceCards } from '../src/pages/payment.ts';
import { Recovery } from '../src/pages/recovery.ts';
import type { Screen } from '../src/pages/screen.ts';
import { SignUp } from '../src/pages/sign-up.ts';
import { SlotGrid } from '../src/pages/slot-grid.ts';

/** As a person's own setting of the browser enlarges it. */
async function enlargeText(page: Page, times: number): Promise<void> {
  await page.addInitScript(
    (fontSize) => {
      addEventListener('DOMContentLoaded', () => {
        document.documentElement.style.fontSize = fontSize;
      });
    },
    `${times * 17}px`,
  );
}

/** What is pressed is as large as a thumb. */
async function expectThumbSized(grid: SlotGrid): Promise<void> {
  const chip = await grid.chips().first().boundingBox();
  expect(chip?.height).toBeGreaterThanOrEqual(44);
  expect(chip?.width).toBeGreaterThanOrEqual(64);
  for (const tab of await grid.shell.tabs.getByRole('link').all())
    expect((await tab.boundingBox())?.height).toBeGreaterThanOrEqual(44);
}

async function bookFrom(page: Page): Promise<void> {
  const home = await ChooseType.arrive(page);
  await expectNoSidewaysScroll(page);
  await home.choose({ type: 'In-person visit' });
  await expectNoSidewaysScroll(page);
  const calendar = await home.openCalendar();
  await expectNoSidewaysScroll(page);
  await calendar.box.getByRole('button', { name: 'Sunday, November 22, 2026' }).click();
  await calendar.press('Show this day');
  const grid = await home.next();
  await grid.expectFound('Available times on Sun Nov 22');
  await expectNoSidewaysScroll(page);
  await expectThumbSized(grid);
  const { confirm } = await grid.pickFirst();
  await expectNoSidewaysScroll(page);
  const details = await confirm.next('a sore knee');
  await expectNoSidewaysScroll(page);
  const booked = await details.agree();
  await expectNoSidewaysScroll(page);
  await booked.shell.tab('My Appointments').click();
  const appointments = await Appointments.arrive(page);
  await expect(appointments.cards('Upcoming')).toHaveCount(1);
  await expectNoSidewaysScroll(page);
}

test.describe('at 320 px', () => {
  test.use({ viewport: { width: 320, height: 640 }, hasTouch: true });

  test('a person logs in and books without scrolling sideways', async ({ page }) => {
    await page.goto('/login');
    const login = await Login.arrive(page);
    await expectNoSidewaysScroll(page);
    await login.logIn('new1@practice.example');
    await bookFrom(page);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 812 }, hasTouch: true });

  // Shows: text.post-schedule-create
  test('what comes of a press while booking is in view and has the focus, with text of twice the usual size', async ({
    page,
    as,
    caller,
  }) => {
    await deafen(page);
    await enlargeText(page, 2);
    await as('new4@practice.example');
    await page.goto('/');
    const home = await ChooseType.arrive(page);
    await home.press('Next');
    await expectTold(home.alert(), 'Please choose');

    const lost = await home.search('In-person visit');
    await lost.expectFound();
    const last = await lost.offered(/^\d\d:\d\d, /, (await lost.chips().count()) - 1);
    const rival = await caller('new5@practice.example');
    expect((await rival.book(last)).status).toBe(200);
    await lost.chip(last.spoken).click();
    await expectTold(lost.alert(), 'Someone else just took this time.');

    await lost.press('Back');
    const grid = await (await ChooseType.arrive(page)).search('Private visit');
    await grid.expectFound();
    await refuseCalls(page, '**/schedule/hold', 'You have two visits already.');
    await grid.chips().last().click();
    await expectTold(grid.alert(), 'You have two visits already.');
    await page.unroute('**/schedule/hold');

    const { confirm } = await grid.pickFirst();
    await confirm.reason.fill('a second opinion');
    const refused = `Not now. ${'It is long to read. '.repeat(25)}`.trim();
    await refuseCalls(page, '**/agreement/save', refused);
    await (await confirm.nextTo('Warning')).press('I accept the fee');
    await expectTold(confirm.alert(), refused);
    await page.unroute('**/agreement/save');
    const payment = await confirm.toPayment('a second opinion', { warned: true });
    await payment.payWith(practiceCards.declined);
    await expectTold(payment.alert(), /declined/);
    await page.route('**/services/charge', (route) =>
      route.fulfill({
        status: 409,
        json: { success: false, extras: { code: 'slotTaken', message: 'It is taken.' } },
      }),
    );
    await payment.press('Pay Online');
    await expectTold((await SlotGrid.arrive(page)).alert(), 'It is taken.');

    await (await SlotGrid.arrive(page)).press('Back');
    const again = await (await ChooseType.arrive(page)).search('In-person visit');
    await again.expectFound();
    const [here, elsewhere] = [await again.offered(), await again.offered(undefined, 1)];
    const details = await (await again.pick(here)).next('a sore knee');
    const otherDevice = await caller('new4@practice.example');
    await page.route('**/schedule/create', async (route) => {
      expect((await otherDevice.book(elsewhere)).status).toBe(200);
      await route.continue();
    });
    await details.press('Agree');
    await expectTold((await SlotGrid.arrive(page)).alert(), 'This time is no longer held for you.');
  });

  for (const [what, taps, first] of [
    ['the next time', 4, /^Next available: .+ with Dr\. A\. Stone$/],
    ['another time', 5, 'Book again'],
  ] as const)
    testAlone(
      `who comes back books ${what} with ${taps} taps and without scrolling`,
      async ({ page, as }) => {
        await as('casey@practice.example');
        await page.goto('/');
        const home = await ChooseType.arrive(page);
        let done = 0;
        const tap = async (part: Locator) => {
          await expectUncovered(part);
          await part.tap();
          done += 1;
        };
        await tap(home.button(first));
        if (taps === 5) {
          const grid = await SlotGrid.arrive(page);
          await grid.expectFound();
          await tap(grid.chips().first());
        }
        const confirm = await Confirm.arrive(page);
        await tap(confirm.reason);
        await page.keyboard.type('a sore knee');
        await tap(confirm.button('Next'));
        const details = await AppointmentDetails.arrive(page, 'Appointment Details');
        await tap(details.button('Agree'));
        await Booked.arrive(page);
        expect(done).toBe(taps);
      },
    );

  test('one thing is asked at a time, with Next and the first time in reach', async ({
    page,
    atHome,
  }) => {
    const home = await atHome('new9@practice.example');
    await expectUncovered(home.button('Next'));
    await home.type('In-person visit').tap();
    await expect(home.type('In-person visit')).toBeHidden();
    await expect(home.main.getByRole('heading', { name: 'Day' })).toBeFocused();
    await expectUncovered(home.button('Change type'));
    await expectUncovered(home.button('Next'));
    await page.goBack();
    await expect(home.type('In-person visit')).toBeFocused();
    await expect(home.doctor('Earliest available doctor')).toBeHidden();
    await expectUncovered(home.button('Next'));
    await page.goForward();
    await home.doctor('Dr. A. Stone').tap();
    const grid = await home.next();
    await grid.expectFound();
    await expectUncovered(grid.chips().first());
    await page.goBack();
    await expect(home.doctor('Dr. A. Stone')).toBeChecked();
    const long = await home.search('Immigration medical exam (other)', 'Dr. O. Price');
    await long.expectFound();
    await expectUncovered(long.chips().first());
    const { confirm } = await long.pickFirst();
    await expectUncovered(confirm.reason);
    await expectUncovered(confirm.button('Next'));
  });

  for (const [height, email] of [
    [667, 'new6@practice.example'],
    [812, 'new7@practice.example'],
  ] as const)
    test(`the first screen of confirm and of payment says day, time and doctor at ${height} px of height`, async ({
      page,
      atHome,
    }) => {
      await page.setViewportSize({ width: 375, height });
      const grid = await (await atHome(email)).search('Private visit', 'Dr. A. Stone');
      await grid.expectFound();
      const { slot, confirm } = await grid.pickFirst();
      const expectNamed = async (screen: Screen) => {
        for (const words of [new RegExp(`^\\w+ Nov \\d+ 2026 ${slot.time}$`), 'Dr. A. Stone']) {
          // One alone, also for a screen reader.
          const said = screen.main.getByText(words);
          await expect(said).toHaveCount(1);
          await expectUncovered(said);
        }
      };
      await expectNamed(confirm);
      await expectNamed(await confirm.toPayment('a second opinion', { warned: true }));
    });

  // Shows: 8.alerts.6, 8.alerts.9, R-30, R-36, R-39
  test('what comes of a press on step 3 is in view and has the focus, and the reason is asked first', async ({
    page,
    atHome,
  }) => {
    const grid = await (await atHome('new8@practice.example')).search('In-person visit');
    // Also of what the page asks for by itself, until the calls are refused.
    await page.route('**/schedule/hold', async (route) => {
      const answer = await route.fetch();
      const { extras } = (await answer.json()) as {
        extras: { hold: { expiresAt: number } | null };
      };
      const hold = extras.hold && { ...extras.hold, expiresAt: extras.hold.expiresAt - 8 * 60 };
      await route
        .fulfill({ response: answer, json: { success: true, extras: { ...extras, hold } } })
        // Asked for before the route went, and answered after.
        .catch(() => {});
    });
    const { confirm } = await grid.pickFirst();
    await expectUncovered(confirm.reason);
    await expectUncovered(confirm.button('Keep it longer'));
    await refuseCalls(page, '**/schedule/hold', 'Not now.');
    await confirm.press('Keep it longer');
    await expectTold(confirm.alert(), 'Not now.');
    await page.unroute('**/schedule/hold');
    await confirm.press('Keep it longer');
    // Also while it is being kept: what stands below moves up only when the notice goes.
    await expect(confirm.button(/^Keep/)).toBeHidden();

    await confirm.press('Next');
    await expectTold(confirm.alert(), 'Please enter the reason for your appointment');
    for (const [call, words] of [
      ['**/me/appointments*', 'Error occurred on second validation.'],
      ['**/services/appstate*', 'Cannot get selected appointment state.'],
      ['**/schedule/create', 'Error ocurred while booking the appointment.'],
    ] as const) {
      const details = await confirm.next('a sore knee');
      await page.route(call, (route) => route.fulfill({ status: 422, json: {} }));
      await details.press('Agree');
      await expectTold(confirm.alert(), words);
      await page.unroute(call);
    }

    const details = await confirm.next('a sore knee');
    await page.route('**/schedule/create', (route) =>
      route.fulfill({
        status: 409,
        json: { success: false, extras: { code: 'slotTaken', message: 'It is taken.' } },
      }),
    );
    await details.press('Agree');
    await expectTold((await SlotGrid.arrive(page)).alert(), 'It is taken.');
  });

  // Shows: 8.account.1, 8.cancel.1
  test('what comes of a press in My Appointments and My Account is in view and has the focus', async ({
    page,
    as,
  }) => {
    await as('casey@practice.example');
    await page.goto('/appointments');
    const appointments = await Appointments.arrive(page);
    const question = await appointments.cancel(appointments.cards('Upcoming').first());
    await page.setViewportSize({ width: 375, height: 667 });
    await expectUncovered(question.main.getByText('Tue Nov 24 2026 08:00'));
    await expectUncovered(question.main.getByText(/^Dr\. /));
    await page.setViewportSize({ width: 375, height: 812 });
    await refuseCalls(page, '**/api/schedule/*', 'Too late.');
    await question.press('Confirm Cancellation');
    await expectTold(question.alert(), 'Too late.');

    await page.goto('/account');
    const account = await Account.arrive(page);
    await account.edit();
    await refuseCalls(page, '**/api/me', 'Not now.');
    await account.field('City').fill('Burnaby');
    await account.press('Update');
    await expectTold(account.alert(), 'Not now.');
    await account.press('Cancel');

    await refuseCalls(page, '**/api/me/export', 'Not yet.');
    await account.press('Download my data');
    await expectTold(account.main.getByRole('alert').last(), 'Not yet.');

    await account.main.getByRole('link', { name: 'Messages' }).click();
    const messages = await Messages.arrive(page);
    await messages.section().getByRole('button', { name: 'Write to the clinic' }).click();
    await refuseCalls(page, '**/api/message', 'Not now.');
    await messages.write('Your message', 'My knee hurts.');
    await messages.send();
    await expectTold(messages.section().getByRole('alert'), 'Not now.');
  });

  // Shows: 8.login.1
  test('what comes of a press before signing in is in view and has the focus', async ({ page }) => {
    await page.goto('/login');
    const login = await Login.arrive(page);
    await login.logIn('nobody@practice.example', 'not my password');
    await expectTold(login.alert(), 'incorrect');

    await page.goto('/register');
    const signUp = await SignUp.arrive(page);
    await signUp.expectCaptchaSolved();
    await signUp.submit.click();
    await expectTold(signUp.alert(), 'There is a problem');

    await page.goto('/resetPassword');
    const recovery = await Recovery.arrive(page);
    await recovery.identify({ email: 'nobody@practice.example', born: ['17', 'May', '1984'] });
    await expectTold(recovery.alert(), 'There is a problem');
  });
});

test.describe('with text of twice the size', () => {
  test.use({ viewport: { width: 640, height: 900 } });

  test('a person books without scrolling sideways', async ({ page, as }) => {
    await as('new3@practice.example');
    await enlargeText(page, 2);
    await page.goto('/');
    await bookFrom(page);
  });
});
