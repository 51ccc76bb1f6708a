import { expectAccessible } from '../src/accessible.ts';
import { expect, test, testAlone } from '../src/journey.ts';
import { keyboardOf } from '../src/keyboard.ts';
import { callerAs } from '../src/caller.ts';
import { Appointments } from '../src/pages/appointments.ts';
import { DeskBooking } from '../src/pages/desk-booking.ts';
import { DeskPatients } from '../src/pages/desk-patients.ts';
import { expectMail } from '../src/pages/mailbox.ts';
import { signInAtDesk } from '../src/sign-in-at-desk.ts';
import { practicePassword, signIn } from '../src/sign-in.ts';

const DAY = '/desk/day/2026-11-21';
const KAYAS_CARD = '9461382721';

// Shows: S-18, R-98
test('a receptionist books by phone in a few keys, moves it, and goes beyond a rule with a reason', async ({
  page,
  context,
  clinic,
  take,
}) => {
  take('new1@practice.example');
  await signInAtDesk(page, clinic.url, 'robin@practice.example', DAY);
  const booking = new DeskBooking(page);
  const { press, tabTo, answer } = keyboardOf(page);
  const colleague = await context.newPage();
  await colleague.goto(DAY);
  await expect(colleague.getByRole('group', { name: 'Appointments by provider' })).toBeVisible();

  await booking.find('newcomer ari');
  await booking.take();
  const outcome = page.getByRole('alert');
  await expect(outcome).toContainText(/Booked: .*, Sat Nov 21/);
  await expect(page.getByLabel(/^Another of the family/)).toBeFocused();
  await expect(colleague.getByRole('button', { name: /Newcomer, Ari/ })).toBeVisible();

  // What the patient would have read online is read out.
  await tabTo('button', 'The patient agrees');
  await expectAccessible(page);
  await press('Enter');
  const noted = outcome.filter({ hasText: 'Noted: read out by you, and the patient agrees.' });
  await expect(noted).toBeFocused();

  await tabTo('button', 'Show the day');
  await press('Enter');
  const panel = page.getByRole('complementary', { name: 'Newcomer, Ari' });
  await expect(panel.getByRole('heading', { name: 'Newcomer, Ari' })).toBeFocused();
  const entry = page.getByRole('button', { name: /Newcomer, Ari/ });
  const before = await entry.textContent();
  await tabTo('button', 'Move');
  await press('Enter');
  await booking.atTimes();
  await press('ArrowDown', 'ArrowDown');
  await booking.take('Move to this time');
  await expect(outcome).toContainText('It is less than 24 hours ahead');
  await expectAccessible(page);
  await answer('Why?', 'It is urgent');
  await tabTo('button', 'Move all the same');
  await press('Enter');
  await expect(outcome).toContainText('Moved to Sat Nov 21');
  await expect(outcome).toBeFocused();
  await expect(entry).not.toHaveText(before ?? '');
  await expect(colleague.getByRole('button', { name: /Newcomer, Ari/ })).not.toHaveText(
    before ?? '',
  );

  // By mouse: it is dropped on a free time of somebody else, and moves once that is confirmed.
  await booking.dragTo(entry, 'L. Romero');
  await expect(booking.focused).toHaveText('Move to this time');
  await expectAccessible(page);
  await press('Enter');
  await answer('Why?', 'It is urgent');
  await tabTo('button', 'Move all the same');
  await press('Enter');
  await expect(outcome).toContainText(/Moved to Sat Nov 21 .*, Dr. L. Romero/);
  await expect(
    page.getByRole('region', { name: 'L. Romero' }).getByRole('button', { name: /Newcomer, Ari/ }),
  ).toBeVisible();
});

