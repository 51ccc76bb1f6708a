import type { Page } from '@playwright/test';

import { picture } from '../src/attached-files.ts';
import { type Caller, callerAs } from '../src/caller.ts';
import { expect, testAlone } from '../src/journey.ts';
import { DeskBooking } from '../src/pages/desk-booking.ts';
import { DeskMessages } from '../src/pages/desk-messages.ts';
import { DeskOffice } from '../src/pages/desk-office.ts';
import { DeskPatients } from '../src/pages/desk-patients.ts';
import { DeskSchedule } from '../src/pages/desk-schedule.ts';
import { Appointments } from '../src/pages/appointments.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { expectMail } from '../src/pages/mailbox.ts';
import { deskCode, signInAtDesk } from '../src/sign-in-at-desk.ts';
import { practicePassword, signIn } from '../src/sign-in.ts';

const DAY = '/desk/day/2026-11-21';
const ROBIN = 'robin@practice.example';
const PATIENT = 'new2@practice.example';
const ILL = '101';
/** From the ordinary morning to a quarter to twelve. */
const TO_NOON_SECONDS = 2.75 * 3_600;
/** Of the afternoon of that day, 13:00 clinic time. */
const AFTERNOON = Date.parse('2026-11-21T21:00:00Z') / 1_000;
const STEP_SECONDS = 300;
const BOOKED_BY_STAFF = 15;
/** So many patients have an appointment on the afternoon that is closed, at least. */
const AFFECTED = 30;

const screen = (page: Page, name: string | RegExp) =>
  page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name }).click();

// Shows: S-18, R-44
testAlone('a day of a receptionist, a patient and a manager', async ({ page, browser, clinic }) => {
  testAlone.slow();
  const patient = await callerAs(clinic.url, PATIENT);
  const patientPage = await (await browser.newContext({ baseURL: clinic.url })).newPage();
  await signIn(patientPage.context(), clinic.url, PATIENT);

  // The morning: the sheet of the day, and a caller on the line.
  await signInAtDesk(page, clinic.url, ROBIN, DAY);
  const booking = new DeskBooking(page);
  await booking.find('newcomer ari');
  await booking.take();
  await expect(page.getByRole('alert')).toContainText(/Booked: .*, Sat Nov 21/);
  expect(booking.keys).toBeLessThanOrEqual(12);
  await page.getByRole('button', { name: 'Show the day' }).click();

  // A patient books, pays, and stands on the open sheet.
  const home = await openHome(patientPage);
  const grid = await home.search('Private visit', 'Dr. A. Stone');
  const { confirm } = await grid.pickFirst(/Sat Nov 21/);
  await (await confirm.toPayment('a sore knee', { warned: true })).payAndBook();
  const entry = page.getByRole('button', { name: /Newcomer, Bea/ });
  await expect(entry).toContainText('Fee paid');

  // What she uploads is refused with a reason, which she reads, and sent again.
  expect((await upload(clinic.url, patient)).status).toBe(200);
  await screen(page, 'Patients');
  const patients = await DeskPatients.arrive(page);
  await patients.open('newcomer bea');
  await patients.expectOpen('Bea Newcomer');
  await page.getByRole('button', { name: 'Refuse' }).click();
  await page.getByLabel('Why?').fill('The number cannot be read.');
  await page.getByRole('button', { name: 'Refuse' }).last().click();
  await patients.expectOutcome('Refused. The patient reads why');
  const mail = await expectMail(patientPage, PATIENT, /We need your document again/);
  expect(mail).toContain('The number cannot be read.');
  expect((await upload(clinic.url, patient)).status).toBe(200);
  await page.reload();
  const sentAgain = patients
    .section('Documents')
    .getByRole('listitem')
    .filter({ hasNotText: 'The number cannot be read.' });
  await sentAgain.getByRole('button', { name: 'Accept' }).click();
  await patients.expectOutcome('Accepted.');

  // One comes, another does not.
  await screen(page, 'Day');
  await page.getByRole('button', { name: /Newcomer, Ari/ }).click();
  await page.getByRole('button', { name: 'Arrived', exact: true }).click();
  await expect(page.getByRole('button', { name: /Newcomer, Ari/ })).toContainText('Arrived');
  await clinic.advance(TO_NOON_SECONDS);
  await unlock(page);
  const missing = page.getByRole('button', { name: /Expected/ }).first();
  const who = (await missing.locator('b').textContent()) ?? '';
  await missing.click();
  await page.getByRole('button', { name: 'Did not come' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Did not come' }).click();
  await expect(page.getByRole('alert')).toContainText('Did not come');
  expect(who).not.toBe('');

  // At noon the doctor is ill.
  await bookAfternoon(page, clinic.url);
  await screen(page, 'Schedule');
  const schedule = await DeskSchedule.arrive(page);
  await schedule.foresee('Dr. A. Stone', '12:00');
  await schedule.showNames();
  await expect(schedule.row(/,/)).not.toHaveCount(0);
  expect(await schedule.row(/,/).count()).toBeGreaterThanOrEqual(AFFECTED);
  await page.getByRole('button', { name: /^Close this time/ }).click();
  await page.getByLabel('Code of your app').fill(await deskCode(clinic.url, ROBIN));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /^Closed: / })).toBeFocused();
  await clinic.advance(60);
  await expect(page.getByRole('main').getByRole('status')).toContainText('are done');
  await expect(schedule.row(/Newcomer, Bea/)).toContainText('given back');
  const later = await browser.newContext({ baseURL: clinic.url });
  await signIn(later, clinic.url, PATIENT);
  const laterPage = await later.newPage();
  await laterPage.goto('/appointments');
  const appointments = await Appointments.arrive(laterPage);
  await expect(appointments.cards('Upcoming')).toHaveCount(0);
  await expectMail(laterPage, PATIENT, /Your appointment is cancelled/);
  await expectMail(laterPage, PATIENT, /Your payment has been refunded/);

  // She asks, and is answered.
  const again = await callerAs(clinic.url, PATIENT);
  expect((await again.write('When can I come instead?')).status).toBe(200);
  await screen(page, /^Messages/);
  const inbox = await DeskMessages.arrive(page);
  const message = await inbox.open('Newcomer, Bea', 'When can I come instead?');
  await message.getByLabel('Your answer').fill('On Monday at nine.');
  await message.getByRole('button', { name: 'Send answer' }).click();
  await expect(inbox.outcome).toContainText('Sent.');
  await expectMail(laterPage, PATIENT, /replied to your message/);

  // In the evening the manager reads what the day was.
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Front desk' })).toBeVisible();
  await signInAtDesk(page, clinic.url, 'morgan@practice.example', '/desk');
  const office = new DeskOffice(page);
  await office.open('Reports');
  const attendance = await office.pictureAsTable('No-show rate');
  await expect(attendance).toContainText(/[1-9]/);
  const cancelled = await office.pictureAsTable('Cancelled and moved, by whom');
  await expect(cancelled).toContainText(/[3-9]\d/);
  await office.open('Money');
  const payments = await office.table('Payments');
  await expect(payments.getByRole('row').filter({ hasText: 'Newcomer, Bea' })).toContainText(
    'Given back',
  );
  await later.close();
  await patientPage.context().close();
});

