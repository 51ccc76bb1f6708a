import type { Page } from '@playwright/test';

import { expectAccessible } from '../src/accessible.ts';
import { test } from '../src/fake-oscar.ts';
import { expect } from '../src/journey.ts';
import { keyboardOf } from '../src/keyboard.ts';
import { AppointmentDetails } from '../src/pages/appointment-details.ts';
import { Appointments } from '../src/pages/appointments.ts';
import type { ChooseType } from '../src/pages/choose-type.ts';
import type { Confirm } from '../src/pages/confirm.ts';
import { DeskBooking } from '../src/pages/desk-booking.ts';
import { Dialog } from '../src/pages/dialog.ts';
import { expectMail } from '../src/pages/mailbox.ts';
import { type Payment, practiceCards } from '../src/pages/payment.ts';
import { type OfferedSlot, SlotGrid } from '../src/pages/slot-grid.ts';
import { signInAtDesk } from '../src/sign-in-at-desk.ts';
import { stopClock } from '../src/waiting.ts';

const MONDAY = '2026-11-23';
const ON_MONDAY = /^\d\d:\d\d.*, Mon Nov 23, Dr\. H\. Marchetti$/;
/** What staff do is here within a minute. */
const MINUTE = 60;

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
testAlone(
  'the first booking of a new patient opens their record in OSCAR, and stands where staff move it on its day sheet',
  async ({ page, atHome, sheet, clinic }) => {
    const home = await atHome('new1@practice.example');
    const { slot, confirm } = await pick(home, page, 0, 'In-person visit');
    await (await toDetails(confirm, page, 'a cough')).agree();
    await sheet.show(MONDAY);
    await expect(sheet.item(slot.time)).toContainText(/In-person visit, To do/);
    await expect(sheet.item(slot.time)).toContainText(
      'a cough · Booked online, leave this: [claim:',
    );
    await expectMail(page, 'new1@practice.example', new RegExp(`Mon Nov 23 2026 ${slot.time}`));
    const appointments = await upcoming(page);
    await expect(appointments.cards('Upcoming')).toContainText(slot.time);
    await sheet.move(MONDAY, slot.time, '16:40');
    await clinic.advance(MINUTE);
    await expect(appointments.cards('Upcoming')).toContainText('16:40');
    const mail = await expectMail(page, 'new1@practice.example', /moved|rescheduled/i);
    for (const time of [slot.time, '16:40']) expect(mail).toContain(time);
  },
);

// Shows: R-94
testAlone(
  'a payment that OSCAR is down for too long to confirm ends as not booked and not charged, and the patient reads so',
  async ({ page, atHome, sheet, clinic }) => {
    await page.clock.install();
    const home = await atHome('new1@practice.example');
    const { slot, confirm } = await pick(home, page, 0, 'Private visit');
    const payment = await toPayment(confirm, page);
    await sheet.answers(false);
    // On a slow machine the page is told to ask again before the card was charged.
    const isCharged = page.waitForResponse(
      async (answer) =>
        answer.url().endsWith('/services/charge') &&
        (await answer.text()).includes('"clinicConfirming"'),
    );
    await payment.payWith(practiceCards.good);
    await expect(page.getByText('We are checking').first()).toBeVisible();
    await isCharged;
    // The page's minute of asking stands still while the clinic does what is due.
    const advance = async (minutes: number) => {
      await stopClock(page);
      await clinic.advance(minutes * 60);
      await page.clock.resume();
    };
    // In two steps, between which the open page asks, or its session would be over.
    await advance(16);
    await (await page.waitForRequest('**/api/services/charge')).response();
    await advance(15);
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
testAlone(
  'a paid appointment that staff cancel is cancelled on the open page, and paid back',
  async ({ page, atHome, sheet, clinic }) => {
    const home = await atHome('new1@practice.example');
    const { slot, confirm } = await pick(home, page, 5, 'Private visit');
    await (await toPayment(confirm, page)).payAndBook();
    const appointments = await upcoming(page);
    await expect(appointments.cards('Upcoming')).toContainText(slot.time);
    await sheet.cancel(MONDAY, slot.time);
    await clinic.advance(MINUTE);
    await expect(appointments.says('No upcoming appointments')).toBeVisible();
    const mail = await expectMail(page, 'new1@practice.example', /Your appointment is cancelled/);
    expect(mail).toContain('CAD 200.00');
  },
);

// Shows: S-18, R-98
testAlone(
  'a receptionist books a caller whom only OSCAR knows, and has its schedule read, by keyboard',
  async ({ page, clinic, sheet }) => {
    await signInAtDesk(page, clinic.url, 'robin@practice.example', `/desk/day/${MONDAY}`);
    const booking = new DeskBooking(page);
    const { press, tabTo } = keyboardOf(page);
    await booking.search('harcourt mina');
    const found = booking.dialog.getByRole('list', { name: 'In the EMR' });
    await expect(found.getByRole('button', { name: /^harcourt, mina/i })).toBeFocused();
    await expectAccessible(page);
    await press('Enter');
    await booking.atTimes();
    await expect(booking.dialog).toContainText('They have no account');
    const [, time = ''] = /(\d\d:\d\d)/.exec((await booking.inHand.textContent()) ?? '') ?? [];
    await booking.take();
    const outcome = page.getByRole('alert');
    await expect(outcome).toContainText('Nobody is told by email: tell them now.');
    await expect(page.getByRole('button', { name: /harcourt, mina/i })).toBeVisible();
    await sheet.show(MONDAY);
    await expect(sheet.item(time)).toContainText(/harcourt/i);

    // What was read a minute ago is not read again.
    await clinic.advance(2 * MINUTE);
    await page.goto('/desk/schedule');
    await tabTo('button', 'Read now');
    await press('Enter');
    await expect(page.getByText('The next two weeks are being read.')).toBeVisible();
    await expectAccessible(page);
  },
);
