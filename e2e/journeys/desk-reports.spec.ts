import { expectAccessible } from '../src/accessible.ts';
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
  const chart = (name: string) => page.getByRole('region', { name });
  const asTable = async (name: string, caption: string | RegExp = name) => {
    await expect(chart(name).getByRole('img', { name: caption })).toBeVisible();
    await expectAccessible(page);
    await chart(name).getByRole('button', { name: 'Show as a table' }).click();
    return office.table(caption);
  };
  const doors = await asTable('Bookings by who made them');
  await expect(doors.getByRole('columnheader', { name: 'By staff' })).toBeVisible();
  const thirdNext = 'Third next available appointment';
  const third = await asTable(thirdNext, new RegExp(`^${thirdNext}: `));
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
    await asTable(name);

  const file = await office.saved(() =>
    page.getByRole('button', { name: 'Download figures (CSV)' }).click(),
  );
  expect(file.name).toBe('statistics-2026-11-01-2026-11-21.csv');
  expect(file.text).toMatch(/^\uFEFFmonth,provider,bookings,patients,/);
  await office.outcome(/is saved/);
});
