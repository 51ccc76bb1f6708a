import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { bookAnew, bookType, moveAppointment } from '../../shared/booking-link.ts';
import { aHold, anAppointment } from '../../testing/booking-clinic.ts';
import { atConfirm, atHome, atSlots, heading, tomorrow } from '../../testing/booking-person.tsx';
import { casey } from '../../testing/people.ts';

const isChosen = async (name: string) =>
  (await screen.findByRole<HTMLInputElement>('radio', { name })).checked;
const slotsOfStone = {
  step: 'displaySchedule',
  type: 'O',
  doctor: '101',
  day: tomorrow,
  patient: casey.id,
};

// Shows: R-101
test('a reload on the times shows them again, for the type, the doctor and the day', async () => {
  await atHome({}, {}, slotsOfStone);
  await heading('Booking In-person visit with A. Stone: Come to the clinic');
  expect(await screen.findByRole('heading', { level: 2, name: 'Sun Nov 22' })).toBeTruthy();
});

// Shows: R-101
test('a reload on confirm leads to the first step, with the type, and to the time that is held', async () => {
  await atHome({ hold: aHold() }, {}, { ...slotsOfStone, step: 'confirm' });
  await screen.findByText('Continue your booking');
  expect(await isChosen('In-person visit')).toBe(true);
  expect(await isChosen('Dr. A. Stone')).toBe(true);
});

// Shows: R-101
test('a reload while an appointment is moved goes on moving it, and its held time is offered', async () => {
  const appointment = anAppointment();
  const facts = { appointments: [appointment], hold: aHold({ rescheduleOf: appointment.id }) };
  const { press } = await atHome(
    facts,
    {},
    {
      ...slotsOfStone,
      step: 'confirm',
      moved: appointment.id,
    },
  );
  await heading('Reschedule In-person visit Appointment');
  await screen.findByText('Continue your booking');
  await press('Continue');
  expect(await heading('Confirm your appointment')).toBeTruthy();
});

test('what another patient has left in the history of the browser is shown to nobody', async () => {
  await atHome({}, {}, { ...slotsOfStone, patient: 'somebody else' });
  await heading('Please choose appointment type:');
  expect(await isChosen('In-person visit')).toBe(false);
});

test('an appointment that can no longer be moved is said, with the way to book another', async () => {
  const gone = anAppointment({ isReschedulable: false });
  const { person } = await atHome({ appointments: [gone] }, {}, moveAppointment(gone.id, 'O'));
  const words = 'This appointment can no longer be rescheduled online.';
  expect((await screen.findByRole('alert')).textContent).toContain(words);
  await person.click(screen.getByRole('link', { name: 'Book an appointment' }));
  await heading('Please choose appointment type:');
});

// Shows: R-68
test('a login link chooses its type where it is open to the patient', async () => {
  await atHome({}, {}, bookType('D'));
  expect(await isChosen('Driver medical')).toBe(true);
});

// Shows: R-68
test('a login link chooses no type that is closed to the patient', async () => {
  await atHome({}, {}, bookType('I'));
  await heading('Please choose appointment type:');
  expect(screen.queryByRole('radio', { checked: true, name: /visit|medical/ })).toBeNull();
});

test('Back shows the step before with what was chosen, and Forward the times again', async () => {
  const { go } = await atSlots();
  await heading(/^Booking /);
  await go(-1);
  await heading('Please choose appointment type:');
  expect(await isChosen('In-person visit')).toBe(true);
  await go(1);
  await heading(/^Booking In-person visit/);
  expect(await screen.findByRole('button', { name: /^09:00/ })).toBeTruthy();
});

test('Back from confirm gives the time back and shows the days that were shown', async () => {
  const { go, service } = await atConfirm();
  await go(-1);
  await heading(/^Booking In-person visit/);
  expect(await screen.findByText('Available times on Sun Nov 22')).toBeTruthy();
  await waitFor(() => expect(service.calls).toContain('DELETE /schedule/hold'));
  await go(1);
  expect(await heading(/^Booking In-person visit/)).toBeTruthy();
});

test('Book an appointment, pressed on its own page, leaves the step beneath to go back to', async () => {
  const { go, press } = await atSlots();
  await heading(/^Booking /);
  await act(async () => navigate('/', { replace: true }));
  expect(window.history.state).toMatchObject({ step: 'displaySchedule', under: 'schedule' });
  const { length } = window.history;
  await press('Back');
  await heading('Please choose appointment type:');
  await go(1);
  expect(await heading(/^Booking /)).toBeTruthy();
  expect(window.history.length).toBe(length);
});

test('Forward to the times makes no second entry of them: one Back leaves them again', async () => {
  const { go } = await atSlots();
  await heading(/^Booking /);
  await go(-1);
  await heading('Please choose appointment type:');
  await go(1);
  await heading(/^Booking /);
  await go(-1);
  expect(await heading('Please choose appointment type:')).toBeTruthy();
});

test('Next, pressed while the history still goes back, leaves an entry to go back to', async () => {
  const { go } = await atSlots();
  await heading(/^Booking /);
  const wentBack = new Promise((resolve) => {
    addEventListener('popstate', resolve, { once: true });
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Back' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Next' }));
  await heading(/^Booking /);
  await act(() => wentBack);
  await go(-1);
  await heading('Please choose appointment type:');
  expect(await isChosen('In-person visit')).toBe(true);
});

// Shows: R-51
test('the title of the clinic forgets what was chosen and the appointment that was being moved', async () => {
  const appointment = anAppointment();
  const moving = moveAppointment(appointment.id, 'O');
  const { go } = await atHome({ appointments: [appointment] }, {}, moving);
  await heading('Reschedule In-person visit Appointment');
  await go('/', bookAnew);
  await heading('Please choose appointment type:');
  expect(await isChosen('In-person visit')).toBe(false);
});
