import { expect, test } from '../src/journey.ts';
import { Appointments } from '../src/pages/appointments.ts';
import { DeskSchedule, DeskWeek } from '../src/pages/desk-schedule.ts';
import { expectMail } from '../src/pages/mailbox.ts';
import { signInAtDesk } from '../src/sign-in-at-desk.ts';

// Shows: S-18, R-44
test('a doctor is ill at noon: a receptionist closes the afternoon, and the patient sees it, reads why and is paid back', async ({
  page,
  browser,
  clinic,
  atHome,
}) => {
  const email = 'new1@practice.example';
  const home = await atHome(email);
  const grid = await home.search('Private visit', 'Dr. A. Stone');
  const { confirm } = await grid.pickFirst(/Sat Nov 21/);
  const payment = await confirm.toPayment('a sore knee', { warned: true });
  await payment.payAndBook();
  await page.goto('/appointments');
  const appointments = await Appointments.arrive(page);
  await expect(appointments.cards('Upcoming')).toContainText('Private visit');

  const desk = await (await browser.newContext({ baseURL: clinic.url })).newPage();
  await signInAtDesk(desk, clinic.url, 'robin@practice.example', '/desk/schedule');
  const schedule = await DeskSchedule.arrive(desk);
  await schedule.foresee('Dr. A. Stone', '12:00');
  await schedule.change('Dr. A. Stone', '12:00');
  await schedule.showNames();
  await expect(schedule.row(/Newcomer, Ari/)).toContainText('CAD 200.00');
  await expect(schedule.row(/Dr\. H\. Kim/)).toHaveCount(0);
  await expect(desk.getByText('What Newcomer, Ari reads')).toBeVisible();
  await schedule.close();
  await expect(schedule.row(/Newcomer, Ari/)).toContainText('Cancelled');

  // Nobody has loaded the patient's page anew.
  await expect(appointments.cards('Upcoming')).toHaveCount(0);
  await appointments.unfold('Cancelled');
  await expect(appointments.cards('Cancelled')).toContainText('Private visit');
  await expect(desk.getByRole('main').getByRole('status')).toContainText('are done', {
    timeout: 60_000,
  });
  await expect(schedule.row(/Newcomer, Ari/)).toContainText('given back', { timeout: 60_000 });
  const mail = await expectMail(page, email, /Your appointment is cancelled/);
  expect(mail).toContain(
    'The fee of CAD 200.00 that you paid will be refunded to your card in full.',
  );
  expect(mail).toContain('These times were free when we wrote this');
  await expectMail(page, email, /Your payment has been refunded/);
  await desk.reload();
  await expect(schedule.row(/Newcomer, Ari/)).toContainText('given back');
  await schedule.reopen();
  await expect(schedule.row(/Newcomer, Ari/)).toContainText('Cancelled');
  await desk.context().close();
});

// Shows: S-18, R-93
test('a manager paints a working week by keyboard, sees who would stand outside, and saves it', async ({
  page,
  clinic,
}) => {
  await signInAtDesk(page, clinic.url, 'morgan@practice.example', '/desk/schedule/weeks/101');
  const week = await DeskWeek.arrive(page, 'Dr. A. Stone');
  await expect(week.cell('Monday 08:00')).toHaveText('O');
  await week.paint('Monday 11:00', 4, 'Delete');
  await week.paint('Monday 12:00', 2, 'o');
  await expect(week.cell('Monday 11:45')).toHaveText('');
  await expect(week.cell('Monday 12:15')).toHaveText('O');
  await week.foresee();
  await expect(week.outside).toContainText('Not offered at this time');
  await week.save();
  await page.reload();
  await DeskWeek.arrive(page, 'Dr. A. Stone');
  await expect(week.cell('Monday 11:00')).toHaveText('');
  await expect(week.cell('Monday 12:15')).toHaveText('O');
  await expect(week.cell('Tuesday 08:00')).toHaveText('O');

  // One Tuesday alone.
  const tuesday = 'Tuesday, November 24, 2026';
  await week.showDay('2026-11-24');
  await week.paint(`${tuesday} 08:00`, 4, 'Delete');
  await week.foresee();
  await week.save('Save the day');
  await expect(page.getByRole('link', { name: 'Tue Nov 24' })).toBeVisible();
  await expect(week.cell(`${tuesday} 08:45`)).toHaveText('');
});