async function openHome(page: Page): Promise<ChooseType> {
  await page.goto('/');
  return ChooseType.arrive(page);
}

async function upload(url: string, { token }: Caller): Promise<Response> {
  const form = new FormData();
  const { buffer, mimeType, name } = picture('card.png');
  form.set('isHealthCard', 'true');
  form.set('file', new Blob([new Uint8Array(buffer)], { type: mimeType }), name);
  const headers = { 'x-access-token': token };
  return fetch(`${url}/api/message/upload`, { method: 'POST', headers, body: form });
}

async function unlock(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'The screen is locked' })).toBeVisible();
  await page.getByLabel('Your password or a new code').fill(practicePassword);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Lock' })).toBeVisible();
}

/** Colleagues have been on the phone too: they book what is free of the afternoon, beyond its types. */
async function bookAfternoon(page: Page, url: string): Promise<void> {
  const ask = async (path: string, data: object) => {
    const key = { 'idempotency-key': crypto.randomUUID() };
    const headers = { origin: url, 'content-type': 'application/json', ...key };
    return page.request.post(`${url}/api/desk/${path}`, { data, headers });
  };
  const found = await ask('patients/find', { text: 'newcomer' });
  const { extras } = (await found.json()) as { extras: { patients: { patientId: string }[] } };
  const others = extras.patients.slice(2);
  let booked = 0;
  for (let at = 0; booked < BOOKED_BY_STAFF && at < 60; at += 1) {
    const made = await ask(`book/${others[at % others.length]?.patientId}`, {
      type: 'O',
      providerId: ILL,
      start: AFTERNOON + at * STEP_SECONDS,
      overrideReason: 'urgent',
    });
    if (made.ok()) booked += 1;
  }
  expect(booked).toBe(BOOKED_BY_STAFF);
}
