import { screen, waitFor, within } from '@testing-library/react';
import { toInstant } from '@clinic/domain';
import { expect, test, vi } from 'vitest';
import {
  aDay,
  anAppointment,
  bookingClinic,
  CLINIC_NOW,
  refuse,
  TODAY,
} from '../../../testing/booking-clinic.ts';
import { atConfirm, atSlots, heading, tomorrow } from '../../../testing/booking-person.tsx';

// Shows: R-30
test('a slot lost while booking leads back to the grid, and the answer is kept', async () => {
  const { person, press, service } = await atConfirm(
    {},
    refuse(
      'createBooking',
      409,
      'slotTaken',
      'Someone else just took this time. Please choose another.',
    ),
  );
  await person.type(screen.getByRole('textbox'), 'a cough');
  await press('Next');
  await press('Agree');
  await heading(/^Booking In-person visit/);
  expect((await screen.findByRole('alert')).textContent).toContain('Someone else');
  await press(/^09:05/);
  expect((await screen.findByRole<HTMLTextAreaElement>('textbox')).value).toBe('a cough');
  expect(service.calls.filter((call) => call === 'POST /schedule/hold')).toHaveLength(2);
});

// Shows: 2.confirm.2, 5.reason.1, 5.reason.2
test('a reason that is missing or too short is said in the words of the specification', async () => {
  const { person, press } = await atConfirm();
  await press('Next');
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Please enter the reason for your appointment',
  );
  await person.type(screen.getByRole('textbox'), 'x');
  await press('Next');
  await waitFor(() =>
    expect(screen.getByRole('alert').textContent).toContain(
      'The minimum length of the reason for your appointment is 2',
    ),
  );
});

// Shows: 5.limits.1
test('a second appointment on the same day is refused after Agree', async () => {
  const { person, press, service } = await atConfirm({
    appointments: [anAppointment({ startTime: toInstant(tomorrow, '15:00') })],
  });
  await person.type(screen.getByRole('textbox'), 'a cough');
  await press('Next');
  await press('Agree');
  expect((await screen.findByRole('alert')).textContent).toContain(
    'You can only book one appointment each day',
  );
  expect(service.calls).not.toContain('POST /schedule/create');
});

// Shows: 8.alerts.4, 8.alerts.6, 8.alerts.7, 8.alerts.9, R-36, text.get-demographics,
// text.get-me-appointments-on-agree, text.get-services-appstate, text.post-schedule-create
test.each([
  ['GET /demographics', 500, 'Get demographic failed.', false],
  ['GET /me/appointments', 500, 'Error occurred on second validation.', true],
  ['GET /services/appstate', 500, 'Cannot get selected appointment state.', true],
  ['POST /schedule/create', 422, 'Error ocurred while booking the appointment.', true],
])('when %s fails with %d the patient reads "%s" and can try again', async (...failure) => {
  const [call, status, words, agrees] = failure;
  const { person, press, service } = await atConfirm({}, { [call]: () => ({ status, body: {} }) });
  await person.type(screen.getByRole('textbox'), 'a cough');
  await press('Next');
  if (agrees) await press('Agree');
  const { textContent: said } = await screen.findByRole('alert');
  expect(said).toContain(words);
  expect(said).toContain('What you entered has been kept.');
  expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('a cough');
  const answers = bookingClinic();
  const working = answers[call];
  if (working) service.answer(call, working);
  await press('Next');
  await press('Agree');
  await heading('Appointment booked');
});

// Shows: R-60
test('whom only the clinic can help is shown how to reach it, and not told to try again', async () => {
  const { person, press } = await atConfirm(
    {},
    refuse('createBooking', 403, 'bookingBlocked', 'You are blocked. Please come in person.'),
  );
  await person.type(screen.getByRole('textbox'), 'a cough');
  await press('Next');
  await press('Agree');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('You are blocked. Please come in person.');
  expect(alert.textContent).not.toContain('try again');
  expect(within(alert).getByRole('link', { name: /@/ })).toBeTruthy();
});

// Shows: 2.confirm.10, R-38
test('within six hours the details say that it cannot be cancelled', async () => {
  const { person, press } = await atSlots({ days: [aDay(TODAY, { '101': ['14:00'] })] });
  await press(/^14:00/);
  await person.type(await screen.findByRole('textbox'), 'a cough');
  await press('Next');
  const dialog = await screen.findByRole('dialog', { name: 'Appointment Details' });
  expect(within(dialog).getByText(/starts within 6 hours\. It cannot be cancelled/)).toBeTruthy();
  expect(within(dialog).getByText('It cannot be rescheduled either.')).toBeTruthy();
  expect(within(dialog).queryByText(/You can (cancel|reschedule)/)).toBeNull();
});

// Shows: 2.confirm.6
test('Back gives the slot back and keeps the answer', async () => {
  const { person, press, service } = await atConfirm();
  await person.type(screen.getByRole('textbox'), 'a cough');
  await press('Back');
  await heading(/^Booking In-person visit/);
  await waitFor(() => expect(service.calls).toContain('DELETE /schedule/hold'));
  await press(/^09:05/);
  expect((await screen.findByRole<HTMLTextAreaElement>('textbox')).value).toBe('a cough');
});

// Shows: R-30
test('a hold that lapsed is said, and the time can be held again', async () => {
  const { press, service } = await atConfirm();
  vi.setSystemTime((CLINIC_NOW + 601) * 1000);
  expect(
    await screen.findByText('This time is no longer held for you. It may still be available.'),
  ).toBeTruthy();
  await press('Hold it again');
  await waitFor(() =>
    expect(service.calls.filter((call) => call === 'POST /schedule/hold')).toHaveLength(2),
  );
});

test('the draft is kept by the service a moment after the last key', async () => {
  const { person, service } = await atConfirm();
  await person.type(screen.getByRole('textbox'), 'a cough');
  await waitFor(() => expect(service.calls).toContain('PUT /schedule/hold/draft'));
});
