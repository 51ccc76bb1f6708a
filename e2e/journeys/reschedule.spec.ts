import type { Page } from '@playwright/test';

import { expect, test, testAlone } from '../src/journey.ts';
import { keyboardOf } from '../src/keyboard.ts';
import { Appointments } from '../src/pages/appointments.ts';
import { Booked } from '../src/pages/booked.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { SlotGrid } from '../src/pages/slot-grid.ts';

const OLD = 'Tue Nov 24 2026 08:00';
const taken = 'Someone else just took this time. Please choose another.';
const notEnded =
  'Appiontment rescheduled successfully but failed to cancel previous appointment, please cancel the appointment in my appointment tab.';

/** My Appointments, Reschedule, Yes: on home with the appointment to move. */
async function atMove(page: Page, card: string): Promise<ChooseType> {
  await page.goto('/appointments');
  const appointments = await Appointments.arrive(page);
  const question = await appointments.reschedule(appointments.card(card));
  await question.press('Yes, reschedule appointment');
  return ChooseType.arrive(page);
}

async function upcoming(page: Page): Promise<readonly string[]> {
  await page.goto('/appointments');
  const appointments = await Appointments.arrive(page);
  await expect(appointments.section('Upcoming')).toBeVisible();
  return appointments.cards('Upcoming').allInnerTexts();
}

testAlone(
  'a visit is moved: the new time stands, the old one is free (§4 Reschedule, R-50, R-51)',
  async ({ page, as, caller }) => {
    await as('casey@practice.example');
    const home = await atMove(page, OLD);
    await expect(
      page.getByRole('heading', { name: 'Reschedule In-person visit Appointment' }),
    ).toBeVisible();
    await expect(home.types()).toHaveCount(1);
    const grid = await home.search('In-person visit');
    await expect(
      page.getByRole('heading', { name: 'Reschedule In-person visit: Come to the clinic' }),
    ).toBeVisible();
    const { slot, confirm } = await grid.pickFirst();
    await confirm.book('a sore knee');
    await expect(page.getByRole('heading', { name: 'Appointment rescheduled' })).toBeVisible();
    await expect(page.getByText(notEnded)).toHaveCount(0);
    const cards = await upcoming(page);
    expect(cards).toHaveLength(1);
    expect(cards[0]).toContain(slot.time);
    const old = { doctor: '101', start: Date.parse('2026-11-24T15:00:00Z') / 1000 };
    expect((await (await caller('new1@practice.example')).book(old)).status).toBe(200);
  },
);

test('what was paid moves with the visit, and nothing is asked again (R-31, R-50)', async ({
  page,
  as,
}) => {
  await as('vera@practice.example');
  const home = await atMove(page, 'Private visit');
  const grid = await home.search('Private visit');
  const { slot, confirm } = await grid.pickFirst();
  await confirm.book('a sore knee');
  await expect(page.getByRole('heading', { name: 'Appointment rescheduled' })).toBeVisible();
  const cards = await upcoming(page);
  expect(cards).toHaveLength(1);
  expect(cards[0]).toContain(slot.time);
  expect(cards[0]).toContain('CAD 200.00');
});

testAlone(
  'the new time is taken by somebody else in between: the old visit stays (R-50)',
  async ({ page, as, clinic, caller }) => {
    await as('casey@practice.example');
    const grid = await (await atMove(page, OLD)).search('In-person visit');
    const { slot, confirm } = await grid.pickFirst();
    const details = await confirm.next('a sore knee');
    const rival = await caller('new2@practice.example');
    await clinic.advance(11 * 60);
    expect((await rival.book(slot)).status).toBe(200);
    await details.press('Agree');
    const again = await SlotGrid.arrive(page);
    await expect(again.alert()).toContainText(taken);
    const cards = await upcoming(page);
    expect(cards).toHaveLength(1);
    expect(cards[0]).toContain(OLD);
  },
);

testAlone(
  'abandoned half-way and reloaded, the old visit stands and the move can go on (R-51)',
  async ({ page, as }) => {
    await as('casey@practice.example');
    const grid = await (await atMove(page, OLD)).search('In-person visit');
    await grid.pickFirst();
    await page.reload();
    const home = await ChooseType.arrive(page);
    await expect(
      page.getByRole('heading', { name: 'Reschedule In-person visit Appointment' }),
    ).toBeVisible();
    const cards = await upcoming(page);
    expect(cards).toHaveLength(1);
    expect(cards[0]).toContain(OLD);
    await page.goBack();
    await ChooseType.arrive(page);
    await expect(home.types()).toHaveCount(1);
    const { confirm } = await (await home.search('In-person visit')).pickFirst();
    await confirm.book('a sore knee');
    await expect(page.getByRole('heading', { name: 'Appointment rescheduled' })).toBeVisible();
    expect(await upcoming(page)).toHaveLength(1);
  },
);

test('a lost answer to the cancelling of the old visit alarms nobody; one that still stands is said (§8, R-50)', async ({
  page,
  as,
  caller,
}) => {
  await as('casey@practice.example');
  await page.route('**/api/schedule/*', (route) =>
    route.request().method() === 'DELETE' ? route.abort() : route.fallback(),
  );
  const grid = await (await atMove(page, OLD)).search('In-person visit');
  const { confirm } = await grid.pickFirst();
  const details = await confirm.next('a sore knee');
  // The list as it was: the old appointment stands.
  const { body } = await (await caller('casey@practice.example')).get('/me/appointments');
  await page.route('**/api/me/appointments*', (route) => route.fulfill({ json: body }));
  await details.press('Agree');
  const booked = await Booked.arrive(page);
  await expect(booked.says(notEnded)).toBeVisible();
  await page.unroute('**/api/me/appointments*');
  const cards = await upcoming(page);
  expect(cards).toHaveLength(1);
  expect(cards[0]).not.toContain(OLD);
});

testAlone('a person moves an appointment with the keyboard alone', async ({ page, as }) => {
  await as('casey@practice.example');
  await page.goto('/appointments');
  await Appointments.arrive(page);
  const { press, tabTo } = keyboardOf(page);
  await tabTo('button', 'Reschedule Appointment');
  await press('Enter');
  await expect(page.getByRole('heading', { name: 'Warning' })).toBeFocused();
  await tabTo('button', 'Yes, reschedule appointment');
  await press('Enter');
  const first = 'Reschedule In-person visit Appointment';
  await expect(page.getByRole('heading', { level: 1, name: first })).toBeFocused();
  await tabTo('radio', 'Earliest available doctor');
  await press('Space');
  await tabTo('button', 'Next');
  await press('Enter');
  const second = 'Reschedule In-person visit: Come to the clinic';
  await expect(page.getByRole('heading', { level: 1, name: second })).toBeFocused();
  await tabTo('button', /^\d\d:\d\d, Sat Nov 21, Dr\. A\. Stone$/);
  await press('ArrowDown');
  const chosen = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  await press('Enter');
  await expect(
    page.getByRole('heading', { level: 1, name: 'Confirm your appointment' }),
  ).toBeFocused();
  await tabTo('textbox', 'Reason for your appointment');
  await press('ControlOrMeta+a');
  await page.keyboard.type('a sore knee');
  await tabTo('button', 'Next');
  await press('Enter');
  await tabTo('button', 'Agree');
  await press('Enter');
  await expect(
    page.getByRole('heading', { level: 1, name: 'Appointment rescheduled' }),
  ).toBeFocused();
  const cards = await upcoming(page);
  expect(cards).toHaveLength(1);
  expect(cards[0]).toContain(`Sat Nov 21 2026 ${chosen?.slice(0, 5)}`);
});