// Shows: S-18, R-97, R-98
test('a caller whom nobody knows has a record opened and is booked and moved, and later finds the time in an account', async ({
  page,
  context,
  clinic,
}) => {
  await signInAtDesk(page, clinic.url, 'robin@practice.example', DAY);
  const booking = new DeskBooking(page);
  const { press, tabTo, answer } = keyboardOf(page);
  const outcome = page.getByRole('alert');

  await booking.search('kaya lind');
  await expect(booking.dialog.getByText('Nobody was found.')).toBeVisible();
  await expectAccessible(page);
  await tabTo('button', 'New patient: kaya lind');
  await press('Enter');
  await expect(page.getByLabel('First name')).toHaveValue('Kaya');
  await expect(page.getByLabel('Last name')).toHaveValue('Lind');
  await page.getByLabel('Birth date', { exact: true }).fill('1948-09-14');
  await answer('Health card of', 'BC');
  await answer('Number of the card', KAYAS_CARD);
  await expectAccessible(page);
  await tabTo('button', 'Open the record and book');
  await press('Enter');
  await booking.atTimes();
  await expect(booking.dialog).toContainText('They have no account');
  await booking.take();
  await expect(outcome).toContainText('Nobody is told by email: tell them now.');
  await expectAccessible(page);
  await press('Escape');

  await booking.find('lind kaya');
  await expect(booking.dialog.getByRole('heading', { name: 'Already booked' })).toBeVisible();
  await press('Escape');
  await page.goto(DAY);
  const entry = page.getByRole('button', { name: /Lind, Kaya/ });
  await entry.focus();
  await press('Enter');
  const before = await entry.textContent();
  await tabTo('button', 'Move');
  await press('Enter');
  await booking.atTimes();
  await press('ArrowDown', 'ArrowDown');
  await booking.take('Move to this time');
  await expect(outcome).toContainText('It is less than 24 hours ahead');
  await answer('Why?', 'It is urgent');
  await tabTo('button', 'Move all the same');
  await press('Enter');
  await expect(outcome).toContainText('Nobody is told by email: tell them now.');
  await expect(entry).not.toHaveText(before ?? '');

  await page.goto('/desk/patients');
  const patients = await DeskPatients.arrive(page);
  await patients.open('lind kaya');
  await patients.expectOpen('Kaya Lind');
  await tabTo('button', 'Invite to an account');
  await press('Enter');
  await answer('Email', 'kaya.lind@practice.example');
  await press('Enter');
  await patients.expectOutcome('The invitation is on its way to kaya.lind@practice.example');
  const patient = await context.newPage();
  const mail = await expectMail(patient, 'kaya.lind@practice.example', /Your account/);
  await patient.goto(/\/confirm\/account#[\w-]+/.exec(mail)?.[0] ?? 'no link');
  await patient.getByLabel('Day', { exact: true }).fill('14');
  await patient.getByLabel('Month', { exact: true }).selectOption('September');
  await patient.getByLabel('Year', { exact: true }).fill('1948');
  await patient.getByLabel('Health card number').fill(KAYAS_CARD);
  await patient.getByLabel('Choose a password', { exact: true }).fill(practicePassword);
  await patient.getByLabel('I have read this and agree to it.').check();
  await patient.getByRole('button', { name: 'Open my account' }).click();
  await expect(patient.getByText('Your account is open.')).toBeVisible();
  const kaya = await callerAs(clinic.url, 'kaya.lind@practice.example');
  const { body } = await kaya.get('/me/appointments');
  const { appointments } = body as { appointments: { status: string }[] };
  expect(appointments.map(({ status }) => status).toSorted()).toEqual(['booked', 'cancelled']);

  await page.goto(DAY);
  await entry.focus();
  await press('Enter');
  await tabTo('button', 'Cancel appointment');
  await press('Enter');
  await expect(page.getByRole('dialog')).toContainText('The patient is told by email');
  await expectAccessible(page);
});

// Shows: R-125
testAlone(
  'what a receptionist booked by phone and undid comes and goes on the page of the patient, and is not mailed',
  async ({ page, browser, clinic }) => {
    const email = 'new1@practice.example';
    const home = await browser.newContext({ baseURL: clinic.url });
    await signIn(home, clinic.url, email);
    const patient = await home.newPage();
    await patient.goto('/appointments');
    const appointments = await Appointments.arrive(patient);
    await expect(appointments.cards('Upcoming')).toHaveCount(0);

    await signInAtDesk(page, clinic.url, 'robin@practice.example', DAY);
    const booking = new DeskBooking(page);
    const { press, tabTo } = keyboardOf(page);
    await booking.find('newcomer ari');
    await booking.take();
    await expect(page.getByRole('alert')).toContainText(/Booked: .*, Sat Nov 21/);
    await expect(booking.dialog).toContainText('No email has gone out yet');
    await expect(appointments.cards('Upcoming')).toHaveCount(1);
    await tabTo('button', 'Undo');
    await expectAccessible(page);
    await press('Enter');
    await expect(page.getByRole('alert')).toContainText('Undone: Ari Newcomer');
    await expect(appointments.cards('Upcoming')).toHaveCount(0);
    await press('Escape');
    await expect(page.getByRole('button', { name: /Newcomer, Ari/ })).toHaveCount(0);

    // What is sent later comes to the mailbox, and nothing before it.
    await clinic.advance(60);
    await booking.find('newcomer ari');
    await booking.take();
    await expect(page.getByRole('alert')).toContainText(/Booked: .*, Sat Nov 21/);
    await clinic.advance(60);
    await expectMail(patient, email, /Your appointment is booked/);
    const mailbox = await (await patient.request.get('/practice/mail')).text();
    expect(mailbox.split(`To ${email},`)).toHaveLength(2);
    await home.close();
  },
);
