import { expectAccessible } from '../src/accessible.ts';
import { expect, test } from '../src/journey.ts';
import { keyboardOf } from '../src/keyboard.ts';
import { DeskOffice } from '../src/pages/desk-office.ts';
import { openSignedInAtDesk, signInAtDesk } from '../src/sign-in-at-desk.ts';

const FILE = 'id,name,address,fax,phone\nq1,Quay Drugs,1 Quay Street,,604-555-0101\n';

// Shows: S-18, R-104
test('a manager invites a colleague, imports a file with a fault, then without, says how long a type lasts and what it costs without a file, and publishes a text that patients then read', async ({
  page,
  clinic,
}) => {
  await signInAtDesk(page, clinic.url, 'morgan@practice.example', '/desk');
  const office = new DeskOffice(page);
  await office.open('Set-up');
  const staff = await office.table('Colleagues');
  await page.getByLabel('Name').fill('Kim Park');
  await page.getByLabel('Email').fill('kim@practice.example');
  await page.getByRole('button', { name: 'Invite a colleague' }).click();
  await expect(page.getByText('Choose at least one role.')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Auditor' }).check();
  await page.getByRole('button', { name: 'Invite a colleague' }).click();
  await office.outcome('Kim Park is invited by email to kim@practice.example.');
  await expect(staff.getByRole('row', { name: /Kim Park/ })).toContainText('not set up yet');
  const mails = async () => (await fetch(`${clinic.url}/practice/mail`)).text();
  await expect.poll(mails).toContain('kim@practice.example');

  await page.getByRole('link', { name: 'Tables' }).click();
  await office.table('Tables');
  const look = (form: string) =>
    page.getByRole('form', { name: form }).getByRole('button', { name: 'Look what would change' });
  await page.getByLabel('Into which table').selectOption({ label: 'Pharmacies' });
  await office.choose('CSV file', 'pharmacies.csv', FILE.replace('Quay Drugs', ''));
  await look('Import a file').click();
  await office.outcome(/1 fault in the file/);
  const faults = await office.table('Faults in the file');
  await expect(faults.getByRole('row', { name: /2 name is empty/ })).toBeVisible();

  await office.choose('CSV file', 'pharmacies.csv', FILE);
  await look('Import a file').click();
  const changes = await office.table('What would change');
  await expect(changes.getByRole('row', { name: /New q1 Quay Drugs/ })).toBeVisible();
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await office.outcome('1 row is imported into Pharmacies.');

  const file = await office.saved(() =>
    page.getByRole('button', { name: 'Download Pharmacies' }).click(),
  );
  expect(file.text).toContain('q1,Quay Drugs,1 Quay Street');

  const lasts = page.getByRole('form', { name: 'How long a type lasts' });
  await lasts.getByLabel('Appointment type').selectOption({ label: 'O In-person visit' });
  await lasts.getByLabel('Minutes').fill('20');
  await look('How long a type lasts').click();
  const longer = await office.table('What would change');
  await expect(longer.getByRole('row', { name: /In-person visit.* 20 / })).toBeVisible();
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await office.outcome('1 row is imported into Appointment types.');

  const costs = page.getByRole('form', { name: 'A fee from a date on' });
  await costs.getByLabel('Appointment type').selectOption({ label: 'V Private visit' });
  await costs.getByLabel('Eligibility').selectOption('E');
  await costs.getByLabel('From').fill('2026-12-01');
  await costs.getByLabel('Fee in dollars').fill('ten');
  await look('A fee from a date on').click();
  await office.outcome(/1 fault in the file/);
  await costs.getByLabel('Fee in dollars').fill('95.00');
  await look('A fee from a date on').click();
  const dearer = await office.table('What would change');
  await expect(dearer.getByRole('row', { name: /New.* V E 2026-12-01 95\.00/ })).toBeVisible();
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await office.outcome('1 row is imported into Fees.');

  await page.getByRole('link', { name: 'Texts', exact: true }).click();
  await office.table('Texts');
  await page.getByRole('link', { name: 'Change Consent of a sign-up' }).click();
  const english = page.getByLabel('Text in English');
  await english.fill('I come to {clinicName} for {fee}.');
  await page.getByRole('button', { name: 'Preview' }).click();
  const problem = page.getByRole('alert').filter({ hasText: '{fee} stands for nothing here.' });
  await expect(problem).toBeFocused();
  await expectAccessible(page);
  await english.fill('I come to {clinicName} for myself alone.');
  await page.getByLabel('Title in Français').fill('');
  await page.getByLabel('Text in Français').fill('');
  await page.getByRole('button', { name: 'Preview' }).click();
  await office.outcome(/Nothing is published yet/);
  const read = page.getByRole('region', { name: 'What patients will read' });
  const consent =
    (await read
      .getByText(/for myself alone/)
      .first()
      .textContent()) ?? '';
  expect(consent).not.toContain('{');
  await page.getByRole('button', { name: 'Publish' }).click();
  const asked = page.getByRole('dialog', { name: 'Publish this version?' });
  await expect(asked).toBeVisible();
  await expectAccessible(page);
  await asked.getByRole('button', { name: 'Publish' }).click();
  await office.outcome('Version 2 is published. Patients read it from now on.');
  await page.getByText(/^Version 2: .*what patients read now$/).click();
  await expectAccessible(page);

  await page.goto(`${clinic.url}/register`);
  await expect(page.getByText(consent, { exact: true })).toBeVisible();
});

// Shows: S-18
test('the invitation of a manager waits, and a receptionist stops it by keyboard on the page where they are', async ({
  page,
  browser,
  clinic,
}) => {
  await signInAtDesk(page, clinic.url, 'morgan@practice.example', '/desk');
  const office = new DeskOffice(page);
  await office.open('Set-up');
  await page.getByLabel('Name').fill('Lou Vance');
  await page.getByLabel('Email').fill('lou@practice.example');
  await page.getByRole('checkbox', { name: 'Manager' }).check();
  await page.getByRole('button', { name: 'Invite a colleague' }).click();
  await office.outcome(/^The invitation of Lou Vance is mailed at \d\d:\d\d\. /);

  const narrow = await browser.newContext({
    baseURL: clinic.url,
    viewport: { width: 320, height: 640 },
  });
  const desk = await openSignedInAtDesk(narrow, clinic.url, 'robin@practice.example', '/desk/day');
  const waiting = desk.getByRole('log', { name: 'What can still be stopped' });
  await expect(waiting).toContainText('A new manager: Lou Vance');
  await expectAccessible(desk);
  const { tabTo, press } = keyboardOf(desk);
  await tabTo('button', 'Stop the invitation of Lou Vance');
  await press('Enter');
  await new DeskOffice(desk).outcome('Stopped. Lou Vance is not invited.');
  await expect(waiting).toBeEmpty();
  await expect(
    page.getByText(/^Lou Vance .* stopped by Robin .* They are not invited\.$/),
  ).toBeVisible();
  await expect(page.getByRole('log', { name: 'What can still be stopped' })).toBeEmpty();
  await narrow.close();
});
