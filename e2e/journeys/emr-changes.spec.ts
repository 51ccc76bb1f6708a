import type { Page } from '@playwright/test';

import { expect } from '../src/journey.ts';
import { Appointments } from '../src/pages/appointments.ts';
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

interface Picked {
  readonly slot: OfferedSlot;
  readonly confirm: Confirm;
}

async function upcoming(page: Page): Promise<Appointments> {
  await page.goto('/appointments');
  return Appointments.arrive(page);
}

/** An appointment on Tuesday: it may still be moved and cancelled. */
async function booked(home: ChooseType, page: Page): Promise<OfferedSlot> {
  await home.search('In-person visit', 'Dr. A. Stone');
  const { slot, confirm } = await (await SlotGrid.arrive(page)).pickFirst(ON_TUESDAY);
  await confirm.book('a cough');
  return slot;
}

/** My Appointments, Reschedule, Yes: a time on Monday for the appointment that moves. */
async function pickInstead(page: Page): Promise<Picked> {
  const appointments = await upcoming(page);
  const question = await appointments.reschedule(appointments.cards('Upcoming').first());
  await question.press('Yes, reschedule appointment');
  const home = await ChooseType.arrive(page);
  await home.search('In-person visit', 'Dr. A. Stone');
  return (await SlotGrid.arrive(page)).pickFirst(ON_MONDAY);
}

/** My Appointments, Cancel: the screen that asks once more. */
async function askToCancel(page: Page) {
  const appointments = await upcoming(page);
  return appointments.cancel(appointments.cards('Upcoming').first());
}

async function expectStanding(page: Page, { time }: OfferedSlot): Promise<void> {
  const cards = (await upcoming(page)).cards('Upcoming');
  await expect(cards).toHaveCount(1);
  await expect(cards).toContainText(`Tue Nov 24 2026 ${time}`);
}

test('while the EMR is offline nothing moves, and the appointment stands', async ({
  page,
  atHome,
  emr,
}) => {
  const old = await booked(await atHome('new1@practice.example'), page);
  const { slot, confirm } = await pickInstead(page);
  const details = await confirm.next('a cough');
  await emr.change({ faults: { offline: true } });
  await details.press('Agree');
  await expect(page.getByText(/nothing was changed/).first()).toBeVisible();
  await emr.change({ faults: { offline: false } });
  expect([(await emr.at(old, TUESDAY)).length, await emr.at(slot, MONDAY)]).toEqual([1, []]);
  await expectStanding(page, old);
});

test('a new time that the staff take in between leads back to the times, and the appointment stands', async ({
  page,
  atHome,
  emr,
}) => {
  const old = await booked(await atHome('new2@practice.example'), page);
  const { confirm } = await pickInstead(page);
  await emr.change({ faults: { staffBooksInBetween: true } });
  await (await confirm.next('a cough')).press('Agree');
  const grid = await SlotGrid.arrive(page);
  await expect(grid.alert()).toContainText('Someone else just took this time.');
  expect(await emr.at(old, TUESDAY)).toHaveLength(1);
  const again = await grid.pickFirst(ON_MONDAY);
  await again.confirm.book('a cough');
  await emr.expectNone(old, TUESDAY);
  expect(await emr.at(again.slot, MONDAY)).toHaveLength(1);
});

// Shows
test('a move whose answer is lost ends at the new time alone, here and in the EMR', async ({
  page,
  atHome,
  emr,
}) => {
  const old = await booked(await atHome('new3@practice.example'), page);
  const { slot, confirm } = await pickInstead(page);
  await emr.change({ faults: { loseNextAnswer: 'written' } });
  await (await confirm.next('a cough')).press('Agree');
  await expect(page.getByText('We are checking').first()).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Appointment rescheduled', {
    timeout: 60_000,
  });
  expect(await emr.at(slot, MONDAY)).toHaveLength(1);
  await expect.poll(() => emr.at(old, TUESDAY), { timeout: 40_000 }).toEqual([]);
  const cards = (await upcoming(page)).cards('Upcoming');
  await expect(cards).toHaveCount(1);
  await expect(cards).toContainText(`Mon Nov 23 2026 ${slot.time}`);
});

