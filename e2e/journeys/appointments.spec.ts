import { expect, test } from '../src/journey.ts';
import { Appointments } from '../src/pages/appointments.ts';
import { ChooseType } from '../src/pages/choose-type.ts';

test.use({ onlyLooks: true });

const forOthers =
  'Paid appointments cannot be cancelled but can be rescheduled up to 24 hours before; non-paid ones can be cancelled or rescheduled up to 6 hours before.';
const forPrivate =
  'Private appointments cannot be cancelled and can be rescheduled up to 24 hours before.';

// Shows: 1.can.4, 2.routes.6, 2.appointments.1, 2.appointments.4, 6.banner.2
test('My Appointments has its three sections, each in its order (§2 My Appointments, R-55)', async ({
  page,
  as,
}) => {
  await as('casey@practice.example');
  await page.goto('/appointments');
  const appointments = await Appointments.arrive(page);
  await expect(appointments.says(forOthers)).toBeVisible();
  await expect(appointments.cards('Upcoming')).toHaveCount(1);
  const upcoming = appointments.cards('Upcoming').first();
  await expect(upcoming).toContainText('In-person visit');
  await expect(upcoming).toContainText('Tue Nov 24 2026 08:00');
  await expect(upcoming).toContainText('Dr. A. Stone');

  await expect(appointments.cards('Previous').first()).toBeHidden();
  await appointments.unfold('Previous');
  await expect(appointments.cards('Previous')).toHaveCount(5);
  await expect(appointments.cards('Previous')).toContainText([
    'Mon Nov 09 2026 11:10',
    'Mon Oct 19 2026 09:20',
    'Thu Sep 24 2026 11:30',
    'Fri Jul 24 2026 08:40',
    'Tue May 05 2026 09:05',
  ]);
  await expect(appointments.card('Fri Jul 24 2026 08:40')).toContainText('N/A');
  await expect(appointments.card('Thu Sep 24 2026 11:30')).toContainText('Missed');
  await expect(
    appointments.section('Previous').getByRole('listitem').getByRole('button'),
  ).toHaveCount(0);

  await appointments.unfold('Cancelled');
  await expect(appointments.cards('Cancelled')).toHaveCount(2);
  await expect(appointments.cards('Cancelled').first()).toContainText('Sun Nov 01 2026 at 11:45');
  await Appointments.arrive(page);
});

// Shows: 2.appointments.2
test('empty sections say so and lead to a booking (§2)', async ({ page, as }) => {
  await as('new9@practice.example');
  await page.goto('/appointments');
  const appointments = await Appointments.arrive(page);
  await expect(appointments.says('No upcoming appointments')).toBeVisible();
  await expect(appointments.says('No previous appointment history')).toBeVisible();
  await expect(appointments.says('No cancelled appointments')).toBeVisible();
  await appointments.main.getByRole('link', { name: 'Book an appointment' }).click();
  await ChooseType.arrive(page);
});

// Shows: 2.appointments.3
test('Cancel and Reschedule are offered as the rules say (§5, R-53)', async ({ page, as }) => {
  await as('two@practice.example');
  await page.goto('/appointments');
  const appointments = await Appointments.arrive(page);
  await expect(appointments.cards('Upcoming')).toHaveCount(2);
  const nearer = appointments.cards('Upcoming').first();
  await expect(nearer.getByRole('button', { name: 'Cancel Appointment' })).toBeEnabled();
  await expect(nearer.getByRole('button', { name: 'Reschedule Appointment' })).toBeHidden();
  const registered = appointments.cards('Upcoming').last();
  await expect(registered).toContainText('Fri Nov 27 2026 11:15');
  await expect(registered).toContainText('Appointment code');
  await expect(registered.getByText('B7', { exact: true })).toBeVisible();
  await expect(registered.getByRole('button', { name: 'Reschedule Appointment' })).toBeHidden();
});

// Shows: 5.buttons.1
test('within six hours Cancel is struck through with its reason (§5)', async ({ page, as }) => {
  await as('soon@practice.example');
  await page.goto('/appointments');
  const appointments = await Appointments.arrive(page);
  const card = appointments.cards('Upcoming').first();
  await expect(card).toContainText('Sat Nov 21 2026 13:00');
  await expect(card).toContainText('NP J. Avery');
  const cancel = card.getByRole('button', { name: 'Cancel Appointment' });
  await expect(cancel).toBeDisabled();
  await expect(cancel).toHaveCSS('text-decoration-line', 'line-through');
  await expect(card).toContainText(
    'It starts within 6 hours and can no longer be cancelled online.',
  );
});

// Shows: 4.reschedule.1
test('a paid visit shows its fee, cannot be cancelled and can be moved (§5, R-53)', async ({
  page,
  as,
}) => {
  await as('vera@practice.example');
  await page.goto('/appointments');
  const appointments = await Appointments.arrive(page);
  const card = appointments.cards('Upcoming').first();
  await expect(card).toContainText('Private visit');
  await expect(card).toContainText('CAD 200.00');
  await expect(card.getByRole('button', { name: 'Cancel Appointment' })).toBeDisabled();
  await expect(card).toContainText(
    'It cannot be cancelled, and the fee of CAD 200.00 is non-refundable.',
  );
  const question = await appointments.reschedule(card);
  await expect(question.box).toContainText(
    'Are you sure you want to reschedule your appointment ?',
  );
  await question.press('No, do not reschedule appointment');
  await question.expectGone();
  await (await appointments.reschedule(card)).press('Yes, reschedule appointment');
  const home = await ChooseType.arrive(page);
  await expect(
    page.getByRole('heading', { level: 1, name: 'Reschedule Private visit Appointment' }),
  ).toBeVisible();
  await expect(home.types()).toHaveCount(1);
  await expect(home.type('Private visit')).toBeChecked();
});

// Shows: 2.appointments.1, 6.banner.1
test('private patients read their own banner, and their private visits cannot be cancelled (§6, R-53)', async ({
  page,
  as,
}) => {
  await as('rosa@practice.example');
  await page.goto('/appointments');
  const appointments = await Appointments.arrive(page);
  await expect(appointments.says(forPrivate)).toBeVisible();
  const card = appointments.cards('Upcoming').first();
  await expect(card).toContainText('CAD 75.00');
  await expect(card.getByRole('button', { name: 'Cancel Appointment' })).toBeDisabled();
  await expect(card).toContainText('A private appointment like this one cannot be cancelled.');
});
