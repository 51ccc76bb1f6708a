import { expect, test } from '../src/journey.ts';
import { keyboardOf } from '../src/keyboard.ts';
import { DeskOffice } from '../src/pages/desk-office.ts';
import { signInAtDesk } from '../src/sign-in-at-desk.ts';

// Shows: S-18, R-44
test('a manager reads the takings of the day, and gives a fee back once, by keyboard', async ({
  page,
  clinic,
  take,
}) => {
  take('vera@practice.example');
  await signInAtDesk(page, clinic.url, 'morgan@practice.example', '/desk');
  const office = new DeskOffice(page);
  const { press, tabTo, answer } = keyboardOf(page);
  await office.open('Money');
  const takings = await office.table('Takings by day');
  await expect(takings.getByRole('row', { name: /Nov 21/ })).toContainText('CAD 275.00');
  const payments = await office.table('Payments');
  const row = payments.getByRole('row').filter({ hasText: 'CAD 200.00' });
  await expect(row).toContainText('Taken');

  await tabTo('button', /^Give back CAD 200\.00/);
  await press('Enter');
  await expect(page.getByRole('dialog', { name: 'Give back CAD 200.00?' })).toBeVisible();
  await answer('Why?', 'Out of goodwill');
  await tabTo('button', 'Give back');
  await press('Enter');
  await office.outcome(/CAD 200\.00 was given back/);
  await expect(row).toContainText('Given back');
  await expect(row).toContainText('Out of goodwill');
  await expect(row.getByRole('button')).toHaveCount(0);
  await expect(takings.getByRole('row', { name: /Nov 21/ })).toContainText('CAD 200.00');

  await tabTo('button', 'Compare with the card company');
  await press('Enter');
  await office.outcome(/No differences/);
});
