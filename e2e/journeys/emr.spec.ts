import type { Page } from '@playwright/test';

import { expect } from '../src/journey.ts';
import { Appointments } from '../src/pages/appointments.ts';
import { Booked } from '../src/pages/booked.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import type { Confirm } from '../src/pages/confirm.ts';
import { expectMail } from '../src/pages/mailbox.ts';
import { SlotGrid, type OfferedSlot } from '../src/pages/slot-grid.ts';
import { test } from '../src/practice-emr.ts';

const testAlone = test.extend({ alone: true });

const MONDAY = '2026-11-23';
const TUESDAY = '2026-11-24';
const ON_MONDAY = /^\d\d:\d\d, Mon Nov 23, Dr\. A\. Stone$/;
const ON_TUESDAY = /^\d\d:\d\d, Tue Nov 24, Dr\. A\. Stone$/;
const CONFIRMING = 'The clinic is confirming your appointment';
const SENT = 'Cancellation sent to the clinic, which has not confirmed it yet';
const CHANGED = 'The clinic has changed this appointment in the meantime';
/** So long after it was asked, what became of a booking is asked for. */
const UNKNOWN_SECONDS = 10;

interface Picked {
  readonly slot: OfferedSlot;
  readonly confirm: Confirm;
}

async function pick(home: ChooseType, page: Page, when: RegExp): Promise<Picked> {
  await home.search('In-person visit', 'Dr. A. Stone');
  return (await SlotGrid.arrive(page)).pickFirst(when);
}

async function upcoming(page: Page): Promise<Appointments> {
  await page.goto('/appointments');
  return Appointments.arrive(page);
}

/** An appointment on Tuesday: it may still be moved and cancelled. */
async function booked(home: ChooseType, page: Page): Promise<OfferedSlot> {
  const { slot, confirm } = await pick(home, page, ON_TUESDAY);
  await confirm.book('a cough');
  return slot;
}

/** My Appointments, Cancel: the screen that asks once more. */
async function askToCancel(page: Page) {
  const appointments = await upcoming(page);
  return appointments.cancel(appointments.cards('Upcoming').first());
}

// Shows
testAlone(
  'what the EMR has booked, then moved, without saying so is checked until it is known',
  async ({ page, context, atHome, emr, clinic }) => {
    const first = await pick(await atHome('new1@practice.example'), page, ON_TUESDAY);
    await emr.change({ faults: { loseNextAnswer: 'written' } });
    await (await first.confirm.next('a cough')).press('Agree');
    await expect(page.getByText('We are checking').first()).toBeVisible();
    await clinic.advance(UNKNOWN_SECONDS);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Appointment booked');
    await Booked.arrive(page);
    expect(await emr.at(first.slot, TUESDAY)).toHaveLength(1);

    const appointments = await upcoming(page);
    const question = await appointments.reschedule(appointments.cards('Upcoming').first());
    await question.press('Yes, reschedule appointment');
    const { slot, confirm } = await pick(await ChooseType.arrive(page), page, ON_MONDAY);
    await emr.change({ faults: { loseNextAnswer: 'written' } });
    await (await confirm.next('a cough')).press('Agree');
    await expect(page.getByText('We are checking').first()).toBeVisible();
    const elsewhere = await context.newPage();
    const both = await upcoming(elsewhere);
    await expect(both.card(CONFIRMING)).toContainText(`Mon Nov 23 2026 ${slot.time}`);
    await expect(both.cards('Upcoming')).toHaveCount(2);
    await elsewhere.close();
    await clinic.advance(UNKNOWN_SECONDS);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Appointment rescheduled');
    await Booked.arrive(page);
    expect(await emr.at(slot, MONDAY)).toHaveLength(1);
    await clinic.advance(60);
    await emr.expectNone(first.slot, TUESDAY);
    const cards = (await upcoming(page)).cards('Upcoming');
    await expect(cards).toHaveCount(1);
    await expect(cards).toContainText(`Mon Nov 23 2026 ${slot.time}`);
  },
);

// Shows: R-94
test('what the clinic is confirming is given up, there too', async ({ page, atHome, emr }) => {
  const { slot, confirm } = await pick(await atHome('new2@practice.example'), page, ON_MONDAY);
  const details = await confirm.next('a cough');
  await emr.change({ faults: { loseNextAnswer: 'written' } });
  await details.press('Agree');
  await expect(page.getByText('We are checking').first()).toBeVisible();
  const appointments = await upcoming(page);
  const card = appointments.card(CONFIRMING);
  await expect(card).toContainText(`Mon Nov 23 2026 ${slot.time}`);
  await expect(card.getByRole('button')).toHaveText('Give up this appointment');
  await card.getByRole('button').click();
  await expect(appointments.says('No upcoming appointments')).toBeVisible();
  await emr.expectNone(slot, MONDAY);
});

// Shows: R-94
test('while the EMR is offline times are searched as of when it answered, and the same page books once it is back', async ({
  page,
  atHome,
  emr,
}) => {
  const home = await atHome('new3@practice.example');
  await emr.goOffline();
  const { slot, confirm } = await pick(home, page, ON_MONDAY);
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

testAlone(
  'a cancellation while the EMR is offline is sent to the clinic, which hears of it later',
  async ({ page, atHome, emr, clinic }) => {
    const slot = await booked(await atHome('new1@practice.example'), page);
    const question = await askToCancel(page);
    await emr.change({ faults: { offline: true } });
    await question.press('Confirm Cancellation');
    // What is announced goes after ten seconds.
    await expect(page.getByText(/Your cancellation is sent to the clinic/).first()).toBeVisible();
    const appointments = await Appointments.arrive(page);
    const card = appointments.card(SENT);
    await expect(card).toContainText(`Tue Nov 24 2026 ${slot.time}`);
    await expect(card.getByRole('button')).toHaveCount(0);
    await emr.change({ faults: { offline: false } });
    await clinic.advance(60);
    await expect(appointments.says('No upcoming appointments')).toBeVisible();
    expect(await emr.at(slot, TUESDAY)).toEqual([]);
    await expectMail(page, 'new1@practice.example', /Your appointment is cancelled/);
  },
);

test('an appointment that the staff have registered is not cancelled, and shown as it stands', async ({
  page,
  atHome,
  emr,
}) => {
  const slot = await booked(await atHome('new4@practice.example'), page);
  const question = await askToCancel(page);
  const [entry] = await emr.at(slot, TUESDAY);
  await emr.change({ staffNote: { key: entry?.key ?? '', state: 'arrived' } });
  await question.press('Confirm Cancellation');
  await expect(page.getByText(CHANGED).first()).toBeVisible();
  const appointments = await Appointments.arrive(page);
  await expect(appointments.card('Registered at the clinic')).toContainText(slot.time);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  expect(await emr.at(slot, TUESDAY)).toHaveLength(1);
});
