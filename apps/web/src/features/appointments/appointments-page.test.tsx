import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { keyOfHold, toInstant } from '@clinic/domain';
import type { ApiAppointment, ApiUser } from '@clinic/contract';
import { Route, Switch } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { dropToken, keepToken } from '../../api/access-token.ts';
import { moveAppointment } from '../../shared/booking-link.ts';
import { PrivateRoute } from '../../shared/session/guarded-routes.tsx';
import {
  anAppointment,
  bookingClinic,
  CLINIC_NOW,
  reply,
  type Replies,
} from '../../testing/booking-clinic.ts';
import { liveSays } from '../../testing/fake-live.ts';
import { fakeService, refusal } from '../../testing/fake-service.ts';
import { FollowChanges } from '../../testing/follow-changes.tsx';
import { casey } from '../../testing/people.ts';
import { renderPage } from '../../testing/render.tsx';
import { AppointmentsPage } from './appointments-page.tsx';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: CLINIC_NOW * 1000 });
  return () => {
    vi.useRealTimers();
  };
});

function Home() {
  return <p>home {JSON.stringify(useHistoryState())}</p>;
}

function open(
  appointments: readonly ApiAppointment[],
  {
    user = casey,
    changed = {},
    signedIn = true,
    path = '/appointments',
  }: { user?: ApiUser; changed?: Replies; signedIn?: boolean; path?: string } = {},
) {
  const service = fakeService({ ...bookingClinic({ appointments, user }), ...changed });
  if (signedIn) keepToken('token');
  else dropToken();
  const { queryClient } = renderPage(
    <Switch>
      <Route path="/appointments">
        <FollowChanges />
        <PrivateRoute>
          <AppointmentsPage />
        </PrivateRoute>
      </Route>
      <Route path="/">
        <Home />
      </Route>
      <Route path="/login">
        <p>login</p>
      </Route>
    </Switch>,
    path,
  );
  return { service, queryClient, person: userEvent.setup() };
}

const section = async (name: string) =>
  within(await screen.findByRole('region', { name: new RegExp(`^${name}`) }));
const soon = CLINIC_NOW + 3 * 3600;
const long = CLINIC_NOW + 48 * 3600;

// Shows: R-52
test('of an appointment that was moved its card says where it went', async () => {
  const movedTo = { id: 'next', startTime: toInstant('2026-12-15', '13:00') };
  open([anAppointment({ status: 'cancelled', isEditable: false, movedTo })]);
  const cancelled = await section('Cancelled');
  expect(await cancelled.findByText('Moved to Tue Dec 15 2026 13:00')).toBeTruthy();
});

// Shows: 2.appointments.3, R-55
test('a card says what, when in clinic time, with whom, the code and the fee paid', async () => {
  open([anAppointment({ checkin: 'B7', paidAmount: 75 })]);
  const upcoming = await section('Upcoming');
  expect(upcoming.getByText('In-person visit')).toBeTruthy();
  expect(upcoming.getByText('Tue Dec 15 2026 13:00')).toBeTruthy();
  expect(upcoming.getByText('Dr. A. Stone')).toBeTruthy();
  expect(upcoming.getByText('B7')).toBeTruthy();
  expect(upcoming.getByText('CAD 75.00')).toBeTruthy();
});

// Shows: R-90
test('a card, and the question before it moves, say how long the appointment lasts and how the patient is seen', async () => {
  const startTime = toInstant('2026-12-15', '13:00');
  const { person } = open([
    anAppointment({ startTime, endTime: startTime + 40 * 60, mode: 'video' }),
    anAppointment({ id: 'visit-2' }),
  ]);
  const upcoming = await section('Upcoming');
  expect(upcoming.getByText('40 minutes, until 13:40 · By video')).toBeTruthy();
  // Of 5 minutes at the clinic that is all.
  expect(upcoming.getByText('5 minutes, until 13:05')).toBeTruthy();
  const [first] = upcoming.getAllByRole('button', { name: 'Reschedule Appointment' });
  if (first) await person.click(first);
  const question = await screen.findByRole('alertdialog', { name: 'Warning' });
  expect(within(question).getByText('40 minutes, until 13:40 · By video')).toBeTruthy();
});

// Shows: 2.appointments.3, R-55
test('an appointment whose doctor nobody knows says N/A', async () => {
  open([anAppointment({ doctor: '999' })]);
  expect((await section('Upcoming')).getByText('N/A')).toBeTruthy();
});

