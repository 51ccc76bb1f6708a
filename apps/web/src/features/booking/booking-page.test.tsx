import { act, screen, waitFor, within } from '@testing-library/react';
import { formatDay, toInstant } from '@clinic/domain';
import { expect, test } from 'vitest';
import { moveAppointment } from '../../shared/booking-link.ts';
import { recordsQuery, takeStatus } from '../../shared/session/records-status.ts';
import { endSession } from '../../shared/session/session.ts';
import {
  aDay,
  aHold,
  anAppointment,
  aType,
  bookingClinic,
  reply,
} from '../../testing/booking-clinic.ts';
import { casey } from '../../testing/people.ts';
import { refusal, tokenNotValid } from '../../testing/fake-service.ts';
import { atConfirm, atHome, atSlots, heading, tomorrow } from '../../testing/booking-person.tsx';
import type { ApiHold } from '@clinic/contract';

const tomorrow9 = toInstant(tomorrow, '09:00');

// Shows: 1.can.2, 2.choose-type.1, 2.pick-slot.3, 2.pick-slot.5, 2.pick-slot.6, 2.confirm.1,
// 2.confirm.6, 2.confirm.7, 2.booked.1, 2.booked.2, 7.client.1, 9.time.1
test('a covered patient books an appointment from the type to the end', async () => {
  const { service, person, press } = await atSlots();
  await heading('Booking In-person visit: Come to the clinic');
  expect(await screen.findByRole('heading', { name: 'Provider A. Stone' })).toBeTruthy();
  expect(screen.getByText('Please scroll down to view more.')).toBeTruthy();
  await press(`09:00, ${formatDay(tomorrow)}, Dr. A. Stone`);
  await heading('Confirm your appointment');
  expect(screen.getByText('Casey Morgan')).toBeTruthy();
  expect(screen.getAllByText('Sun Nov 22 2026 09:00').length).toBeGreaterThan(0);
  await person.type(
    screen.getByRole('textbox', { name: 'Reason for your appointment' }),
    'a cough',
  );
  await press('Next');
  await screen.findByRole('dialog', { name: 'Appointment Details' });
  await press('Agree');
  await heading('Appointment booked');
  expect(screen.getAllByRole('link', { name: /map/ })).toHaveLength(1);
  expect(
    screen.getByText('In-person visit with Dr. A. Stone on Sun Nov 22 2026 09:00.'),
  ).toBeTruthy();
  expect(
    screen.getByText('You can cancel it in My Appointments before Sun Nov 22 2026 03:00.'),
  ).toBeTruthy();
  expect(screen.getByText('It starts within 24 hours and cannot be rescheduled.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Add to calendar' }).getAttribute('download')).toBe(
    'appointment.ics',
  );
  expect(screen.getByText('For Casey Morgan.')).toBeTruthy();
  expect(screen.getByText('Harbour Street Clinic, 100 Harbour Street, Vancouver BC')).toBeTruthy();
  const map = screen.getByRole('link', { name: 'Show on a map' });
  expect(map.getAttribute('href')).toContain('100%20Harbour%20Street');
  expect(screen.getByRole('link', { name: 'Call 604-555-0100' })).toBeTruthy();
  expect(service.calls.filter((call) => call === 'POST /schedule/create')).toHaveLength(1);
  expect(service.calls).not.toContain('DELETE /schedule/hold');
  await press('Return to Home');
  await heading('Please choose appointment type:');
});

// Shows: R-90
test('how long an appointment lasts, and how the patient is seen, is said on every step and in the calendar file', async () => {
  const files: Blob[] = [];
  URL.createObjectURL = (file) => {
    if (file instanceof Blob) files.push(file);
    return 'blob:calendar';
  };
  const { person, press } = await atConfirm({
    days: [aDay(tomorrow, { '101': ['09:00'] }, 'O', 20)],
  });
  const summary = screen.getByRole('complementary', { name: 'Your appointment' });
  expect(within(summary).getByText('20 minutes, until 09:20')).toBeTruthy();
  expect(within(summary).getByText('In person · Come to the clinic')).toBeTruthy();
  expect(screen.getByText('In person').closest('dd')?.textContent).toContain('In-person visit');
  await person.type(screen.getByRole('textbox'), 'a cough');
  await press('Next');
  const details = await screen.findByRole('dialog', { name: 'Appointment Details' });
  expect(within(details).getByText('20 minutes, until 09:20 · In person')).toBeTruthy();
  await press('Agree');
  await heading('Appointment booked');
  expect(screen.getByText('20 minutes, until 09:20 · In person')).toBeTruthy();
  expect(await files.at(-1)?.text()).toContain('DTEND:20261122T162000Z');
});

