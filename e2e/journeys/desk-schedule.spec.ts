import { toInstant } from '@clinic/domain';
import type { Page } from '@playwright/test';

import { expectAccessible } from '../src/accessible.ts';
import { CountedKeys } from '../src/counted-keys.ts';
import { expectNoSidewaysScroll } from '../src/in-view.ts';
import { expect, test } from '../src/journey.ts';
import { Appointments } from '../src/pages/appointments.ts';
import { DeskSchedule, DeskToCall, DeskWeek } from '../src/pages/desk-schedule.ts';
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

/** People who have no account, each with an appointment on the day, booked by staff. */
async function bookWithoutAccounts(page: Page, origin: string): Promise<readonly string[]> {
  const post = async <T>(path: string, data: object): Promise<T> => {
    const headers = { origin, 'idempotency-key': crypto.randomUUID() };
    const answer = await page.request.post(`${origin}/api/desk/${path}`, { headers, data });
    expect(await answer.text()).toMatch(/"success":true/);
    return ((await answer.json()) as { extras: T }).extras;
  };
  for (const [at, [firstName, number]] of Object.entries(PEOPLE).entries()) {
    const { recordId } = await post<{ recordId: string }>('patients', {
      requestId: crypto.randomUUID(),
      firstName,
      lastName: 'Uncalled',
      birthDate: `195${at}-03-02`,
      card: { province: 'BC', number },
      phone: `604555014${at}`,
    });
    await post(`book/${recordId}`, {
      type: 'O',
      providerId: '101',
      start: toInstant(THURSDAY, `11:${at}0`),
      overrideReason: 'urgent',
    });
  }
  return Object.keys(PEOPLE).map((firstName) => `Uncalled, ${firstName}`);
}

/** First names and health cards. */
const PEOPLE = { Abe: '9210010115', Bo: '9210010226', Cy: '9210010337', Di: '9210010448' };
/** After the last day on which somebody has an appointment. */
const THURSDAY = '2026-12-03';

// Shows: S-18, R-124
test('a day of patients without an account is closed: staff call and rebook them, a colleague sees it, and paper has the rest', async ({
  page,
  browser,
  clinic,
}) => {
  await signInAtDesk(page, clinic.url, 'robin@practice.example', '/desk/schedule');
  const schedule = await DeskSchedule.arrive(page);
  const [abe = '', bo = '', cy = '', di = ''] = await bookWithoutAccounts(page, clinic.url);
  await schedule.closeDay('Dr. A. Stone', THURSDAY);
  const toCall = new DeskToCall(page);
  await expect(toCall.list).toContainText('0 of 4 reached', { timeout: 60_000 });
  for (const [at, name] of [abe, bo, cy, di].entries())
    await expect(toCall.row(name).getByRole('link', { name: /^604/ })).toHaveAttribute(
      'href',
      `tel:+1604555014${at}`,
    );

  const other = await (await browser.newContext({ baseURL: clinic.url })).newPage();
  const path = new URL(page.url()).pathname;
  await signInAtDesk(other, clinic.url, 'morgan@practice.example', path);
  const seen = new DeskToCall(other);
  await toCall.press(abe, 'Reached');
  await toCall.press(bo, 'Message left');
  await toCall.press(cy, 'No answer');
  await expectAccessible(page);
  for (const each of [toCall, seen]) {
    await each.shows(abe, /^Reached\. Robin Lee/);
    await each.shows(bo, /^Message left\. Robin Lee/);
    await each.shows(cy, /^No answer\. Robin Lee/);
    await each.shows(di, /^Not yet/);
  }

  // From the row to a booked appointment, type and provider filled in.
  const keys = new CountedKeys(page);
  const dialog = page.getByRole('dialog', { name: 'Book for Di Uncalled' });
  const rebook = toCall.row(di).getByRole('button', { name: 'Rebook' });
  await rebook.focus();
  await keys.press('Enter');
  const times = dialog.getByRole('listbox', { name: 'Free times' });
  await expect(times).toBeFocused();
  await expect(dialog.getByLabel('Provider')).toHaveValue('101');
  await expect(times.getByRole('option', { selected: true })).toContainText('Dr. A. Stone');
  await keys.press('Enter');
  await expect(page.locator(':focus')).toHaveText('Book this time');
  await keys.press('Enter');
  await expect(dialog.getByRole('alert')).toContainText(/^Booked: .*Dr\. A\. Stone/);
  // Until the call is noted, too, the dialog stays.
  await toCall.shows(di, /^Reached/);
  await keys.press('Escape');
  await expect(rebook).toBeFocused();
  expect(keys.pressed).toBeLessThanOrEqual(5);
  for (const each of [toCall, seen]) {
    await each.shows(di, /^Reached\. Robin Lee/);
    await expect(each.row(di).getByRole('link', { name: /Dr\. A\. Stone/ })).toBeVisible();
    await expect(each.list).toContainText('2 of 4 reached');
  }

  await page.setViewportSize({ width: 375, height: 800 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('navigation')).toBeHidden();
  for (const button of await page.getByRole('button').all()) await expect(button).toBeHidden();
  for (const [at, name] of [bo, cy].entries())
    await expect(toCall.row(name)).toContainText(
      new RegExp(`${name}.*604-555-014${at + 1}.*11:${at + 1}0.*Dr\\. A\\. Stone`),
    );
  for (const name of [abe, di]) await expect(toCall.row(name)).toBeHidden();
  for (const outcome of ['Reached', 'Message left', 'No answer'])
    await expect(toCall.row(bo).getByRole('listitem').filter({ hasText: outcome })).toBeVisible();
  await other.context().close();
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