// Shows: 2.appointments.5
test('a cancelled visit says day at time and has no buttons', async () => {
  open([anAppointment({ status: 'cancelled' })]);
  const cancelled = await section('Cancelled');
  expect(cancelled.getByText('Tue Dec 15 2026 at 13:00')).toBeTruthy();
  expect(cancelled.getByText('Dr. A. Stone')).toBeTruthy();
  expect(cancelled.queryByRole('button', { name: 'Cancel Appointment' })).toBeNull();
});

// Shows: R-94
test('one that the clinic is confirming has no buttons but giving it up, whose refusal stands beside it', async () => {
  const confirming = anAppointment({ status: 'confirming', bookingId: null, isEditable: true });
  let listed = [confirming];
  let answers = false;
  let key: string | null = null;
  const { person } = open([], {
    changed: {
      ...reply('listAppointments', () => ({ doctors: [], appointments: listed, hasOlder: false })),
      'DELETE /schedule/hold': ({ headers }) => {
        key = headers.get('idempotency-key');
        if (!answers) return { status: 409, body: refusal('clinicConfirming', 'Not now.') };
        listed = [];
        return { status: 200, body: { success: true } };
      },
    },
  });
  const upcoming = await section('Upcoming');
  expect(upcoming.getByText('The clinic is confirming your appointment')).toBeTruthy();
  expect(upcoming.queryByRole('button', { name: /(Cancel|Reschedule) Appointment/ })).toBeNull();
  const giveUp = upcoming.getByRole('button', { name: 'Give up this appointment' });
  await person.click(giveUp);
  expect(await upcoming.findByText('Not now.')).toBeTruthy();
  answers = true;
  await person.click(giveUp);
  expect(await screen.findByText('No upcoming appointments')).toBeTruthy();
  expect(key).toBe(keyOfHold(confirming.id));
});

describe('The outcome of giving one up', () => {
  const confirming = anAppointment({ status: 'confirming', bookingId: null, isEditable: true });

  async function askedFor() {
    let listed = [confirming];
    const answered = Promise.withResolvers<boolean>();
    const { person } = open([], {
      changed: {
        ...reply('listAppointments', () => ({
          doctors: [],
          appointments: listed,
          hasOlder: false,
        })),
        'DELETE /schedule/hold': async () => {
          if (!(await answered.promise))
            return { status: 409, body: refusal('clinicConfirming', 'Not now.') };
          listed = [];
          return { status: 200, body: { success: true } };
        },
      },
    });
    const giveUp = await screen.findByRole('button', { name: 'Give up this appointment' });
    await person.click(giveUp);
    return { person, answer: answered.resolve };
  }
  const previous = () => screen.getByRole('button', { name: /^Previous/ });

  test('takes the focus from the button that goes with it', async () => {
    const { answer } = await askedFor();
    answer(true);
    await screen.findByText('No upcoming appointments');
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  });

  test.each([
    [true, 'No upcoming appointments'],
    [false, 'Not now.'],
  ])('leaves it where another button was pressed since (done: %s)', async (isDone, says) => {
    const { person, answer } = await askedFor();
    await person.click(previous());
    answer(isDone);
    await screen.findByText(says);
    expect(document.activeElement).toBe(previous());
  });
});

test('one whose cancellation is sent to the clinic says so among the upcoming, and has no buttons', async () => {
  open([anAppointment({ status: 'cancelling', bookingId: null, isEditable: true })]);
  const upcoming = await section('Upcoming');
  expect(
    upcoming.getByText('Cancellation sent to the clinic, which has not confirmed it yet'),
  ).toBeTruthy();
  expect(upcoming.queryByRole('button', { name: /Appointment/ })).toBeNull();
});

// Shows: 2.appointments.2
test('empty sections say so', async () => {
  open([]);
  expect(await screen.findByText('No upcoming appointments')).toBeTruthy();
  expect(screen.getByText('No previous appointment history')).toBeTruthy();
  expect(screen.getByText('No cancelled appointments')).toBeTruthy();
});

test('Previous and Cancelled begin folded when there is something upcoming', async () => {
  const { person } = open([
    anAppointment(),
    anAppointment({ id: 'v2', startTime: CLINIC_NOW - 86_400 }),
  ]);
  const fold = await screen.findByRole('button', { name: 'Previous (1)' });
  expect(fold.getAttribute('aria-expanded')).toBe('false');
  await person.click(fold);
  expect(fold.getAttribute('aria-expanded')).toBe('true');
});