// Shows: R-30
test('a hold with its draft is offered on home and resumes on confirm', async () => {
  const hold: ApiHold = aHold({ draft: { reason: 'from the draft' } });
  const { press } = await atHome({ hold });
  expect(await screen.findByText('Continue your booking')).toBeTruthy();
  await press('Continue');
  await heading('Confirm your appointment');
  expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('from the draft');
});

// Shows: R-98
test('a time that the clinic holds until it is paid is offered on home, asks of no limit, and is not let go by leaving it', async () => {
  const upcoming = [1, 2].map((days) =>
    anAppointment({ id: `own-${days}`, startTime: tomorrow9 + days * 86_400 }),
  );
  const hold = aHold({ byClinic: true, draft: { reason: '' } });
  const { service, person, press } = await atHome({ hold, appointments: upcoming });
  expect(await screen.findByText('Pay to book this time')).toBeTruthy();
  await press('Continue');
  await heading('Confirm your appointment');
  await person.type(screen.getByRole('textbox'), 'a cough');
  await press('Next');
  await screen.findByRole('dialog', { name: 'Appointment Details' });
  await press('Cancel');
  await press('Back');
  await waitFor(() => expect(screen.queryByText('Confirm your appointment')).toBeNull());
  expect(service.calls.filter((call) => call.startsWith('DELETE /schedule/hold'))).toEqual([]);
});

const became = (made: object | null) => ({ body: { success: true, extras: { hold: null, made } } });

test('a time is released once the service has done so, and the page says so', async () => {
  const { service, press } = await atHome({ hold: aHold({ byClinic: true }) });
  const words = 'Your payment for the time you hold is still under way.';
  service.answer('DELETE /schedule/hold', () => ({
    status: 409,
    body: { success: false, extras: { message: words, code: 'paymentUnderWay' } },
  }));
  await press('Release this time');
  expect(await screen.findByText(words)).toBeTruthy();
  expect(screen.getByText('Pay to book this time')).toBeTruthy();
  service.answer('DELETE /schedule/hold', () => ({ body: { success: true, extras: {} } }));
  service.answer('GET /schedule/hold', () => became(null));
  await press('Release this time');
  await waitFor(() => expect(screen.queryByText('Pay to book this time')).toBeNull());
  expect(document.activeElement?.tagName).toBe('H1');
});

// Shows: R-95
test('a time that was booked meanwhile on another device is shown as booked, not as released', async () => {
  const { service, press } = await atHome({ hold: aHold() });
  await screen.findByText('Continue your booking');
  const made = { code: 'booked', appointment: anAppointment() };
  service.answer('DELETE /schedule/hold', () => ({ body: { success: true, extras: {} } }));
  service.answer('GET /schedule/hold', () => became(made));
  await press('Release this time');
  expect(await heading('Appointment booked')).toBeTruthy();
});

