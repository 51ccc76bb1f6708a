import type { Page } from '@playwright/test';

import { picture } from '../src/attached-files.ts';
import { expectAccessible } from '../src/accessible.ts';
import { expect, test } from '../src/journey.ts';
import { keyboardOf } from '../src/keyboard.ts';
import { DeskPatients } from '../src/pages/desk-patients.ts';
import { expectMail } from '../src/pages/mailbox.ts';
import { signInAtDesk } from '../src/sign-in-at-desk.ts';
import { practicePassword } from '../src/sign-in.ts';

const PATIENTS = '/desk/patients';

// Shows: S-18
test('a receptionist finds a patient, says why, refuses a document and corrects an email, by keyboard', async ({
  page,
  context,
  clinic,
  caller,
}) => {
  const { token } = await caller('new2@practice.example');
  const form = new FormData();
  const card = picture('card.png');
  form.set('isHealthCard', 'true');
  form.set('file', new Blob([new Uint8Array(card.buffer)], { type: card.mimeType }), card.name);
  const headers = { 'x-access-token': token };
  const sent = await fetch(`${clinic.url}/api/message/upload`, {
    method: 'POST',
    headers,
    body: form,
  });
  expect(sent.status).toBe(200);

  await signInAtDesk(page, clinic.url, 'robin@practice.example', PATIENTS);
  const patients = await DeskPatients.arrive(page);
  await expect(patients.waiting.getByRole('link', { name: 'Newcomer, Bea' })).toBeVisible();
  await patients.open('newcomer bea');
  // Her document waits, so nobody asks why.
  await patients.expectOpen('Bea Newcomer');

  const { press, tabTo, answer } = keyboardOf(page);
  const who = patients.section('Who they are');
  await tabTo('button', 'Show number');
  await press('Enter');
  await expect(who.getByRole('status')).toHaveText(/^9\d{9}$/);
  await tabTo('button', 'Show');
  await press('Enter');
  await expect(page.getByRole('img', { name: 'The picture of Health card' })).toBeVisible();
  await expectAccessible(page);
  await tabTo('button', 'Refuse');
  await press('Enter');
  await answer('Why?', 'The number cannot be read.');
  await expectAccessible(page);
  await press('Tab', 'Enter');
  await patients.expectOutcome('Refused. The patient reads why');
  await expect(patients.section('Documents')).toContainText('The number cannot be read.');

  await tabTo('button', 'Correct email');
  await press('Enter');
  await tabTo('radio', 'I saw a photo ID');
  await press('Space');
  await answer('New email', 'bea.new@practice.example');
  await expectAccessible(page);
  await tabTo('button', 'Send the link');
  await press('Enter');
  await patients.expectOutcome('The link is on its way to bea.new@practice.example');
  await expect(patients.section('How to reach them')).toContainText('new2@practice.example');

  const patient = await context.newPage();
  await expectMail(patient, 'new2@practice.example', /We need your document again/);
  const told = await expectMail(
    patient,
    'new2@practice.example',
    /Your email address is being changed/,
  );
  const mail = await expectMail(patient, 'bea.new@practice.example', /confirm your new email/);
  await patient.goto(/\/confirm\/account#[\w-]+/.exec(mail)?.[0] ?? 'no link');
  await expect(patient.getByRole('heading', { name: 'A link from the clinic' })).toBeVisible();
  await patient.getByLabel('Day', { exact: true }).fill('3');
  await patient.getByLabel('Month', { exact: true }).selectOption('February');
  await patient.getByLabel('Year', { exact: true }).fill('1990');
  await expectAccessible(patient);
  await patient.getByRole('button', { name: 'Confirm my email address' }).click();
  await expect(patient.getByText('Your new email address is confirmed.')).toBeVisible();
  await expectAccessible(patient);
  await patient.goto(/\/confirm\/change#[\w-]+/.exec(told)?.[0] ?? 'no link');
  await expect(patient.getByRole('heading', { name: 'Another email address' })).toBeVisible();
  await expectAccessible(patient);
  await patient.getByRole('button', { name: 'Yes, I asked for it' }).click();
  await expect(patient.getByText('Thank you.')).toBeVisible();

  await page.reload();
  // Who has just opened the record is not asked why.
  await patients.expectOpen('Bea Newcomer');
  await expect(patients.section('How to reach them')).toContainText('bea.new@practice.example');
});

// Shows: R-97
test('somebody new has a record opened, is invited, and takes it over', async ({
  page,
  context,
  clinic,
}) => {
  await signInAtDesk(page, clinic.url, 'morgan@practice.example', PATIENTS);
  const patients = await DeskPatients.arrive(page);
  const { press, tabTo, answer } = keyboardOf(page);
  await tabTo('button', 'New patient');
  await press('Enter');
  await answer('First name', 'Ola');
  await answer('Last name', 'Berg');
  await page.getByLabel('Birth date', { exact: true }).fill('1951-03-02');
  await expectAccessible(page);
  await tabTo('button', 'Open the record');
  await press('Enter');
  await patients.expectOpen('Ola Berg');
  await tabTo('button', 'Invite to an account');
  await press('Enter');
  await answer('Email', 'ola.berg@practice.example');
  await press('Enter');
  await patients.expectOutcome('The invitation is on its way to ola.berg@practice.example');

  const patient = await context.newPage();
  const mail = await expectMail(patient, 'ola.berg@practice.example', /Your account/);
  await patient.goto(/\/confirm\/account#[\w-]+/.exec(mail)?.[0] ?? 'no link');
  await patient.getByLabel('Day', { exact: true }).fill('2');
  await patient.getByLabel('Month', { exact: true }).selectOption('March');
  await patient.getByLabel('Year', { exact: true }).fill('1951');
  await patient.getByLabel('Choose a password', { exact: true }).fill(practicePassword);
  await patient.getByLabel('I have read this and agree to it.').check();
  await expectAccessible(patient);
  await patient.getByRole('button', { name: 'Open my account' }).click();
  await expect(patient.getByText('Your account is open.')).toBeVisible();
  await patient.getByRole('main').getByRole('link', { name: 'Log in' }).click();

  await page.reload();
  await patients.expectOpen('Ola Berg');
  await expect(patients.section('How to reach them')).toContainText('ola.berg@practice.example');
});

// Shows: S-18, R-122
test('a receptionist keeps the card of somebody without an account, by keyboard, and reads the alert before the times', async ({
  page,
  clinic,
}) => {
  await signInAtDesk(page, clinic.url, 'robin@practice.example', PATIENTS);
  const patients = await DeskPatients.arrive(page);
  const { press, tabTo, answer } = keyboardOf(page);
  await tabTo('button', 'New patient');
  await press('Enter');
  await answer('First name', 'Ida');
  await answer('Last name', 'Holm');
  await page.getByLabel('Birth date', { exact: true }).fill('1962-07-08');
  await tabTo('button', 'Open the record');
  await press('Enter');
  await patients.expectOpen('Ida Holm');

  await tabTo('button', 'Add an alert');
  await press('Enter');
  await answer('Text', 'Deaf in the left ear.');
  await expectAccessible(page);
  await tabTo('button', 'Save');
  await press('Enter');
  await patients.expectOutcome('Noted.');
  await expect(patients.section('Alerts')).toContainText('Deaf in the left ear.');
  await tabTo('button', 'Add a number');
  await press('Enter');
  await answer('Phone number', '(604) 555-0177');
  await expectAccessible(page);
  await press('Enter');
  await patients.expectOutcome('Noted.');
  await tabTo('button', 'Add a follow-up or wish');
  await press('Enter');
  await expectAccessible(page);
  await tabTo('button', 'Save');
  await press('Enter');
  await patients.expectOutcome('Noted.');
  await expect(patients.section('Due')).toContainText('Follow-up: any');
  await accessibleAtBoth(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await accessibleAtBoth(page);

  await page.reload();
  await patients.expectOpen('Ida Holm');
  await press('Tab');
  await expect(page.getByRole('link', { name: '604-555-0177' }).first()).toBeFocused();

  await tabTo('button', 'Strike: Follow-up: any');
  await press('Enter');
  await patients.expectOutcome('Struck: Follow-up: any');
  await tabTo('button', 'Put back');
  await press('Enter');
  await patients.expectOutcome('Put back: Follow-up: any');

  await tabTo('button', 'Book an appointment');
  await press('Enter');
  const booking = page.getByRole('dialog', { name: /^Book for/ });
  await expect(booking.getByRole('alert')).toContainText('Deaf in the left ear.');
  await expectAccessible(page);
});

// Shows: S-18
test('a manager merges two records of one person after a preview, and undoes it, by keyboard', async ({
  page,
  clinic,
  take,
}) => {
  take('new3@practice.example');
  await signInAtDesk(page, clinic.url, 'morgan@practice.example', PATIENTS);
  const patients = await DeskPatients.arrive(page);
  const { press, tabTo, answer } = keyboardOf(page);
  await tabTo('button', 'New patient');
  await press('Enter');
  await answer('First name', 'cem');
  await answer('Last name', 'NEWCOMER');
  await page.getByLabel('Birth date', { exact: true }).fill('1979-11-21');
  await tabTo('button', 'Open the record');
  await press('Enter');
  const question = page.getByRole('dialog', { name: 'Is it one of these?' });
  await expect(question.getByRole('button', { name: /^Newcomer, Cem/ })).toBeVisible();
  await expectAccessible(page);
  await press('Escape');
  await expect(page.getByRole('dialog', { name: 'Leave this form?' })).toBeVisible();
  await tabTo('button', 'Drop it');
  await press('Enter');

  await tabTo('button', 'New patient');
  await press('Enter');
  await answer('First name', 'Kora');
  await answer('Last name', 'Neukomer');
  await page.getByLabel('Birth date', { exact: true }).fill('1990-02-03');
  await tabTo('button', 'Open the record');
  await press('Enter');
  await patients.expectOpen('Kora Neukomer');

  await tabTo('button', 'Merge with another record');
  await press('Enter');
  await patients.open('newcomer cem');
  const preview = page.getByRole('dialog');
  await expect(preview.getByRole('heading', { name: 'The record that stays' })).toBeVisible();
  await expect(preview).toContainText('Kora Neukomer');
  await expectAccessible(page);
  await tabTo('button', 'Merge');
  await press('Enter');

  await patients.sayWhy('To keep the record right');
  await patients.expectOutcome('Merged: record');
  await expect(page.getByRole('heading', { level: 1, name: 'Cem Newcomer' })).toBeVisible();
  const who = patients.section('Who they are');
  await expect(who).toContainText('of Kora Neukomer, born 1990-02-03.');
  await tabTo('button', /^Undo the merge with/);
  await press('Enter');
  await patients.expectOutcome('stands for itself again.');
  await expect(who).not.toContainText('Kora Neukomer');
});

// Shows: S-18
test('a new email waits, is stopped from the old mailbox, and a manager decides, wide and at 320 px', async ({
  page,
  context,
  clinic,
  take,
}) => {
  const [old, next] = ['new4@practice.example', 'dov.new@practice.example'];
  take(old);
  await signInAtDesk(page, clinic.url, 'morgan@practice.example', PATIENTS);
  const patients = await DeskPatients.arrive(page);
  await patients.open('newcomer dov');
  await patients.lookBecause('The patient called', 'Dov Newcomer');
  const { press, tabTo, answer } = keyboardOf(page);
  await tabTo('button', 'Correct email');
  await press('Enter');
  await tabTo('radio', 'I saw a photo ID');
  await press('ArrowDown');
  await answer('New email', next);
  await tabTo('button', 'Send the link');
  await press('Enter');
  await patients.expectOutcome(`The link is on its way to ${next}`);
  const reach = patients.section('How to reach them');
  await expect(reach).toContainText(
    new RegExp(`${next} counts from .* on, once its link is opened`),
  );
  await accessibleAtBoth(page);

  const patient = await context.newPage();
  const told = await expectMail(patient, old, /Your email address is being changed/);
  await patient.goto(/\/confirm\/change#[\w-]+/.exec(told)?.[0] ?? 'no link');
  const stop = patient.getByRole('button', { name: 'No, stop it' });
  await expect(stop).toBeVisible();
  await accessibleAtBoth(patient);
  await stop.click();
  await expect(patient.getByText('Nothing about the email address changes until')).toBeVisible();
  await accessibleAtBoth(patient);

  await page.reload();
  await patients.expectOpen('Dov Newcomer');
  await expect(reach).toContainText('was stopped from the old mailbox');
  await tabTo('button', 'Decide on the email');
  await press('Enter');
  await tabTo('radio', `${next}, without waiting`);
  await press('ArrowDown');
  await expect(page.getByRole('radio', { name: `${old}, as now` })).toBeChecked();
  await tabTo('checkbox', 'I saw a photo ID of the patient');
  await press('Space');
  await accessibleAtBoth(page);
  await tabTo('button', 'Save the decision');
  await press('Enter');
  await patients.expectOutcome('Decided.');
  await expect(reach).toContainText(old);
  await expect(reach).not.toContainText(next);
});

async function accessibleAtBoth(page: Page): Promise<void> {
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
}