test('upcoming visits come with the next one first, previous ones with the latest first', async () => {
  open([
    anAppointment({ id: 'late', startTime: toInstant('2026-12-20', '10:00') }),
    anAppointment({ id: 'next', startTime: toInstant('2026-11-25', '10:00') }),
    anAppointment({ id: 'older', startTime: toInstant('2026-10-01', '10:00') }),
    anAppointment({ id: 'newer', startTime: toInstant('2026-11-01', '10:00') }),
  ]);
  const times = async (name: string) =>
    (await section(name)).getAllByText(/2026 10:00$/).map(({ textContent }) => textContent);
  expect(await times('Upcoming')).toEqual(['Wed Nov 25 2026 10:00', 'Sun Dec 20 2026 10:00']);
  expect(await times('Previous')).toEqual(['Sun Nov 01 2026 10:00', 'Thu Oct 01 2026 10:00']);
});

// Shows: 5.buttons.1, R-53
test.each([
  ['within six hours', { startTime: soon }, /starts within 6 hours/],
  [
    'paid 140 or more',
    { startTime: long, paidAmount: 140 },
    /^It cannot be cancelled, and the fee of CAD 140\.00 is non-refundable\.$/,
  ],
  [
    'not cancellable',
    { startTime: long, isCancellable: false },
    /^A private appointment like this one cannot be cancelled\.$/,
  ],
])('a visit %s has a struck button that says why', async (_, over, why) => {
  open([anAppointment(over)]);
  const button = await screen.findByRole<HTMLButtonElement>('button', {
    name: 'Cancel Appointment',
  });
  expect(button.disabled).toBe(true);
  expect(screen.getByText(why)).toBeTruthy();
});

// Shows: R-98
test('whom the clinic moved reads that they may cancel until the start, and what goes back', async () => {
  const { person } = open([
    anAppointment({ startTime: soon, paidAmount: 200, movedByClinic: true }),
  ]);
  expect(
    await screen.findByText(
      /^The clinic moved this appointment\. You can cancel it in My Appointments before .+ The fee of CAD 200\.00 is given back in full\.$/,
    ),
  ).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'Cancel Appointment' }));
  expect(await screen.findByText('The fee of CAD 200.00 is given back in full.')).toBeTruthy();
});

// Shows: 2.appointments.3, 5.buttons.2
test('Reschedule is absent for an appointment that starts within 24 hours or may not be moved', async () => {
  open([
    anAppointment({ id: 'v1', startTime: CLINIC_NOW + 24 * 3600 }),
    anAppointment({ id: 'v2', startTime: long, isReschedulable: false }),
  ]);
  await screen.findAllByRole('button', { name: 'Cancel Appointment' });
  expect(screen.queryByRole('button', { name: 'Reschedule Appointment' })).toBeNull();
});

// Shows: R-96
test.each([
  [
    'starts within 24 hours',
    { startTime: CLINIC_NOW + 24 * 3600 },
    ['It starts within 24 hours and cannot be rescheduled.'],
  ],
  [
    'may not be moved',
    { startTime: long, isReschedulable: false },
    ['It cannot be rescheduled online.'],
  ],
  [
    'starts within six hours',
    { startTime: soon },
    [
      'It starts within 6 hours and can no longer be cancelled online.',
      'It cannot be rescheduled either.',
    ],
  ],
])('where Reschedule is absent because it %s, the card says so', async (_, over, sentences) => {
  open([anAppointment(over)]);
  const upcoming = await section('Upcoming');
  expect(upcoming.getAllByText(/^It (starts|cannot)/).map((each) => each.textContent)).toEqual(
    sentences,
  );
});

// Shows: 5.buttons.1, R-53
test('an open list strikes Cancel through when the six hours begin (R-53)', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: CLINIC_NOW * 1000 });
  open([anAppointment({ startTime: CLINIC_NOW + 6 * 3600 + 60 })]);
  const cancel = await screen.findByRole<HTMLButtonElement>('button', {
    name: 'Cancel Appointment',
  });
  expect(cancel.disabled).toBe(false);
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(cancel.disabled).toBe(true);
  expect(screen.getByText(/starts within 6 hours/)).toBeTruthy();
});