// Shows: R-94
testAlone(
  'a move that the EMR never wrote leaves the appointment as it stood, and the patient reads so',
  async ({ page, atHome, emr, clinic }) => {
    const old = await booked(await atHome('new1@practice.example'), page);
    const { slot, confirm } = await pickInstead(page);
    await emr.change({ faults: { loseNextAnswer: 'notWritten' } });
    await (await confirm.next('a cough')).press('Agree');
    await expect(page.getByText('We are checking').first()).toBeVisible();
    const appointments = await upcoming(page);
    await expect(appointments.card(CONFIRMING)).toContainText(`Mon Nov 23 2026 ${slot.time}`);
    await expect(appointments.cards('Upcoming')).toHaveCount(2);
    await clinic.advance(31 * 60);
    const mail = await expectMail(page, 'new1@practice.example', /Your appointment is not booked/);
    expect(mail).toContain(`${old.time} Pacific time stands as before.`);
    expect([(await emr.at(old, TUESDAY)).length, await emr.at(slot, MONDAY)]).toEqual([1, []]);
    expect(await clinic.command('check-invariants')).toContain('All invariants hold.');
  },
);

test('an appointment that the staff changed before it was moved is shown as it stands', async ({
  page,
  atHome,
  emr,
}) => {
  const old = await booked(await atHome('new4@practice.example'), page);
  const { slot, confirm } = await pickInstead(page);
  const details = await confirm.next('a cough');
  const [entry] = await emr.at(old, TUESDAY);
  await emr.change({ staffNote: { key: entry?.key ?? '', state: 'arrived' } });
  await details.press('Agree');
  const appointments = await Appointments.arrive(page);
  await expect(page.getByText(CHANGED).first()).toBeVisible();
  await expect(appointments.card('Registered at the clinic')).toContainText(old.time);
  expect(await emr.at(slot, MONDAY)).toEqual([]);
});

test('a cancellation while the EMR is offline is sent to the clinic, which hears of it later', async ({
  page,
  atHome,
  emr,
}) => {
  const slot = await booked(await atHome('new5@practice.example'), page);
  const question = await askToCancel(page);
  await emr.change({ faults: { offline: true } });
  await question.press('Confirm Cancellation');
  const appointments = await Appointments.arrive(page);
  await expect(page.getByText(/Your cancellation is sent to the clinic/).first()).toBeVisible();
  const card = appointments.card(SENT);
  await expect(card).toContainText(`Tue Nov 24 2026 ${slot.time}`);
  await expect(card.getByRole('button')).toHaveCount(0);
  await emr.change({ faults: { offline: false } });
  await expect(appointments.says('No upcoming appointments')).toBeVisible({ timeout: 40_000 });
  expect(await emr.at(slot, TUESDAY)).toEqual([]);
  await expectMail(page, 'new5@practice.example', /Your appointment is cancelled/);
});

test('an appointment that the staff have registered is not cancelled, and shown as it stands', async ({
  page,
  atHome,
  emr,
}) => {
  const slot = await booked(await atHome('new6@practice.example'), page);
  const question = await askToCancel(page);
  const [entry] = await emr.at(slot, TUESDAY);
  await emr.change({ staffNote: { key: entry?.key ?? '', state: 'arrived' } });
  await question.press('Confirm Cancellation');
  const appointments = await Appointments.arrive(page);
  await expect(page.getByText(CHANGED).first()).toBeVisible();
  await expect(appointments.card('Registered at the clinic')).toContainText(slot.time);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  expect(await emr.at(slot, TUESDAY)).toHaveLength(1);
});
