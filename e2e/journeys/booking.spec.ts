import { expect, test } from '../src/journey.ts';
import { keyboardOf } from '../src/keyboard.ts';
import { Appointments } from '../src/pages/appointments.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { expectMail } from '../src/pages/mailbox.ts';

// Shows: 1.audience.1, 1.can.2, 2.routes.1, 2.choose-type.2, 2.confirm.1, 2.booked.2
test('a covered patient books with the earliest available doctor and with one doctor, and sees both visits', async ({
  page,
  atHome,
}) => {
  const home = await atHome('new1@practice.example');
  const grid = await home.search('In-person visit');
  await expect(
    page.getByRole('heading', { name: 'Booking In-person visit: Come to the clinic' }),
  ).toBeVisible();
  await grid.expectFound('Available times on Sat Nov 21');
  await expect(grid.says('Please scroll down to view more.')).toBeVisible();
  await expect(grid.column('Provider A. Stone')).toBeVisible();

  const first = await grid.pickFirst(/^11:\d\d, Sat Nov 21, Dr\. A\. Stone$/);
  const when = `Sat Nov 21 2026 ${first.slot.time}`;
  await expect(first.confirm.fact('Time')).toHaveText(when);
  await expect(first.confirm.fact('Provider')).toHaveText('Dr. A. Stone');
  await expect(first.confirm.fact('Type')).toContainText('In-person visit');
  await expect(first.confirm.fact('Patient')).toHaveText('Ari Newcomer');
  await expect(
    first.confirm.says(
      'Only the patient, a guardian or immediate family may book this appointment. Booking for anyone else is not allowed.',
    ),
  ).toBeVisible();
  const details = await first.confirm.next('a cough for two weeks');
  await expect(details.box).toContainText(`${when}, Dr. A. Stone`);
  const booked = await details.agree();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Appointment booked');
  await expect(booked.sentence).toHaveText(`In-person visit with Dr. A. Stone on ${when}.`);

  const file = await booked.calendarFile();
  expect(file.name).toBe('appointment.ics');
  const hourUtc = `20261121T18${first.slot.time.slice(3)}00Z`;
  expect(file.text).toContain(`DTSTART:${hourUtc}\r\n`);
  expect(file.text).not.toContain('VTIMEZONE');

  const mail = await expectMail(page, 'new1@practice.example', /./);
  expect(mail).toContain(when);
  expect(mail).not.toContain('a cough for two weeks');

  await page.goto('/');
  const again = await ChooseType.arrive(page);
  const days = await again.search('In-person visit', 'Dr. A. Stone');
  await expect(
    page.getByRole('heading', {
      name: 'Booking In-person visit with A. Stone: Come to the clinic',
    }),
  ).toBeVisible();
  await days.expectFound('Available times from Sat Nov 21 to Thu Nov 26');
  const second = await days.pickFirst(/^08:\d\d, Mon Nov 23, Dr\. A\. Stone$/);
  await (await second.confirm.book('the same cough')).press('Return to Home');
  const atEnd = await ChooseType.arrive(page);

  await atEnd.shell.tab('My Appointments').click();
  const appointments = await Appointments.arrive(page);
  await expect(appointments.cards('Upcoming')).toHaveCount(2);
  await expect(appointments.cards('Upcoming').first()).toContainText(when);
  await expect(appointments.cards('Upcoming').last()).toContainText(
    `Mon Nov 23 2026 ${second.slot.time}`,
  );
});

// Shows: 1.can.8
test('a phone consultation says that the provider will call', async ({ page, atHome }) => {
  const home = await atHome('new2@practice.example');
  const grid = await home.search('Phone consultation');
  await expect(
    page.getByRole('heading', { name: 'Booking Phone consultation: Our provider will call you' }),
  ).toBeVisible();
  const { confirm } = await grid.pickFirst(/^14:\d\d, Sat Nov 21/);
  const details = await confirm.next('to talk about results');
  await expect(details.box).toContainText(
    'For a phone consultation, keep your phone at hand: our provider will call you.',
  );
  const booked = await details.agree();
  await expect(
    booked.says('Keep your phone nearby at that time: our provider will call you.'),
  ).toBeVisible();
  await expect(booked.main).not.toContainText('Arrive 15 minutes early.');
});

test('a person books with the keyboard alone', async ({ page, atHome }) => {
  await atHome('new3@practice.example');
  const { press, tabTo } = keyboardOf(page);

  await press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the main content' })).toBeFocused();
  await press('Enter');
  await tabTo('radio', 'In-person visit');
  await press('Space');
  await tabTo('radio', 'Earliest available doctor');
  await press('Space');
  await tabTo('button', 'Next');
  await press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: /^Booking / })).toBeFocused();

  await tabTo('button', /^\d\d:\d\d, Sat Nov 21, Dr\. A\. Stone$/);
  await press('ArrowDown', 'ArrowDown', 'ArrowUp');
  const chosen = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  expect(chosen).toMatch(/^11:\d\d, Sat Nov 21, Dr\. A\. Stone$/);
  await press('Enter');
  await expect(
    page.getByRole('heading', { level: 1, name: 'Confirm your appointment' }),
  ).toBeFocused();

  await tabTo('textbox', 'Reason for your appointment');
  await page.keyboard.type('a sore knee');
  await tabTo('button', 'Next');
  await press('Enter');
  await expect(page.getByRole('heading', { name: 'Appointment Details' })).toBeFocused();
  await press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Next' })).toBeFocused();
  await press('Enter');
  await tabTo('button', 'Agree');
  await press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Appointment booked' })).toBeFocused();
  await expect(page.getByText(`on Sat Nov 21 2026 ${chosen?.slice(0, 5)}.`)).toBeVisible();
});
