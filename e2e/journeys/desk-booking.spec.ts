import { expectAccessible } from '../src/accessible.ts';
import { expect, test } from '../src/journey.ts';
import { keyboardOf } from '../src/keyboard.ts';
import { DeskBooking } from '../src/pages/desk-booking.ts';
import { signInAtDesk } from '../src/sign-in-at-desk.ts';

const DAY = '/desk/day/2026-11-21';

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
  await booking.press('Enter');
  const outcome = page.getByRole('alert');
  await expect(outcome).toContainText('Booked: Sat Nov 21');
  await expect(outcome).toBeFocused();
  expect(booking.keys).toBeLessThanOrEqual(12);
  await expect(colleague.getByRole('button', { name: /Newcomer, Ari/ })).toBeVisible();

  await tabTo('button', 'Show the day');
  await press('Enter');
  const panel = page.getByRole('complementary', { name: 'Newcomer, Ari' });
  await expect(panel.getByRole('heading', { name: 'Newcomer, Ari' })).toBeFocused();
  const entry = page.getByRole('button', { name: /Newcomer, Ari/ });
  const before = await entry.textContent();
  await tabTo('button', 'Move');
  await press('Enter');
  await booking.atTimes();
  await press('ArrowDown', 'ArrowDown', 'Enter');
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
});
