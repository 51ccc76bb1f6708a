import { expect, test } from '../src/journey.ts';
import { DeskOffice } from '../src/pages/desk-office.ts';
import { signInAtDesk } from '../src/sign-in-at-desk.ts';

// Shows: S-18
test('a manager reads the reports as pictures and as tables, and downloads the figures', async ({
  page,
  clinic,
}) => {
  await signInAtDesk(page, clinic.url, 'morgan@practice.example', '/desk');
  const office = new DeskOffice(page);
  await office.open('Reports');
  const doors = await office.pictureAsTable('Bookings by who made them');
  await expect(doors.getByRole('columnheader', { name: 'By staff' })).toBeVisible();
  const thirdNext = 'Third next available appointment';
  const third = await office.pictureAsTable(thirdNext, new RegExp(`^${thirdNext}: `));
  await expect(third.getByRole('row').nth(1)).toContainText(/\d+/);
  await page.getByLabel('Type').selectOption({ label: 'Phone consultation' });
  await office.table(`${thirdNext}: Phone consultation`);
  for (const name of [
    'How far ahead appointments are booked',
    'Demand by weekday and hour',
    'Use of the open time',
    'No-show rate',
    'Cancelled and moved, by whom',
    'Revenue',
  ])
    await office.pictureAsTable(name);

  const file = await office.saved(() =>
    page.getByRole('button', { name: 'Download figures (CSV)' }).click(),
  );
  expect(file.name).toBe('statistics-2026-11-01-2026-11-21.csv');
  expect(file.text).toMatch(/^\uFEFFmonth,provider,bookings,patients,/);
  await office.outcome(/is saved/);
});