test('an open list moves an appointment that has begun to Previous', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: CLINIC_NOW * 1000 });
  open([anAppointment({ startTime: CLINIC_NOW + 60 })]);
  await screen.findByRole('region', { name: 'Upcoming (1)' });
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(await screen.findByRole('region', { name: 'Previous (1)' })).toBeTruthy();
});

test('only what is still to come reads as registered at the clinic', async () => {
  open([
    anAppointment({ id: 'v1', status: 'registered', startTime: long }),
    anAppointment({ id: 'v2', status: 'registered', startTime: CLINIC_NOW - 40 * 86_400 }),
  ]);
  expect((await section('Upcoming')).getByText('Registered at the clinic')).toBeTruthy();
  expect((await section('Previous')).queryByText('Registered at the clinic')).toBeNull();
});

test('what is booked says where the clinic is, how to call it, and leads to a map', async () => {
  open([anAppointment()]);
  const upcoming = await section('Upcoming');
  expect(upcoming.getByText('100 Harbour Street, Vancouver BC')).toBeTruthy();
  expect(upcoming.getByRole('link', { name: /map/ }).getAttribute('href')).toBe(
    'https://www.google.com/maps/search/?api=1&query=100%20Harbour%20Street%2C%20Vancouver%20BC',
  );
  expect(upcoming.getByRole('link', { name: /604-555-0100/ }).getAttribute('href')).toBe(
    'tel:604-555-0100',
  );
});

test('the receipt of what was paid can be printed: who, what, when, how much and its reference', async () => {
  const print = vi.fn();
  vi.stubGlobal('print', print);
  const paidAt = toInstant('2026-10-01', '09:30');
  const receipt = { amount: 75, paidAt, reference: 'P-0123456789' };
  const startTime = toInstant('2026-11-20', '10:00');
  const endTime = startTime + 10 * 60;
  const past = { startTime, endTime, description: 'Private visit', paidAmount: 75 };
  const { person } = open([anAppointment({ ...past, receipt })]);
  await person.click(await screen.findByRole('link', { name: 'Receipt' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Receipt' })).toBeTruthy();
  for (const words of [
    'Harbour Street Clinic',
    '100 Harbour Street, Vancouver BC',
    'Casey Morgan',
    'Private visit, Fri Nov 20 2026 10:00, Dr. A. Stone',
    '10 minutes, until 10:10 · In person',
    'CAD 75.00',
    'Thu Oct 01 2026 09:30',
    'P-0123456789',
  ])
    expect(screen.getByText(words)).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'Print or save as PDF' }));
  expect(print).toHaveBeenCalledOnce();
  await person.click(screen.getByRole('button', { name: 'Back' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'My Appointments' })).toBeTruthy();
  vi.unstubAllGlobals();
});

test('the address of a receipt that was never given says so, with the way back', async () => {
  const { person } = open([anAppointment()], { path: '/appointments?receipt=visit-1' });
  expect(
    await screen.findByText(
      'There is no receipt: nothing was paid online for this appointment, or what was paid was given back.',
    ),
  ).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'Back' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Receipts' })).toBeTruthy();
});

test('the receipt of an appointment of long ago is fetched, as after a reload', async () => {
  const receipt = { amount: 75, paidAt: CLINIC_NOW, reference: 'P-0123456789' };
  const startTime = toInstant('2023-03-01', '10:00');
  const old = anAppointment({ startTime, paidAmount: 75, receipt });
  const { person } = open([], {
    changed: reply('listAppointments', ({ search }) => {
      const all = search.get('all') === 'true';
      return { doctors: [], appointments: all ? [old] : [], hasOlder: !all };
    }),
  });
  await person.click(
    await screen.findByRole('button', { name: 'Show appointments from more than 24 months ago' }),
  );
  await person.click(await screen.findByRole('link', { name: 'Receipt' }));
  expect(await screen.findByText('P-0123456789')).toBeTruthy();
});

