import { expect, test } from '../src/journey.ts';
import { Appointments } from '../src/pages/appointments.ts';
import { DeskSchedule } from '../src/pages/desk-schedule.ts';
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
  await schedule.foresee('A. Stone', '12:00');
  await expect(schedule.row(/Newcomer, Ari/)).toContainText('CAD 200.00');
  await expect(desk.getByText('What Newcomer, Ari reads')).toBeVisible();
  await schedule.close();
  await expect(schedule.row(/Newcomer, Ari/)).toContainText('Cancelled');

  // Nobody has loaded the patient's page anew.
  await expect(appointments.cards('Upcoming')).toHaveCount(0);
  await appointments.unfold('Cancelled');
  await expect(appointments.cards('Cancelled')).toContainText('Private visit');
  await expect(desk.getByRole('status')).toContainText('are done', { timeout: 60_000 });
  await expect(schedule.row(/Newcomer, Ari/)).toContainText('given back', { timeout: 60_000 });
  const mail = await expectMail(page, email, /Your appointment is cancelled/);
  expect(mail).toContain(
    'The fee of CAD 200.00 that you paid will be refunded to your card in full.',
  );
  expect(mail).toContain('These times were free when we wrote this');
  await expectMail(page, email, /Your payment has been refunded/);
  await desk.reload();
  await expect(schedule.row(/Newcomer, Ari/)).toContainText('given back');
  await desk.context().close();
});
