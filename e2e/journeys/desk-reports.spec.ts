import { expect, test } from '../src/journey.ts';
import { DeskOffice } from '../src/pages/desk-office.ts';
import { signInAtDesk } from '../src/sign-in-at-desk.ts';

// Shows: S-18
test('a manager reads the reports as tables, and downloads the figures', async ({
  page,
  clinic,
}) => {
  await signInAtDesk(page, clinic.url, 'morgan@practice.example', '/desk');
  const office = new DeskOffice(page);
  await office.open('Reports');
  const doors = await office.table('Bookings by who made them');
  await expect(doors.getByRole('columnheader', { name: 'By staff' })).toBeVisible();
  const third = await office.table(/^Third next available appointment: /);
  await expect(third.getByRole('row').nth(1)).toContainText(/\d+/);
  await page.getByLabel('Type').selectOption({ label: 'Phone consultation' });
  await office.table('Third next available appointment: Phone consultation');
  for (const name of [
    'How far ahead appointments are booked',
    'Use of the open time',
    'Who came, and who did not',
    'Cancelled and moved, by whom',
  ])
    await office.table(name);

  const file = await office.saved(() =>
    page.getByRole('button', { name: 'Download figures (CSV)' }).click(),
  );
  expect(file.name).toBe('statistics-2026-11-01-2026-11-21.csv');
  expect(file.text).toMatch(/^\uFEFFmonth,provider,bookings,patients,/);
  await office.outcome(/is saved/);
});
