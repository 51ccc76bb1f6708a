import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ApiAppointment } from '@clinic/contract';
import { toInstant } from '@clinic/domain';
import { Route } from 'wouter';
import { beforeEach, expect, test, vi } from 'vitest';
import { keepToken } from '../../api/access-token.ts';
import { PrivateRoute } from '../../shared/session/guarded-routes.tsx';
import { endSession } from '../../shared/session/session.ts';
import { AlertStack, clearAlerts } from '../../shared/shell/alerts.tsx';
import {
  anAppointment,
  bookingClinic,
  CLINIC_NOW,
  reply,
  type Replies,
} from '../../testing/booking-clinic.ts';
import { liveSays } from '../../testing/fake-live.ts';
import { fakeService, refusal, type FakeService } from '../../testing/fake-service.ts';
import { FollowChanges } from '../../testing/follow-changes.tsx';
import { goBack, renderPage } from '../../testing/render.tsx';
import { AppointmentsPage } from './appointments-page.tsx';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: CLINIC_NOW * 1000 });
  return () => {
    vi.useRealTimers();
    clearAlerts();
  };
});

/** The confirmation screen of one appointment. */
async function atCancel(appointment: ApiAppointment, changed: Replies = {}) {
  const service = fakeService({ ...bookingClinic({ appointments: [appointment] }), ...changed });
  keepToken('token');
  const { queryClient } = renderPage(
    <>
      <FollowChanges />
      <AlertStack />
      <Route path="/appointments">
        <PrivateRoute>
          <AppointmentsPage />
        </PrivateRoute>
      </Route>
    </>,
    '/appointments',
  );
  const person = userEvent.setup();
  const press = async (name: string) => person.click(await screen.findByRole('button', { name }));
  await press('Cancel Appointment');
  await screen.findByRole('heading', { level: 1, name: 'Cancel Appointment' });
  return { service, press, queryClient };
}

const stillOnScreen = () => screen.getByRole('heading', { level: 1, name: 'Cancel Appointment' });

// Shows: 1.can.4, 2.appointments.7, 4.cancel.1, 7.client.1
test('Confirm Cancellation cancels the appointment and loads the list again', async () => {
  const { service, press } = await atCancel(
    anAppointment(),
    reply(
      'cancelAppointment',
      () => ({ success: true, extras: { message: 'Cancelled.', code: 'cancelled' } }),
      '/schedule/visit-1',
    ),
  );
  expect(screen.getByText('Are you sure you wish to cancel this appointment?')).toBeTruthy();
  service.answer('GET /me/appointments', () => ({
    body: { doctors: [], appointments: [anAppointment({ status: 'cancelled' })], hasOlder: false },
  }));
  await press('Confirm Cancellation');
  const cancelled = within(await screen.findByRole('region', { name: /^Cancelled/ }));
  expect(await cancelled.findByText('Tue Dec 15 2026 at 13:00')).toBeTruthy();
  expect(service.calls).toContain('DELETE /schedule/visit-1');
});

// Shows: 2.appointments.7
test('Back on the confirmation screen cancels nothing', async () => {
  const { service, press } = await atCancel(anAppointment());
  await press('Back');
  expect(await screen.findByRole('heading', { level: 1, name: 'My Appointments' })).toBeTruthy();
  expect(service.calls.some((call) => call.startsWith('DELETE'))).toBe(false);
});

// Shows: R-101
test('Back of the browser on the confirmation screen returns to the list (R-101)', async () => {
  await atCancel(anAppointment());
  await goBack();
  expect(await screen.findByRole('heading', { level: 1, name: 'My Appointments' })).toBeTruthy();
});

test('two presses in one millisecond are one request', async () => {
  const { service } = await atCancel(anAppointment(), {
    'DELETE /schedule/visit-1': () => new Promise(() => {}),
  });
  const confirm = screen.getByRole('button', { name: 'Confirm Cancellation' });
  act(() => {
    confirm.click();
    confirm.click();
  });
  await screen.findByText('Cancelling…');
  expect(service.calls.filter((call) => call.startsWith('DELETE'))).toHaveLength(1);
});

test('whoever has left the screen hears in the alerts what came of it, and stays where they are', async () => {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  const { press } = await atCancel(anAppointment(), {
    'DELETE /schedule/visit-1': async () => {
      await asked;
      return { status: 409, body: refusal('notCancellable', 'It can no longer be cancelled.') };
    },
  });
  await press('Confirm Cancellation');
  await goBack();
  await screen.findByRole('heading', { level: 1, name: 'My Appointments' });
  answer();
  expect(await screen.findByText('It can no longer be cancelled.')).toBeTruthy();
  expect(screen.getByRole('heading', { level: 1, name: 'My Appointments' })).toBeTruthy();
});

test('whoever has logged out meanwhile is told nothing any more, nor is who comes next', async () => {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  const { press, queryClient } = await atCancel(anAppointment(), {
    'DELETE /schedule/visit-1': async () => {
      await asked;
      return { body: { success: true } };
    },
  });
  await press('Confirm Cancellation');
  act(() => endSession(queryClient, { why: 'loggedOut' }));
  await act(async () => {
    answer();
    await expect.poll(() => queryClient.isMutating()).toBe(0);
  });
  expect(screen.getByRole('log').textContent).toBe('');
});

// Shows: 2.appointments.7
test('while the cancellation is on its way an overlay says so and nothing can be pressed', async () => {
  const { press } = await atCancel(anAppointment(), {
    'DELETE /schedule/visit-1': () => new Promise(() => {}),
  });
  await press('Confirm Cancellation');
  expect(await screen.findByText('Cancelling…')).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Back' }).disabled).toBe(true);
});

