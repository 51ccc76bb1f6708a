import { expectAccessible } from '../src/accessible.ts';
import { expect, test, testAlone } from '../src/journey.ts';
import { keyboardOf } from '../src/keyboard.ts';
import { Appointments } from '../src/pages/appointments.ts';
import { CancelAppointment } from '../src/pages/cancel-visit.ts';

test('a cancellation that fails says so and keeps the screen; trying again cancels (§4 Cancel, §8)', async ({
  page,
  as,
}) => {
  await as('casey@practice.example');
  await page.goto('/appointments');
  const appointments = await Appointments.arrive(page);
  const question = await appointments.cancel(appointments.cards('Upcoming').first());
  await page.route('**/api/schedule/*', (route) => route.fulfill({ status: 409, json: {} }));
  await question.press('Confirm Cancellation');
  await expect(page.getByText('An unknown error has occurred')).toBeVisible();
  const still = await CancelAppointment.arrive(page);
  await page.unroute('**/api/schedule/*');
  await still.press('Confirm Cancellation');
  const after = await Appointments.arrive(page);
  await expect(after.says('No upcoming appointments')).toBeVisible();
});

// Shows: R-101
test('Back of the browser returns from the question to the list, and a reload asks it again (R-101)', async ({
  page,
  as,
}) => {
  await as('two@practice.example');
  await page.goto('/appointments');
  const appointments = await Appointments.arrive(page);
  await appointments.cancel(appointments.cards('Upcoming').first());
  await page.reload();
  await CancelAppointment.arrive(page);
  await page.goBack();
  await Appointments.arrive(page);
  await expect(page).toHaveURL('/appointments');
});

testAlone(
  'a second tab that asks whether to cancel what the first has cancelled says so by itself',
  async ({ page, context, as }) => {
    await as('casey@practice.example');
    await page.goto('/appointments');
    const other = await context.newPage();
    await other.goto('/appointments');
    const [here, there] = [await Appointments.arrive(page), await Appointments.arrive(other)];
    const first = await here.cancel(here.cards('Upcoming').first());
    const second = await there.cancel(there.cards('Upcoming').first());
    await first.press('Confirm Cancellation');
    await expect((await Appointments.arrive(page)).says('No upcoming appointments')).toBeVisible();
    await expect(second.alert()).toHaveText('This appointment has been cancelled.');
    await expect(second.button('Confirm Cancellation')).toHaveCount(0);
    await expectAccessible(other);
    await second.press('Back');
    await expect((await Appointments.arrive(other)).says('No upcoming appointments')).toBeVisible();
  },
);

testAlone('a person cancels with the keyboard alone', async ({ page, as }) => {
  await as('casey@practice.example');
  await page.goto('/appointments');
  const appointments = await Appointments.arrive(page);
  const { press, tabTo } = keyboardOf(page);
  await tabTo('button', 'Cancel Appointment');
  await press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Cancel Appointment' })).toBeFocused();
  await tabTo('button', 'Confirm Cancellation');
  await press('Enter');
  await expect(appointments.says('No upcoming appointments')).toBeVisible();
});
