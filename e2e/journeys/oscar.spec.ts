import type { Page } from '@playwright/test';

import { test } from '../src/fake-oscar.ts';
import { expect } from '../src/journey.ts';
import { AppointmentDetails } from '../src/pages/appointment-details.ts';
import { Appointments } from '../src/pages/appointments.ts';
import { Booked } from '../src/pages/booked.ts';
import type { ChooseType } from '../src/pages/choose-type.ts';
import type { Confirm } from '../src/pages/confirm.ts';
import { Dialog } from '../src/pages/dialog.ts';
import { expectMail } from '../src/pages/mailbox.ts';
import { type Payment, practiceCards } from '../src/pages/payment.ts';
import { type OfferedSlot, SlotGrid } from '../src/pages/slot-grid.ts';

const MONDAY = '2026-11-23';
const ON_MONDAY = /^\d\d:\d\d.*, Mon Nov 23, Dr\. H\. Marchetti$/;
/** What staff do is here within a minute. */
const WITHIN_A_MINUTE = { timeout: 60_000 };

/** It moves the clinic's clock. */
const testAlone = test.extend({ alone: true });

interface Picked {
  readonly slot: OfferedSlot;
  readonly confirm: Confirm;
}

/** A time of Dr. Marchetti on Monday, each journey another. */
async function pick(home: ChooseType, page: Page, nth: number, type: string): Promise<Picked> {
  await home.search(type, 'Dr. H. Marchetti');
  const grid = await SlotGrid.arrive(page);
  const slot = await grid.offered(ON_MONDAY, nth);
  return { slot, confirm: await grid.pick(slot) };
}

/** The first booking of an account asks who its doctor is: then OSCAR has a record of the patient. */
async function toDetails(confirm: Confirm, page: Page, reason: string) {
  await confirm.reason.fill(reason);
  await (await confirm.nextTo('Family Doctor')).press('No');
  return AppointmentDetails.arrive(page, 'Appointment Details');
}

async function upcoming(page: Page): Promise<Appointments> {
  await page.goto('/appointments');
  return Appointments.arrive(page);
}

// Shows: R-94
test('the first booking of a new patient opens their record in OSCAR, and stands on its day sheet', async ({
  page,
  atHome,
  sheet,
}) => {
  const home = await atHome('new1@practice.example');
  const { slot, confirm } = await pick(home, page, 0, 'In-person visit');
  await (await toDetails(confirm, page, 'a cough')).agree();
  await sheet.show(MONDAY);
  await expect(sheet.item(slot.time)).toContainText(/In-person visit, To do/);
  await expect(sheet.item(slot.time)).toContainText('a cough · [claim:');
  await expectMail(page, 'new1@practice.example', new RegExp(`Mon Nov 23 2026 ${slot.time}`));
});

// Shows: R-94
test('a time that staff take while the patient confirms leads back to the times, with what was typed', async ({
  page,
  atHome,
  sheet,
}) => {
  const home = await atHome('new2@practice.example');
  const { slot, confirm } = await pick(home, page, 2, 'In-person visit');
  const details = await toDetails(confirm, page, 'a sore knee');
  await sheet.book(MONDAY, slot.time);
  await details.press('Agree');
  const grid = await SlotGrid.arrive(page);
  await expect(grid.alert()).toContainText('Someone else just took this time.');
  await expect(grid.chip(slot.spoken)).toHaveCount(0);
  await sheet.show(MONDAY);
  await expect(sheet.item(slot.time)).toHaveCount(1);
  const again = await grid.pickFirst(ON_MONDAY);
  await expect(again.confirm.reason).toHaveValue('a sore knee');
  await again.confirm.book('a sore knee');
});

// Shows: R-94
test('while OSCAR is down nothing is booked, and the same page books once it is back', async ({
  page,
  atHome,
  sheet,
}) => {
  const home = await atHome('new3@practice.example');
  const { slot, confirm } = await pick(home, page, 4, 'In-person visit');
  const details = await toDetails(confirm, page, 'a cough');
  await sheet.answers(false);
  await details.press('Agree');
  await expect(confirm.alert()).toContainText('Please try again later or call the clinic.');
  await expect(confirm.reason).toHaveValue('a cough');
  await sheet.show(MONDAY);
  await expect(sheet.item(slot.time)).toHaveCount(0);
  await sheet.answers(true);
  await confirm.book('a cough');
  await sheet.show(MONDAY);
  await expect(sheet.item(slot.time)).toHaveCount(1);
});

