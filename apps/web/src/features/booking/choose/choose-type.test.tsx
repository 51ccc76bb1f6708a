import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aApiStatus, bookingTypes } from '../../../testing/booking-clinic.ts';
import { casey } from '../../../testing/people.ts';
import { atHome, heading } from '../../../testing/booking-person.tsx';

// Shows: 5.choose-type.1, R-21
test('Next without a type, and without a doctor, says what is missing', async () => {
  const { press, choose } = await atHome();
  await press('Next');
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Please choose the appointment type first.',
  );
  await choose('Phone consultation');
  await press('Next');
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Please choose a doctor or the earliest available doctor.',
  );
});

// Shows: 5.choose-type.2
test('a patient who is blocked reads so on Next', async () => {
  const user = { ...casey, appointmentType: [...bookingTypes], isBlocked: true };
  const { choose, press } = await atHome({ user });
  await choose('In-person visit');
  await choose('Earliest available doctor');
  await press('Next');
  expect((await screen.findByRole('alert')).textContent).toContain(
    'You are blocked from booking an appointment using this service. If you wish to see a doctor, please come in person to the medical clinic.',
  );
});

// Shows: 2.choose-type.5, 3.doctor-status.1, 5.doctor-choice.2
test('doctors show their note, and why they cannot be chosen', async () => {
  const { choose } = await atHome(
    {
      statuses: {
        '101': aApiStatus({ scheduledcomment: 'Away in the afternoons' }),
        '103': aApiStatus({ onlyFamilyDoctor: true }),
        '104': aApiStatus({ noPCP: true }),
        '106': aApiStatus({ noscheduledisplay: true }),
      },
    },
    {
      'GET /clinic/admin/patient/5001': () => ({
        body: { success: true, demographic: { providerNo: '' }, provider: { enabled: false } },
      }),
      'GET /me/check-nopcp': () => ({ body: { success: true, noPCP: false } }),
    },
  );
  await choose('In-person visit');
  expect(await screen.findByText('Note: Away in the afternoons')).toBeTruthy();
  expect(
    await screen.findByText(
      'This doctor only sees patients who have an active doctor at our clinic',
    ),
  ).toBeTruthy();
  expect(
    await screen.findByText("This doctor doesn't accept patients with own family doctor"),
  ).toBeTruthy();
  expect(screen.queryByRole('radio', { name: 'NP J. Avery' })).toBeNull();
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Dr. G. Liu' }).disabled).toBe(true);
});

// Shows: 4.selection.2
test('a nurse practitioner hides every type but O and P until the doctor is cleared', async () => {
  const { choose, press } = await atHome();
  await choose('Private visit');
  await choose('NP J. Avery');
  expect(screen.queryByRole('radio', { name: 'Private visit' })).toBeNull();
  await press('Show all types');
  expect(await screen.findByRole('radio', { name: 'Private visit' })).toBeTruthy();
});

// Shows: 2.choose-type.4
test('a medication refill hides the day and the doctors, and Next leads to the other site', async () => {
  const { choose } = await atHome();
  await choose('Medication refill');
  const next = await screen.findByRole('link', { name: 'Next' });
  expect(next.getAttribute('href')).toBe('https://medication.example/');
  expect(screen.queryByRole('radio', { name: 'Earliest available doctor' })).toBeNull();
});

// Shows: 2.choose-type.3
test("Next reads 'Checking...' until the check of the primary doctor has answered", async () => {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  const { choose, press } = await atHome(
    {},
    {
      'GET /clinic/admin/patient/5001': async () => {
        await asked;
        return {
          body: { success: true, demographic: { providerNo: '101' }, provider: { enabled: true } },
        };
      },
    },
  );
  await choose('In-person visit');
  await choose('Earliest available doctor');
  await press('Next');
  expect(await screen.findByRole('button', { name: 'Checking...' })).toBeTruthy();
  answer();
  expect(await heading('Booking In-person visit: Come to the clinic')).toBeTruthy();
});
