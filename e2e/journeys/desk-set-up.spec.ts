import { expect, test } from '../src/journey.ts';
import { DeskOffice } from '../src/pages/desk-office.ts';
import { signInAtDesk } from '../src/sign-in-at-desk.ts';

const FILE = 'id,name,address,fax,phone\nq1,Quay Drugs,1 Quay Street,,604-555-0101\n';

// Shows: S-18
test('a manager invites a colleague, and imports a file with a fault, then without', async ({
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
  const mails = await (await fetch(`${clinic.url}/practice/mail`)).text();
  expect(mails).toContain('kim@practice.example');

  await page.getByRole('link', { name: 'Tables' }).click();
  await office.table('Tables');
  await page.getByLabel('Into which table').selectOption({ label: 'Pharmacies' });
  await office.choose('CSV file', 'pharmacies.csv', FILE.replace('Quay Drugs', ''));
  await page.getByRole('button', { name: 'Look what would change' }).click();
  await office.outcome(/1 fault in the file/);
  const faults = await office.table('Faults in the file');
  await expect(faults.getByRole('row', { name: /2 name is empty/ })).toBeVisible();

  await office.choose('CSV file', 'pharmacies.csv', FILE);
  await page.getByRole('button', { name: 'Look what would change' }).click();
  const changes = await office.table('What would change');
  await expect(changes.getByRole('row', { name: /New q1 Quay Drugs/ })).toBeVisible();
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await office.outcome('1 row is imported into Pharmacies.');

  const file = await office.saved(() =>
    page.getByRole('button', { name: 'Download Pharmacies' }).click(),
  );
  expect(file.text).toContain('q1,Quay Drugs,1 Quay Street');
});