// Shows: R-94
test('while OSCAR is down nobody pays for what it does not have: the payment waits, and books once it is back', async ({
  page,
  atHome,
  sheet,
  clinic,
}) => {
  const home = await atHome('new4@practice.example');
  const { slot, confirm } = await pick(home, page, 6, 'Private visit');
  const payment = await toPayment(confirm, page);
  await sheet.answers(false);
  await payment.payWith(practiceCards.good);
  await expect(page.getByText('We are checking').first()).toBeVisible();
  await sheet.answers(true);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment Received', {
    timeout: 60_000,
  });
  await sheet.show(MONDAY);
  await expect(sheet.item(slot.time)).toHaveCount(1);
  expect(await clinic.command('check-invariants')).toContain('All invariants hold.');
});

// Shows: R-94
testAlone(
  'a payment that OSCAR is down for too long to confirm ends as not booked and not charged, and the patient reads so',
  async ({ page, atHome, sheet, clinic }) => {
    const home = await atHome('new1@practice.example');
    const { slot, confirm } = await pick(home, page, 0, 'Private visit');
    const payment = await toPayment(confirm, page);
    await sheet.answers(false);
    await payment.payWith(practiceCards.good);
    await expect(page.getByText('We are checking').first()).toBeVisible();
    // In two steps, between which the open page asks, or its session would be over.
    await clinic.advance(16 * 60);
    await (await page.waitForRequest('**/api/services/charge')).response();
    await clinic.advance(15 * 60);
    const grid = await SlotGrid.arrive(page);
    await expect(grid.alert()).toContainText(
      'This time could not be booked, and you have not been charged. Please choose a time again.',
    );
    const mail = await expectMail(page, 'new1@practice.example', /Your appointment is not booked/);
    expect(mail).toContain('It is not booked, and you have not been charged:');
    expect(mail).toContain(`Mon Nov 23 2026 ${slot.time}`);
    await sheet.answers(true);
    await sheet.show(MONDAY);
    await expect(sheet.item(slot.time)).toHaveCount(0);
    expect(await clinic.command('check-invariants')).toContain('All invariants hold.');
  },
);

async function toPayment(confirm: Confirm, page: Page): Promise<Payment> {
  await (await confirm.nextWarned('a cough')).press('I accept the fee');
  await (await Dialog.arrive(page, 'Family Doctor')).press('No');
  return (await AppointmentDetails.arrive(page, 'Appointment Details')).agreeToPay();
}

// Shows
test('a paid appointment that staff cancel is cancelled on the open page, and paid back', async ({
  page,
  atHome,
  sheet,
}) => {
  const home = await atHome('new5@practice.example');
  const { slot, confirm } = await pick(home, page, 5, 'Private visit');
  await (await toPayment(confirm, page)).payAndBook();
  const appointments = await upcoming(page);
  await expect(appointments.cards('Upcoming')).toContainText(slot.time);
  await sheet.cancel(MONDAY, slot.time);
  await expect(appointments.says('No upcoming appointments')).toBeVisible(WITHIN_A_MINUTE);
  const mail = await expectMail(page, 'new5@practice.example', /Your appointment is cancelled/);
  expect(mail).toContain('CAD 200.00');
});

// Shows: R-94
test('an appointment that staff move stands at its new time on the open page, and an email names both', async ({
  page,
  atHome,
  sheet,
}) => {
  const home = await atHome('new6@practice.example');
  const { slot, confirm } = await pick(home, page, 3, 'In-person visit');
  await (await toDetails(confirm, page, 'a cough')).agree();
  await Booked.arrive(page);
  const appointments = await upcoming(page);
  await expect(appointments.cards('Upcoming')).toContainText(slot.time);
  await sheet.move(MONDAY, slot.time, '16:40');
  await expect(appointments.cards('Upcoming')).toContainText('16:40', WITHIN_A_MINUTE);
  const mail = await expectMail(page, 'new6@practice.example', /moved|rescheduled/i);
  for (const time of [slot.time, '16:40']) expect(mail).toContain(time);
});
