import { expectAccessible } from '../src/accessible.ts';
import { expect, test } from '../src/journey.ts';
import { keyboardOf } from '../src/keyboard.ts';
import { DeskOffice } from '../src/pages/desk-office.ts';
import { openSignedInAtDesk, signInAtDesk } from '../src/sign-in-at-desk.ts';

const FILE = 'id,name,address,fax,phone\nq1,Quay Drugs,1 Quay Street,,604-555-0101\n';

// Shows: S-18, R-104
test('a manager invites a colleague, imports a file with a fault, then without, adds a provider with hours, a length and a fee without a file, and publishes a text that patients then read', async ({
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

  const row = page.getByRole('form', { name: 'Add or change a row' });
  const field = (label: string) => row.getByLabel(label, { exact: true });
  const rowsOf = async (table: string) => {
    await page.getByRole('combobox', { name: 'Table', exact: true }).selectOption(table);
    await expect(field('Row')).toBeVisible();
  };
  const importRow = async (change: RegExp, table: string) => {
    await look('Add or change a row').click();
    const changed = await office.table('What would change');
    await expect(changed.getByRole('row', { name: change })).toBeVisible();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await office.outcome(`1 row is imported into ${table}.`);
  };
  await rowsOf('Appointment types');
  await field('Row').selectOption('O In-person visit');
  await field('Minutes').fill('20');
  await importRow(/In-person visit.* 20 /, 'Appointment types');

  await rowsOf('Fees');
  await field('Appointment type').selectOption('V Private visit');
  await field('Eligibility').selectOption('E');
  await field('Holds from').fill('2026-12-01');
  await field('Fee in dollars').fill('ten');
  await look('Add or change a row').click();
  await office.outcome(/Fee in dollars: must be an amount in dollars/);
  await expect(field('Fee in dollars')).toHaveAttribute('aria-invalid', 'true');
  await field('Fee in dollars').fill('95.00');
  await importRow(/New.* V E 2026-12-01 95\.00/, 'Fees');

  await rowsOf('Providers');
  await field('Number').fill('901');
  await field('First name').fill('Kai');
  await field('Last name').fill('Ito');
  await importRow(/New.* 901 Kai Ito/, 'Providers');
  await rowsOf('Working weeks');
  await field('Provider').selectOption('901 Kai Ito');
  await field('Weekday').selectOption('Monday');
  await field('From').fill('09:00');
  await field('Until').fill('12:00');
  await field('Code').selectOption('O');
  await field('Holds from').fill('2026-11-16');
  await importRow(/New.* 901 Monday 09:00 12:00 O/, 'Working weeks');
  await page.goto(`${clinic.url}/desk/schedule/weeks/901`);
  await expect(page.getByRole('gridcell', { name: /^Monday 11:45: O/ })).toBeVisible();
  await expect(page.getByRole('gridcell', { name: /^Tuesday 09:00: No work/ })).toBeVisible();
  await page.goto(`${clinic.url}/desk/setup`);

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