// Shows: 2.shell.7, 4.cancel.1, 8.cancel.1, text.delete-schedule-id
test('a cancellation that fails keeps the screen, with the alert', async () => {
  const { press } = await atCancel(anAppointment(), {
    'DELETE /schedule/visit-1': () => ({ status: 409, body: {} }),
  });
  await press('Confirm Cancellation');
  expect(await screen.findByText('An unknown error has occurred')).toBeTruthy();
  expect(stillOnScreen()).toBeTruthy();
});

// Shows: R-95
test('a cancellation whose answer was lost is asked for again, and ends in what stands (R-95)', async () => {
  const { press, service } = await atCancel(anAppointment(), {
    'DELETE /schedule/visit-1': () => 'unreachable',
  });
  await press('Confirm Cancellation');
  expect(await screen.findByText('We are checking')).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Back' }).disabled).toBe(true);
  service.answer('DELETE /schedule/visit-1', () => ({
    body: { success: true, extras: { message: 'Cancelled.', code: 'cancelled' } },
  }));
  expect(await screen.findByText('Your appointment is cancelled.')).toBeTruthy();
  expect(service.calls.filter((call) => call.startsWith('DELETE')).length).toBeGreaterThan(1);
});

test('after a minute without an answer nothing is said of the cancellation as a fact (R-95)', async () => {
  const { press } = await atCancel(anAppointment(), {
    'DELETE /schedule/visit-1': () => ({ status: 502, body: {} }),
  });
  vi.useFakeTimers({
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'],
    shouldAdvanceTime: true,
    now: CLINIC_NOW * 1000,
  });
  await press('Confirm Cancellation');
  await screen.findByText('We are checking');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(
    await screen.findByText(
      'We could not reach the clinic. Your appointment may have been cancelled: see My Appointments before you try again.',
    ),
  ).toBeTruthy();
  expect(stillOnScreen()).toBeTruthy();
});

// Shows: 8.cancel.1
test('what the service says about a refusal goes first', async () => {
  const { press } = await atCancel(anAppointment(), {
    'DELETE /schedule/visit-1': () => ({
      status: 409,
      body: refusal('notCancellable', 'This visit can no longer be cancelled online.'),
    }),
  });
  await press('Confirm Cancellation');
  expect(await screen.findByText('This visit can no longer be cancelled online.')).toBeTruthy();
  expect(stillOnScreen()).toBeTruthy();
});

test('a cancellation that the clinic cannot be told yet is said to be sent, never to be done', async () => {
  const message = 'Your cancellation is sent to the clinic as soon as the clinic can be reached.';
  const { press } = await atCancel(anAppointment(), {
    'DELETE /schedule/visit-1': () => ({
      body: { success: true, extras: { message, code: 'cancelSent' } },
    }),
  });
  await press('Confirm Cancellation');
  expect(await screen.findByText(message)).toBeTruthy();
  expect(screen.queryByText('Your appointment is cancelled.')).toBeNull();
  expect(screen.getByRole('heading', { level: 1, name: 'My Appointments' })).toBeTruthy();
});

test('one that the clinic changed meanwhile is not cancelled: the list shows how it stands, and has the focus', async () => {
  const message = 'The clinic has changed this appointment in the meantime.';
  const { service, press } = await atCancel(anAppointment(), {
    'DELETE /schedule/visit-1': () => ({
      status: 409,
      body: refusal('changedByClinic', message),
    }),
  });
  const registered = anAppointment({ status: 'registered' });
  service.answer('GET /me/appointments', () => ({
    body: { doctors: [], appointments: [registered], hasOlder: false },
  }));
  await press('Confirm Cancellation');
  expect(await screen.findByText(message)).toBeTruthy();
  expect(await screen.findByText('Registered at the clinic')).toBeTruthy();
  const heading = screen.getByRole('heading', { level: 1, name: 'My Appointments' });
  expect(document.activeElement).toBe(heading);
});

// Shows: R-44
test('the confirmation screen names the fee that is kept', async () => {
  await atCancel(anAppointment({ paidAmount: 75 }));
  expect(screen.getByText('The fee of CAD 75.00 is non-refundable.')).toBeTruthy();
});

const cancelled = anAppointment({ status: 'cancelled' });
const moved = anAppointment({
  status: 'cancelled',
  movedTo: { id: 'next', startTime: toInstant('2026-12-16', '14:00') },
});
const nowListed = (service: FakeService, appointment: ApiAppointment) =>
  service.answer('GET /me/appointments', () => ({
    body: { doctors: [], appointments: [appointment], hasOlder: false },
  }));

test.each([
  ['cancelled', cancelled, 'This appointment has been cancelled.'],
  ['moved', moved, 'Moved to Wed Dec 16 2026 14:00'],
] as const)(
  'the confirmation screen of an appointment that is %s elsewhere says so, and asks nothing more',
  async (_, now, words) => {
    const { service } = await atCancel(anAppointment());
    nowListed(service, now);
    liveSays('onAppointments');
    expect((await screen.findByRole('alert')).textContent).toBe(words);
    expect(screen.queryByRole('button', { name: 'Confirm Cancellation' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Back' }));
    expect(await screen.findByRole('heading', { name: 'My Appointments' })).toBeTruthy();
  },
);

test('nothing is said to be cancelled where the appointment had been moved a moment before', async () => {
  const { service, press } = await atCancel(
    anAppointment(),
    reply(
      'cancelAppointment',
      () => ({ success: true, extras: { message: 'Cancelled.', code: 'cancelled' } }),
      '/schedule/visit-1',
    ),
  );
  nowListed(service, moved);
  await press('Confirm Cancellation');
  expect(
    await screen.findByText(/^Nothing was cancelled: your appointment had been moved/),
  ).toBeTruthy();
  expect(screen.queryByText('Your appointment is cancelled.')).toBeNull();
});
