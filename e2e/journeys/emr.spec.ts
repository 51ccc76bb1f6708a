import type { Page } from '@playwright/test';

import { expect } from '../src/journey.ts';
import { Appointments } from '../src/pages/appointments.ts';
import { Booked } from '../src/pages/booked.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import type { Confirm } from '../src/pages/confirm.ts';
import { expectMail } from '../src/pages/mailbox.ts';
import { practiceCards } from '../src/pages/payment.ts';
import { SlotGrid, type OfferedSlot } from '../src/pages/slot-grid.ts';
import { test } from '../src/practice-emr.ts';

const testAlone = test.extend({ alone: true });

const MONDAY = '2026-11-23';
const ON_MONDAY = /^\d\d:\d\d, Mon Nov 23, Dr\. A\. Stone$/;
const CONFIRMING = 'The clinic is confirming your appointment';

interface Picked {
  readonly slot: OfferedSlot;
  readonly confirm: Confirm;
}

async function pickMonday(home: ChooseType, page: Page, type = 'In-person visit'): Promise<Picked> {
  await home.search(type, 'Dr. A. Stone');
  return (await SlotGrid.arrive(page)).pickFirst(ON_MONDAY);
}

async function upcoming(page: Page): Promise<Appointments> {
  await page.goto('/appointments');
  return Appointments.arrive(page);
}

/** My Appointments, Reschedule, Yes: a time on Monday for the appointment that moves. */
async function pickInstead(page: Page): Promise<Picked> {
  const appointments = await upcoming(page);
  const question = await appointments.reschedule(appointments.cards('Upcoming').first());
  await question.press('Yes, reschedule appointment');
  return pickMonday(await ChooseType.arrive(page), page);
}

// Shows: R-94
test('an appointment is booked once the EMR has it', async ({ page, atHome, emr }) => {
  const { slot, confirm } = await pickMonday(await atHome('new1@practice.example'), page);
  await confirm.book('a cough');
  expect(await emr.at(slot, MONDAY)).toHaveLength(1);
  await expectMail(page, 'new1@practice.example', new RegExp(`Mon Nov 23 2026 ${slot.time}`));
  const appointments = await upcoming(page);
  await expect(appointments.cards('Upcoming')).toContainText(`Mon Nov 23 2026 ${slot.time}`);
});

// Shows
test('what the EMR has booked without saying so is checked until it is known', async ({
  page,
  atHome,
  emr,
}) => {
  const { slot, confirm } = await pickMonday(await atHome('new2@practice.example'), page);
  await emr.change({ faults: { loseNextAnswer: 'written' } });
  await (await confirm.next('a cough')).press('Agree');
  await expect(page.getByText('We are checking').first()).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Appointment booked', {
    timeout: 60_000,
  });
  await Booked.arrive(page);
  expect(await emr.at(slot, MONDAY)).toHaveLength(1);
});

// Shows: R-94
testAlone(
  'what the EMR never wrote ends as not booked and not charged, and the patient reads so',
  async ({ page, atHome, emr, clinic }) => {
    const home = await atHome('new1@practice.example');
    const { slot, confirm } = await pickMonday(home, page, 'Private visit');
    const payment = await confirm.toPayment('a cough', { warned: true });
    await emr.change({ faults: { loseNextAnswer: 'notWritten' } });
    await payment.payWith(practiceCards.good);
    await expect(page.getByText('We are checking').first()).toBeVisible();
    const card = (await upcoming(page)).card(CONFIRMING);
    await expect(card).toContainText(`Mon Nov 23 2026 ${slot.time}`);
    await expect(card.getByRole('button')).toHaveText('Give up this appointment');
    await clinic.advance(31 * 60);
    const mail = await expectMail(page, 'new1@practice.example', /Your appointment is not booked/);
    expect(mail).toContain('It is not booked, and you have not been charged:');
    expect(await emr.at(slot, MONDAY)).toEqual([]);
    expect(await clinic.command('check-invariants')).toContain('All invariants hold.');
  },
);

// Shows: R-94
test('what the clinic is confirming is given up, there too', async ({ page, atHome, emr }) => {
  const { slot, confirm } = await pickMonday(await atHome('new3@practice.example'), page);
  const details = await confirm.next('a cough');
  await emr.change({ faults: { silent: true } });
  await details.press('Agree');
  await expect(page.getByText('We are checking').first()).toBeVisible();
  const appointments = await upcoming(page);
  await appointments
    .card(CONFIRMING)
    .getByRole('button', { name: 'Give up this appointment' })
    .click();
  await expect(appointments.says('No upcoming appointments')).toBeVisible();
  await emr.change({ faults: { silent: false } });
  await emr.expectNone(slot, MONDAY);
});