test('every receipt is listed, the latest payment first, and leads to what was paid', async () => {
  const paid = (id: string, day: string, paidOn: string) =>
    anAppointment({
      id,
      startTime: toInstant(day, '10:00'),
      paidAmount: 75,
      receipt: { amount: 75, paidAt: toInstant(paidOn, '09:30'), reference: `P-${id}` },
    });
  const { person } = open([
    anAppointment({ id: 'free' }),
    paid('first', '2026-11-20', '2026-10-01'),
    paid('second', '2023-03-01', '2026-10-02'),
  ]);
  await person.click(await screen.findByRole('link', { name: 'Receipts' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Receipts' })).toBeTruthy();
  const receipts = await screen.findAllByRole('listitem');
  expect(receipts.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/Wed Mar 01 2023 10:00CAD 75\.00, paid on Fri Oct 02 2026 09:30$/),
    expect.stringMatching(/Fri Nov 20 2026 10:00CAD 75\.00, paid on Thu Oct 01 2026 09:30$/),
  ]);
  await person.click(screen.getByRole('link', { name: /Wed Mar 01 2023/ }));
  expect(await screen.findByText('P-second')).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'Back' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Receipts' })).toBeTruthy();
});

test('Back from a receipt that was opened by its address leads to the receipts, in its place', async () => {
  const receipt = { amount: 75, paidAt: CLINIC_NOW, reference: 'P-0123456789' };
  const { person } = open([anAppointment({ id: 'paid', paidAmount: 75, receipt })], {
    path: '/appointments?receipt=paid',
  });
  await screen.findByText('P-0123456789');
  const entries = window.history.length;
  await person.click(screen.getByRole('button', { name: 'Back' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Receipts' })).toBeTruthy();
  expect(window.history.length).toBe(entries);
});

test('a patient who paid for nothing has no receipts', async () => {
  open([anAppointment()], { path: '/appointments?view=receipts' });
  expect(await screen.findByText('No receipts')).toBeTruthy();
});

test('what was not paid for, or paid back, has no receipt', async () => {
  open([anAppointment()]);
  await section('Upcoming');
  expect(screen.queryByRole('link', { name: 'Receipt' })).toBeNull();
});

// Shows: 4.appointment-status.1, R-52
test('an appointment without a booking id shows without buttons', async () => {
  open([anAppointment({ bookingId: null })]);
  await section('Upcoming');
  expect(screen.queryByRole('button', { name: 'Cancel Appointment' })).toBeNull();
});

// Shows: 1.can.4, 2.appointments.8, 3.appointment.3, 4.reschedule.1
test('Yes, reschedule appointment keeps the appointment as the one to move and goes home', async () => {
  const { person } = open([anAppointment()]);
  await person.click(await screen.findByRole('button', { name: 'Reschedule Appointment' }));
  const dialog = await screen.findByRole('alertdialog', { name: 'Warning' });
  expect(dialog.textContent).toContain('Are you sure you want to reschedule your appointment ?');
  expect(dialog.textContent).toContain('In-person visit, Tue Dec 15 2026 13:00');
  await person.click(screen.getByRole('button', { name: 'Yes, reschedule appointment' }));
  const moving = JSON.stringify(moveAppointment('visit-1', 'O'));
  expect(await screen.findByText(`home ${moving}`)).toBeTruthy();
});

// Shows: 2.appointments.8
test('the question about moving an appointment that is cancelled elsewhere says so, and asks nothing more', async () => {
  const { person, service } = open([anAppointment()]);
  await person.click(await screen.findByRole('button', { name: 'Reschedule Appointment' }));
  const dialog = await screen.findByRole('alertdialog', { name: 'Warning' });
  service.answer('GET /me/appointments', () => ({
    body: { doctors: [], appointments: [anAppointment({ status: 'cancelled' })], hasOlder: false },
  }));
  liveSays('onAppointments');
  expect(await within(dialog).findByText('This appointment has been cancelled.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Yes, reschedule appointment' })).toBeNull();
  await person.click(within(dialog).getByRole('button', { name: 'Back' }));
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test('No, do not reschedule appointment keeps nothing', async () => {
  const { person } = open([anAppointment()]);
  await person.click(await screen.findByRole('button', { name: 'Reschedule Appointment' }));
  await person.click(
    await screen.findByRole('button', { name: 'No, do not reschedule appointment' }),
  );
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(screen.queryByText(/^home/)).toBeNull();
});

// Shows: 2.appointments.1, 6.banner.1, 6.banner.2
test.each([
  ['E', /^Paid appointments cannot be cancelled but can be rescheduled/],
  ['NR', /^Paid appointments cannot be cancelled but can be rescheduled/],
  ['R', /^Private appointments cannot be cancelled and can be rescheduled up to 24 hours before/],
  ['NE', /^Private appointments cannot be cancelled and can be rescheduled up to 24 hours before/],
] as const)('the banner for %s', async (eligibility, words) => {
  open([], { user: { ...casey, eligibility } });
  expect(await screen.findByText(words)).toBeTruthy();
});

// Shows: 8.silent.1, R-55
test('a failed load says nothing but can be tried again', async () => {
  const { service, person } = open([], {
    changed: { 'GET /me/appointments': () => ({ status: 500, body: {} }) },
  });
  const again = await screen.findByRole('button', { name: 'Try again' });
  expect(screen.queryByRole('alert')).toBeNull();
  service.answer('GET /me/appointments', () => ({
    body: { doctors: [], appointments: [anAppointment()], hasOlder: false },
  }));
  await person.click(again);
  expect(await screen.findByText('In-person visit')).toBeTruthy();
});

// Shows
test('a list that could not be loaded again says so, with a way to try again, and stands until then', async () => {
  const { service, person, queryClient } = open([anAppointment()]);
  await section('Upcoming');
  service.answer('GET /me/appointments', () => ({ status: 500, body: {} }));
  await act(() => queryClient.refetchQueries({ queryKey: ['appointments'] }));
  expect(await screen.findByText(/^This list could not be loaded again/)).toBeTruthy();
  expect(screen.getByText('In-person visit')).toBeTruthy();
  service.answer('GET /me/appointments', () => ({
    body: { doctors: [], appointments: [], hasOlder: false },
  }));
  await person.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('No upcoming appointments')).toBeTruthy();
  expect(screen.queryByText(/^This list could not be loaded again/)).toBeNull();
});

test('where those of more than 24 months ago cannot be fetched, the others stay', async () => {
  const { service, person } = open([], {
    changed: reply('listAppointments', () => ({
      doctors: [],
      appointments: [anAppointment()],
      hasOlder: true,
    })),
  });
  const older = await screen.findByRole('button', { name: /^Show appointments from more than/ });
  service.answer('GET /me/appointments', () => ({ status: 500, body: {} }));
  await person.click(older);
  expect(await screen.findByRole('alert')).toBeTruthy();
  expect(screen.getByText('In-person visit')).toBeTruthy();
  const fetched = { doctors: [], appointments: [anAppointment()], hasOlder: false };
  service.answer('GET /me/appointments', () => ({ body: fetched }));
  await person.click(older);
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Show appoint/ })).toBeNull());
  expect(document.activeElement?.textContent).toMatch(/^Previous/);
});