// Shows: R-95
test('whether a time was released is said as unknown where the service does not tell', async () => {
  const { service, press } = await atHome({ hold: aHold() });
  await screen.findByText('Continue your booking');
  service.answer('DELETE /schedule/hold', () => ({ body: { success: true, extras: {} } }));
  service.answer('GET /schedule/hold', () => 'unreachable');
  await press('Release this time');
  expect(await screen.findByText(/^We don't know yet whether the time was released/)).toBeTruthy();
});

// Shows: R-98
test('a time that the clinic holds is not offered to be kept longer before its payment', async () => {
  const usual = aHold();
  const hold: ApiHold = { ...usual, byClinic: true, expiresAt: usual.expiresAt - 480 };
  const { press } = await atHome({ hold });
  await press('Continue');
  await heading('Confirm your appointment');
  expect(screen.getByText(/^Held for you until/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Keep it longer' })).toBeNull();
});

// Shows: R-94
test('a time that the clinic is confirming is not offered on home to go on with', async () => {
  const { service } = await atHome({ hold: aHold({ confirming: true }) });
  await heading('Please choose appointment type:');
  await waitFor(() => expect(service.calls).toContain('GET /schedule/hold'));
  await act(async () => {});
  expect(screen.queryByText('Continue your booking')).toBeNull();
});

// Shows
test('a hold that is offered on home says how long it lasts where the types differ in length', async () => {
  const types = [aType('O'), aType('P', { description: 'Phone consultation', minutes: 10 })];
  const hold = aHold({ type: 'P' });
  await atHome({
    hold: { ...hold, end: hold.start + 600 },
    user: { ...casey, appointmentType: types },
  });
  expect(await screen.findByText('10 minutes, until 09:10 · By phone')).toBeTruthy();
});

// Shows: R-94
test('while the clinic’s system does not answer, each step says as of when the times are, and a refusal keeps the answers', async () => {
  const { service, person, press, queryClient } = await atSlots();
  const asOf = toInstant('2026-11-21', '09:41');
  service.answer('GET /services/oscarStatus', () => ({
    body: { success: true, status: true, extras: { asOf } },
  }));
  service.answer('POST /schedule/create', () => ({
    status: 503,
    body: refusal('clinicUnreachable', 'Please try again later or call the clinic.'),
  }));
  await act(() => queryClient.fetchQuery({ ...recordsQuery, staleTime: 0 }));
  expect(await screen.findByText(/^Times as of 09:41\. .* call the clinic\.$/)).toBeTruthy();
  await press(`09:00, ${formatDay(tomorrow)}, Dr. A. Stone`);
  await heading('Confirm your appointment');
  expect(screen.getByText(/^Times as of 09:41/)).toBeTruthy();
  await person.type(screen.getByRole('textbox'), 'a cough');
  await press('Next');
  await screen.findByRole('dialog', { name: 'Appointment Details' });
  await press('Agree');
  expect(await screen.findByText('Please try again later or call the clinic.')).toBeTruthy();
  expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('a cough');
  act(() => takeStatus(queryClient, true));
  await waitFor(() => expect(screen.queryByText(/^Times as of/)).toBeNull());
});

test('while the clinic’s system refuses us, nobody is told that it cannot be reached', async () => {
  const { service, queryClient } = await atSlots();
  const asOf = toInstant('2026-11-21', '09:41');
  service.answer('GET /services/oscarStatus', () => ({
    body: { success: true, status: true, extras: { asOf, refused: true } },
  }));
  await act(() => queryClient.fetchQuery({ ...recordsQuery, staleTime: 0 }));
  const said = await screen.findByText(/^Times as of 09:41\. .* Please call the clinic\.$/);
  expect(said.textContent).toContain('does not accept bookings from this page right now');
  expect(said.textContent).not.toContain('cannot reach');
});

test('a session that ends in the middle of confirm loses nothing', async () => {
  const { person, press, queryClient } = await atConfirm();
  await person.type(screen.getByRole('textbox'), 'a cough');
  act(() => endSession(queryClient, { why: 'ended', message: null }));
  await press('Log in again');
  await heading('Confirm your appointment');
  expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('a cough');
});

test.each(['POST /schedule/create', 'GET /demographics', 'PUT /schedule/hold/draft'])(
  'a session that %s finds to be over loses neither the step nor the answers',
  async (call) => {
    const { service, person, press } = await atConfirm({}, { [call]: () => tokenNotValid });
    // At once: a slow machine saves what is typed between two keys, and the session is over there.
    await person.click(screen.getByRole('textbox'));
    await person.paste('a cough');
    if (call !== 'PUT /schedule/hold/draft') await press('Next');
    if (call === 'POST /schedule/create') await press('Agree');
    await screen.findByRole('button', { name: 'Log in again' });
    const works = bookingClinic()[call];
    if (works) service.answer(call, works);
    await press('Log in again');
    await heading('Confirm your appointment');
    expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('a cough');
    await press('Next');
    await press('Agree');
    await heading('Appointment booked');
  },
);

test('a logout forgets the journey', async () => {
  const { person, press, queryClient } = await atConfirm();
  await person.type(screen.getByRole('textbox'), 'a cough');
  act(() => endSession(queryClient, { why: 'loggedOut' }));
  await press('Log in again');
  expect(await heading('Please choose appointment type:')).toBeTruthy();
});

// Shows: 1.can.3, 2.choose-type.1, 2.pick-slot.1, 2.booked.1, 3.appointment.3, 4.reschedule.1,
// 4.reschedule.2, R-51, R-96
test('moving an appointment keeps its type, skips the limits and ends as rescheduled', async () => {
  const appointment = anAppointment({ startTime: toInstant(tomorrow, '15:00'), paidAmount: 150 });
  const { person, press, choose, service } = await atHome(
    { appointments: [appointment] },
    {},
    moveAppointment(appointment.id, 'O'),
  );
  await heading('Reschedule In-person visit Appointment');
  expect(screen.queryByRole('radio', { name: 'Phone consultation' })).toBeNull();
  await choose('Earliest available doctor');
  await press('Next');
  await heading('Reschedule In-person visit: Come to the clinic');
  await press(/^09:00/);
  await person.type(await screen.findByRole('textbox'), 'a cough');
  await press('Next');
  const details = within(await screen.findByRole('dialog', { name: 'Appointment Details' }));
  const paid = 'It cannot be cancelled, and the fee of CAD 150.00 is non-refundable.';
  expect(details.getByText(paid)).toBeTruthy();
  service.answer('GET /me/appointments', () => ({
    body: {
      doctors: [],
      appointments: [{ ...appointment, status: 'rescheduled' }],
      hasOlder: false,
    },
  }));
  await press('Agree');
  await heading('Appointment rescheduled');
  await press('Return to Home');
  await heading('Please choose appointment type:');
});

// Shows: R-50
test('moving an appointment names the one that is moved and brings its reason along', async () => {
  const appointment = anAppointment();
  const { press, choose } = await atHome(
    { appointments: [appointment] },
    reply('placeHold', ({ body: { doctor, start, end } }) => {
      const draft = { reason: 'a sore knee' };
      const rescheduleOf = appointment.id;
      return {
        success: true,
        extras: { hold: aHold({ doctor, start, end, rescheduleOf, draft }) },
      };
    }),
    moveAppointment(appointment.id, 'O'),
  );
  await choose('Earliest available doctor');
  expect(screen.getByText(/^You are moving .+ Tue Dec 15 2026 13:00\./)).toBeTruthy();
  await press('Next');
  await press(/^09:00/);
  expect((await screen.findByRole<HTMLTextAreaElement>('textbox')).value).toBe('a sore knee');
  const row = screen.getByText('In place of').parentElement;
  expect(row?.textContent).toContain('Tue Dec 15 2026 13:00');
});

// Shows: R-94
test('one that the clinic changed before it was moved leads to My Appointments, where it stands', async () => {
  const appointment = anAppointment();
  const { person, press, choose } = await atHome(
    { appointments: [appointment] },
    {
      'POST /schedule/create': () => ({
        status: 409,
        body: refusal('changedByClinic', 'The clinic has changed this appointment.'),
      }),
    },
    moveAppointment(appointment.id, 'O'),
  );
  await choose('Earliest available doctor');
  await press('Next');
  await press(/^09:00/);
  await person.type(await screen.findByRole('textbox'), 'a cough');
  await press('Next');
  await press('Agree');
  await waitFor(() => expect(window.location.pathname).toBe('/appointments'));
});

// Shows: 4.reschedule.2, 8.alerts.8, R-50
test('an old visit that still stands after moving it is said in the words of the specification', async () => {
  const appointment = anAppointment();
  const { person, press, choose } = await atHome(
    { appointments: [appointment] },
    {},
    moveAppointment(appointment.id, 'O'),
  );
  await choose('Earliest available doctor');
  await press('Next');
  await press(/^09:00/);
  await person.type(await screen.findByRole('textbox'), 'a cough');
  await press('Next');
  await press('Agree');
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Appiontment rescheduled successfully but failed to cancel previous appointment, please cancel the appointment in my appointment tab.',
  );
});