test('a time that the staff take in between leads back to the times, and what was typed is kept', async ({
  page,
  atHome,
  emr,
}) => {
  const { slot, confirm } = await pickMonday(await atHome('new4@practice.example'), page);
  await emr.change({ faults: { staffBooksInBetween: true } });
  await (await confirm.next('a sore knee')).press('Agree');
  const grid = await SlotGrid.arrive(page);
  await expect(grid.alert()).toContainText('Someone else just took this time.');
  expect((await emr.at(slot, MONDAY)).map(({ key }) => key)).toEqual([
    expect.stringMatching(/^staff:/),
  ]);
  await expect(grid.chip(slot.spoken)).toHaveCount(0);
  const again = await grid.pickFirst(ON_MONDAY);
  await expect(again.confirm.reason).toHaveValue('a sore knee');
  await again.confirm.book('a sore knee');
});

// Shows
test('an answer that the browser does not hear is asked for again, and nothing is booked twice', async ({
  page,
  atHome,
  emr,
}) => {
  const { slot, confirm } = await pickMonday(await atHome('new5@practice.example'), page);
  const details = await confirm.next('a cough');
  await page.route(
    '**/api/schedule/create',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await details.agree();
  expect(await emr.at(slot, MONDAY)).toHaveLength(1);
  await expect((await upcoming(page)).cards('Upcoming')).toHaveCount(1);
});

// Shows: R-94
test('while the EMR is offline times are searched as of when it answered, and the same page books once it is back', async ({
  page,
  atHome,
  emr,
}) => {
  const home = await atHome('new6@practice.example');
  await emr.goOffline();
  const { slot, confirm } = await pickMonday(home, page);
  const paused = page.getByText(/^Times as of \d\d:\d\d\. We cannot reach the clinic’s system/);
  await expect(paused).toBeVisible();
  await confirm.reason.fill('a cough');
  await confirm.press('Next');
  await expect(confirm.alert()).toContainText('Not booked yet');
  await expect(confirm.alert()).toContainText('Please try again later or call the clinic.');
  await expect(confirm.reason).toHaveValue('a cough');
  expect(await emr.at(slot, MONDAY)).toEqual([]);
  await emr.change({ faults: { offline: false }, sync: true });
  await expect(paused).toBeHidden();
  await confirm.book('a cough');
  expect(await emr.at(slot, MONDAY)).toHaveLength(1);
});

test('an appointment that moves stands at its new time alone, in the EMR too', async ({
  page,
  as,
  emr,
}) => {
  await as('casey@practice.example');
  const { slot, confirm } = await pickInstead(page);
  await confirm.book('a sore knee');
  await expect(page.getByRole('heading', { name: 'Appointment rescheduled' })).toBeVisible();
  expect(await emr.at(slot, MONDAY)).toHaveLength(1);
  await emr.expectNone({ ...slot, time: '08:00' }, '2026-11-24');
});

test('a move that the EMR has made without saying so is checked until it is known', async ({
  page,
  as,
  emr,
}) => {
  await as('vera@practice.example');
  const appointments = await upcoming(page);
  const question = await appointments.reschedule(appointments.cards('Upcoming').first());
  await question.press('Yes, reschedule appointment');
  const home = await ChooseType.arrive(page);
  const { slot, confirm } = await pickMonday(home, page, 'Private visit');
  await emr.change({ faults: { loseNextAnswer: 'written' } });
  await (await confirm.next('a sore knee')).press('Agree');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Appointment rescheduled', {
    timeout: 60_000,
  });
  expect(await emr.at(slot, MONDAY)).toHaveLength(1);
  await expect((await upcoming(page)).cards('Upcoming')).toHaveCount(1);
});

test('an appointment that is cancelled is cancelled in the EMR', async ({ page, atHome, emr }) => {
  const { slot, confirm } = await pickMonday(await atHome('new7@practice.example'), page);
  await confirm.book('a cough');
  const appointments = await upcoming(page);
  const question = await appointments.cancel(appointments.cards('Upcoming').first());
  await question.press('Confirm Cancellation');
  await expect((await Appointments.arrive(page)).says('No upcoming appointments')).toBeVisible();
  expect(await emr.at(slot, MONDAY)).toEqual([]);
});

test('a cancellation whose answer is lost is asked for again', async ({ page, atHome, emr }) => {
  const { slot, confirm } = await pickMonday(await atHome('new8@practice.example'), page);
  await confirm.book('a cough');
  const appointments = await upcoming(page);
  const question = await appointments.cancel(appointments.cards('Upcoming').first());
  await emr.change({ faults: { loseNextAnswer: 'written' } });
  await question.press('Confirm Cancellation');
  await expect((await Appointments.arrive(page)).says('No upcoming appointments')).toBeVisible();
  expect(await emr.at(slot, MONDAY)).toEqual([]);
});