test('appointments of more than 24 months ago are fetched when asked for', async () => {
  const searches: string[] = [];
  const old = anAppointment({ id: 'old', startTime: toInstant('2023-03-01', '10:00') });
  const { person } = open([], {
    changed: reply('listAppointments', ({ search }) => {
      searches.push(search.toString());
      const all = search.get('all') === 'true';
      return { doctors: [], appointments: all ? [old] : [], hasOlder: !all };
    }),
  });
  await person.click(
    await screen.findByRole('button', { name: 'Show appointments from more than 24 months ago' }),
  );
  expect(await screen.findByText('Wed Mar 01 2023 10:00')).toBeTruthy();
  await waitFor(() => expect(searches).toContain('all=true'));
});

// Shows: 2.appointments.6
test('while the list is on its way that is said over it, and the sections follow', async () => {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  open([], {
    changed: {
      'GET /me/appointments': async () => {
        await asked;
        return { body: { doctors: [], appointments: [anAppointment()], hasOlder: false } };
      },
    },
  });
  expect(await screen.findByText('Loading your appointments…')).toBeTruthy();
  expect(screen.queryByRole('region', { name: /^Upcoming/ })).toBeNull();
  answer();
  await section('Upcoming');
  expect(screen.queryByText('Loading your appointments…')).toBeNull();
});

test('a list that is looked at again while somebody reads it stays as it is until the answer', async () => {
  const { service, queryClient } = open([anAppointment()]);
  await section('Upcoming');
  let asked = false;
  service.answer('GET /me/appointments', () => {
    asked = true;
    return new Promise(() => {});
  });
  act(() => void queryClient.invalidateQueries({ queryKey: ['appointments'] }));
  await waitFor(() => expect(asked).toBe(true));
  expect(screen.queryByText('Loading your appointments…')).toBeNull();
});

// Shows: 2.appointments.6
test('nothing is shown or asked for when nobody is signed in', async () => {
  const { service } = open([anAppointment()], { signedIn: false });
  expect(await screen.findByText('login')).toBeTruthy();
  expect(screen.queryByRole('region')).toBeNull();
  expect(service.calls).not.toContain('GET /me/appointments');
});
